// SPDX-License-Identifier: MIT
// buffer.h: collects records and passes them to a tool's callback, in chunks of the size that the
// tool requested.
//
//   Append ──► filling chunk ──(watermark, flush, full)──► callback ──► spare chunk
//
// One word, `room_`, says which chunk is being filled and how far. Append:
//
//   reserves      by an exchange of that word; it fails if the chunk was closed meanwhile,
//                 so no thread writes to a chunk that it has not reserved room in
//   writes        all of the record but its first word, which is zero
//   commits       by writing that word, its size. Deliver waits up to a second for it; a record
//                 that is committed later goes out with the next delivery
//
// Threads    Append, CountDropped: any. Deliver: the callback thread. Destroy: any
// Blocking   Append: never while the chunk has room. Beginning another chunk takes a lock for a few
//            instructions, and memory from the system when there is no spare chunk
// Memory     DISCARD: two chunks. LOSSLESS: as many as are needed, kMostBytes in all
// Errors     a record without room is counted and reported with the next callback
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
  // After a callback the headers are overwritten with this value, if RTL_STRICT=1.
  static constexpr int kPoison = 0xA5;

  struct Options {
    rocprofiler_context_id_t context;
    rocprofiler_buffer_id_t id;
    size_t size;
    size_t watermark;
    bool lossless;
    rocprofiler_buffer_tracing_cb_t callback;
    void* data;
  };

  // Every record of the interface begins with these fields.
  struct RecordHead {
    uint64_t size;  // a multiple of eight
    uint32_t kind;
  };

  // A bit in `kind`: the record is a counter record after two words of envelope; the other bits are
  // its kind.
  static constexpr uint32_t kCounterRecord = 1u << 31;
  // a bit in `kind`: the record is a PC sample after an envelope
  static constexpr uint32_t kSampleRecord = 1u << 30;

  Buffer() = default;
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  // To be called before anything else. False if there is no memory.
  bool Open(const Options& options, CallbackThread* thread);
  void Assign(CallbackThread* thread) { thread_ = thread; }  // called while tools are configured
  bool open() const { return open_.load(std::memory_order_acquire); }
  rocprofiler_context_id_t context() const { return options_.context; }
  uint64_t id() const { return options_.id.handle; }

  template <typename Record>
  void Append(const Record& record) {
    static_assert(sizeof(Record) % kUnit == 0 && sizeof(Record) >= sizeof(RecordHead));
    AppendBytes(&record, record.size);
  }
  // Appends a record that has no size and kind of its own (counters and PC samples), after an
  // envelope with these two words.
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
  // Counts events that were lost before they reached the buffer.
  void CountDropped(uint64_t events) { dropped_.fetch_add(events, std::memory_order_relaxed); }

  rocprofiler_status_t Flush();
  rocprofiler_status_t Destroy();
  void Deliver();
  // The number of records that have not been passed to a callback. Records after those that a
  // running callback has got are not counted.
  uint64_t Waiting();

 private:
  friend class CallbackThread;
  struct Chunk {
    Chunk* next;
    char* bytes;    // all zero when the chunk begins to be filled
    size_t used;    // set when the chunk is closed
    size_t handed;  // bytes that were passed to the callback
  };

  // `room_` has the number of the chunk in the upper bits and the number of reserved units in the
  // lower kOffsetBits.
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
  Chunk* TakeAll() RTL_REQUIRES(mutex_);
  void Ask();
  bool HandOut(Chunk* chunk, uint64_t* dropped);
  void Release(Chunk* list, const Chunk* end);
  bool MakeSpare(Chunk* chunk);

  // Append writes this member.
  // (A) a new chunk number is stored with release, under mutex_
  alignas(64) std::atomic<uint64_t> room_{kNoRoom};
  // Append only reads the following members.
  alignas(64) Options options_ = {};
  CallbackThread* thread_ = nullptr;
  std::atomic<char*> filling_{nullptr};  // (B) the memory of the chunk in `room_`
  std::atomic<bool> asked_{false};
  std::atomic<bool> open_{false};
  std::atomic<uint64_t> dropped_{0};

  Mutex mutex_{Rank::kBuffer};
  Chunk* first_ RTL_GUARDED_BY(mutex_) = nullptr;  // chunk with the oldest records
  Chunk* last_ RTL_GUARDED_BY(mutex_) = nullptr;   // chunk that is being filled
  Chunk* spare_ RTL_GUARDED_BY(mutex_) = nullptr;  // only Release puts a chunk here
  // Closed chunks that wait for a thread: the first of them has a record that its thread has not
  // finished.
  Chunk* late_ RTL_GUARDED_BY(mutex_) = nullptr;
  size_t chunk_bytes_ RTL_GUARDED_BY(mutex_) = 0;
  bool in_callback_ RTL_GUARDED_BY(mutex_) = false;
  // Used by Deliver: the records of one chunk.
  size_t most_headers_ = 0;
  rocprofiler_record_header_t* headers_ = nullptr;
  rocprofiler_record_header_t** pointers_ = nullptr;

  // Used by the callback thread, under its lock.
  Buffer* next_ = nullptr;
  bool queued_ = false;
  bool delivering_ = false;
  uint64_t delivered_ = 0;
};

}  // namespace rtl::sdk
