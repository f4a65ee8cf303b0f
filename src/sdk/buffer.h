// SPDX-License-Identifier: MIT
// buffer.h: records on their way to a tool's callback, in chunks of the size that the tool asked
// for.
//
//   Append ──► filling chunk ──(watermark, flush, full)──► callback ──► spare chunk
//
// Threads    Append, CountDropped: any. Deliver: the callback thread. Destroy: any
// Blocking   Append: while another thread appends one record; never for the callback. Allocates
//            when no spare chunk is there
// Memory     DISCARD: two chunks. LOSSLESS: as many as are needed, kMostBytes in all
// Errors     what finds no room is counted and told with the next callback
// Why        docs/adr/0041-sdk-buffers.md
#pragma once

#include <rocprofiler-sdk/buffer.h>
#include <stddef.h>
#include <stdint.h>

#include <atomic>

#include "base/mutex.h"

namespace rtl::sdk {

class CallbackThread;

class Buffer {
 public:
  static constexpr size_t kMostBytes = size_t{1} << 30;

  struct Options {
    rocprofiler_context_id_t context;
    rocprofiler_buffer_id_t id;
    size_t size;
    size_t watermark;
    bool lossless;
    rocprofiler_buffer_tracing_cb_t callback;
    void* data;
  };

  Buffer() = default;
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  // Before anything else. False without memory.
  bool Open(const Options& options, CallbackThread* thread);
  void Assign(CallbackThread* thread) { thread_ = thread; }  // while tools are configured
  bool open() const { return open_.load(std::memory_order_acquire); }
  rocprofiler_context_id_t context() const { return options_.context; }

  void Append(uint32_t kind, const void* record, size_t bytes);
  // Events that got lost on the way here.
  void CountDropped(uint64_t events) { dropped_.fetch_add(events, std::memory_order_relaxed); }

  rocprofiler_status_t Flush();
  rocprofiler_status_t Destroy();
  void Deliver();

 private:
  friend class CallbackThread;
  struct Chunk;
  Chunk* NewChunk() RTL_REQUIRES(mutex_);
  Chunk* RoomFor(size_t bytes) RTL_REQUIRES(mutex_);
  void Release(Chunk* list);

  Options options_ = {};
  CallbackThread* thread_ = nullptr;
  std::atomic<bool> open_{false};
  std::atomic<bool> asked_{false};
  std::atomic<uint64_t> dropped_{0};
  Mutex mutex_{Rank::kBuffer};
  Chunk* first_ RTL_GUARDED_BY(mutex_) = nullptr;  // oldest records
  Chunk* filling_ RTL_GUARDED_BY(mutex_) = nullptr;
  Chunk* spare_ RTL_GUARDED_BY(mutex_) = nullptr;
  size_t used_ RTL_GUARDED_BY(mutex_) = 0;  // bytes of records since the last delivery
  size_t chunk_bytes_ RTL_GUARDED_BY(mutex_) = 0;
  bool in_callback_ RTL_GUARDED_BY(mutex_) = false;

  // The callback thread's, under its lock.
  Buffer* next_ = nullptr;
  bool queued_ = false;
  bool delivering_ = false;
  uint64_t delivered_ = 0;
};

}  // namespace rtl::sdk
