// SPDX-License-Identifier: MIT
// buffer.h: records on their way to a tool's callback, in chunks of the size that the tool asked
// for.
//
//   Append ──► filling chunk ──(watermark, flush, full)──► callback ──► spare chunk
//
// One word, `room_`, says which chunk is being filled and how far. Append:
//
//   takes room    by an exchange of that word; if the chunk was closed meanwhile it fails, so nobody
//                 touches the memory of a chunk that is not his any more
//   writes        all of the record but its first word, which is zero
//   commits       by that word, the record's size; Deliver waits for it, for a second. What comes
//                 later is handed out with the next delivery
//
// Threads    Append, CountDropped: any. Deliver: the callback thread. Destroy: any
// Blocking   Append: never while the chunk has room. To begin another one: a lock held for a few
//            instructions, and memory from the system when no spare chunk is there
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
  static constexpr int kPoison = 0xA5;  // in the headers after a callback, with RTL_STRICT=1

  struct Options {
    rocprofiler_context_id_t context;
    rocprofiler_buffer_id_t id;
    size_t size;
    size_t watermark;
    bool lossless;
    rocprofiler_buffer_tracing_cb_t callback;
    void* data;
  };

  // What every record of the interface begins with.
  struct RecordHead {
    uint64_t size;  // a multiple of eight
    uint32_t kind;
  };

  // Set in `kind`: the record is one of counters, behind two words, and of the kind in the rest.
  static constexpr uint32_t kCounterRecord = 1u << 31;
  static constexpr uint32_t kSampleRecord = 1u << 30;  // likewise, of program counters

  Buffer() = default;
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  // Before anything else. False without memory.
  bool Open(const Options& options, CallbackThread* thread);
  void Assign(CallbackThread* thread) { thread_ = thread; }  // while tools are configured
  bool open() const { return open_.load(std::memory_order_acquire); }
  rocprofiler_context_id_t context() const { return options_.context; }

  template <typename Record>
  void Append(const Record& record) {
    static_assert(sizeof(Record) % kUnit == 0 && sizeof(Record) >= sizeof(RecordHead));
    AppendBytes(&record, record.size);
  }
  // A record that does not begin with its size and kind: counters and samples. They come before it.
  template <typename Record>
  void AppendEnveloped(uint64_t kind, const Record& record) {
    struct Enveloped {
      uint64_t size = sizeof(Enveloped);
      uint64_t kind;
      Record record;
    };
    Enveloped enveloped;
    enveloped.kind = kind;
    enveloped.record = record;
    Append(enveloped);
  }
  // Events that got lost on the way here.
  void CountDropped(uint64_t events) { dropped_.fetch_add(events, std::memory_order_relaxed); }

  rocprofiler_status_t Flush();
  rocprofiler_status_t Destroy();
  void Deliver();

 private:
  friend class CallbackThread;
  struct Chunk {
    Chunk* next;
    char* bytes;    // all zero when it begins to be filled
    size_t used;    // when it is closed
    size_t handed;  // out: bytes before it
  };

  // In `room_`: the number of the chunk, then how many units of it are taken.
  static constexpr size_t kUnit = 8;
  static constexpr uint32_t kOffsetBits = 28;
  static constexpr uint64_t kNoRoom = (uint64_t{1} << kOffsetBits) - 1;
  static_assert(kMostBytes / kUnit < kNoRoom);
  static uint64_t OffsetOf(uint64_t room) { return (room & kNoRoom) * kUnit; }
  static uint64_t NumberOf(uint64_t room) { return room >> kOffsetBits; }

  void AppendBytes(const void* record, size_t bytes);
  bool MakeRoom(uint64_t seen, size_t bytes);
  void CloseFilling() RTL_REQUIRES(mutex_);
  Chunk* NewChunk() RTL_REQUIRES(mutex_);
  void Ask();
  bool HandOut(Chunk* chunk, uint64_t* dropped);
  void Release(Chunk* list, const Chunk* end);
  bool MakeSpare(Chunk* chunk);

  // Written by Append.
  alignas(64) std::atomic<uint64_t> room_{kNoRoom};  // (A) a new number: release, under mutex_
  // Read by Append.
  alignas(64) Options options_ = {};
  CallbackThread* thread_ = nullptr;
  std::atomic<char*> filling_{nullptr};  // (B) the chunk that `room_` speaks of
  std::atomic<bool> asked_{false};
  std::atomic<bool> open_{false};
  std::atomic<uint64_t> dropped_{0};

  Mutex mutex_{Rank::kBuffer};
  Chunk* first_ RTL_GUARDED_BY(mutex_) = nullptr;  // oldest records
  Chunk* last_ RTL_GUARDED_BY(mutex_) = nullptr;   // being filled
  Chunk* spare_ RTL_GUARDED_BY(mutex_) = nullptr;  // only Deliver puts one there
  // Closed chunks, the first of which has a record that its thread has not finished.
  Chunk* late_ RTL_GUARDED_BY(mutex_) = nullptr;
  size_t chunk_bytes_ RTL_GUARDED_BY(mutex_) = 0;
  bool in_callback_ RTL_GUARDED_BY(mutex_) = false;
  // Deliver's: of one chunk's records.
  size_t most_headers_ = 0;
  rocprofiler_record_header_t* headers_ = nullptr;
  rocprofiler_record_header_t** pointers_ = nullptr;

  // The callback thread's, under its lock.
  Buffer* next_ = nullptr;
  bool queued_ = false;
  bool delivering_ = false;
  uint64_t delivered_ = 0;
};

}  // namespace rtl::sdk
