// SPDX-License-Identifier: MIT
// writer.h: the in-process end of the spool. The application's threads write records into chunks of
// memory-mapped segments; one maintenance thread (the tracer's worker) keeps segments ready.
//
// Threads    Write and Count*: any thread, also during exit. Open, Maintain, Finish: one thread at
//            a time
// Blocking   Write never blocks in the steady state: a bump of a thread-local cursor and one
//            release store. Only a thread that finds no ready segment may make one itself (a mutex,
//            writing the file, mmap), and waits for room if room_wait_ns is set
// Memory     at most `limit_bytes` of segments that the collector has not yet given back; beyond
//            that Write returns false. Disk blocks are reserved before a segment is used, so a full
//            disk is a failed Write, not a SIGBUS. Mappings are left to the kernel: late threads
//            may still be inside Write. A Writer outlives every thread that has written to it
// Fork       the child of a fork has no spool: its writes are refused
// Signals    a marker of a handler that interrupts Write on the same thread is kept until that has
//            ended, before the thread's next record; what is no marker, or finds no room there, is
//            refused
// Exit       a thread's chunk is closed when the thread ends; writing after that opens a new one
// Why        docs/adr/0011-spool.md, docs/formats/spool.md
#pragma once

#include <limits.h>
#include <stdint.h>

#include <atomic>

#include "base/mutex.h"
#include "base/status.h"
#include "base/unique_fd.h"
#include "model/in_flight.h"
#include "model/record_sink.h"
#include "spool/format.h"

namespace rtl::spool {

struct OverflowPlace;
struct ThreadCursor;  // the calling thread's position

struct WriterOptions {
  const char* directory = nullptr;           // exists, owned by the user, writable by no other user
  uint64_t limit_bytes = uint64_t{1} << 30;  // of live segments; at least two are allowed
  // Write waits at most this long for room; zero: it refuses
  uint64_t room_wait_ns = 0;
  ProcessInfo process;  // Open fills in pid, start_ticks etc. when zero
  // A reader must learn of this process: without room for its files it counts its events, in its
  // control page or in the spool's overflow (spool/overflow.h).
  bool tell_reader = false;
};

class Writer final : public RecordSink, public InFlightMemory {
 public:
  constexpr Writer() = default;
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  // True once in the child of a raw clone, where no handler has run, of a process that had opened a
  // spool: from now on it can open one of its own.
  static bool NoticeFork();

  // Makes the control page and the first segment. After an error no file is left. If the reader must
  // learn of the process, its events are counted then, if possible.
  Status Open(const WriterOptions& options);
  // After an error of Open: the reader learns of this process and its events, and gets no record.
  bool counts_only() const {
    return state_.load(std::memory_order_relaxed) == State::kClosed &&
           (is_open() || overflow_ != nullptr);
  }
  // Where this process counts events of this kind; null before Open.
  std::atomic<uint64_t>* SeenCounter(EventKind kind);
  // What the reader knows of the process; null before Open.
  ProcessInfo* process();
  // Instead of Open: makes only a control page, with the reason why this process is not traced.
  Status Refuse(const WriterOptions& options, const char* why);
  bool is_open() const { return control() != nullptr; }

  bool Write(const void* record, size_t bytes, const char* text, size_t text_bytes) override;
  void CountSeen(EventKind kind, uint64_t events) override;
  void CountRecorded(EventKind kind, uint64_t events) override;
  void CountLoss(EventKind kind, Loss why, uint64_t events) override;

  // In a file that the reader finds. Null: the disk is full, or no spool is open.
  void* MapBlock() override;

  // Keeps a spare segment ready, pre-faults the next memory, unmaps segments whose chunks are all
  // closed, and writes names of threads. Bounded work; call it from the worker's heartbeat. The
  // first call may wait some 10 ms for the kernel.
  void Maintain();

  // True when the collector has stopped reading for good.
  bool Abandoned() const;

  // The process ends normally, and its reader waits until it is gone: later writes and counts are
  // accepted.
  void NoteEnd();

  // Closes this thread's chunk, waits for writes under way (at most 0.5 s) and marks the process
  // finished: counters are final from here on, and later writes and counts are refused. Idempotent;
  // nothing in the child of a fork.
  void Finish();

  // Waits until the collector reports that the database is complete, at most `limit_ns`. False on
  // time-out, and at once when the collector has abandoned this process.
  bool WaitCollected(uint64_t limit_ns) const;

  // After Finish, and after the reader's end: gives the disk back. Late threads find zeros.
  void Release();

  // The shared counters; null before Open. Lives as long as the process.
  ControlPage* control() const {
    return control_.load(std::memory_order_acquire);
  }  // pairs with (A)

  // Segments mapped now.
  uint32_t mapped_segments();

 private:
  enum class State : uint32_t { kClosed, kRunning, kFinished };

  // A mapped segment. Reused after the segment was unmapped, but the first slot has only the first
  // segment: the number of chunks of a slot never changes.
  struct Slot {
    std::atomic<uint32_t> next{kChunksPerSegment};  // next chunk to hand out; at the end: none left
    std::atomic<uint32_t> closed{0};                // chunks closed
    char* base = nullptr;                           // null: the slot is free
    std::atomic<uint32_t> populated{0};  // Maintain has pre-faulted the chunks before this one
  };
  static constexpr uint32_t kSlots = 1024;
  uint32_t ChunksOf(const Slot& slot) const {
    return static_cast<uint32_t>(ChunksOfSegment(&slot == slots_ ? 1 : 2));
  }

  bool Running() const;
  bool WriteAny(const void* record, size_t bytes, const char* text, size_t text_bytes);
  bool Defer(const void* record, size_t bytes, const char* text, size_t text_bytes);
  bool WriteDeferred(ThreadCursor& cursor);
  void FinishInterrupted(ThreadCursor& cursor);
  void DropDeferred();
  void WriteThreadNames(bool all);
  bool WriteInChunk(ThreadCursor& cursor, const void* record, size_t bytes, const char* text,
                    size_t text_bytes);
  bool NextChunk(ThreadCursor& cursor, size_t bytes);
  Slot* ClaimChunk(uint32_t* index);
  Slot* WaitForChunk(uint32_t* index);
  void DiscardChunk(Slot& slot, uint32_t index);
  bool AdvanceSegment(Slot* exhausted);
  bool RoomForSegment() const;
  Slot* FreeSlot();
  struct Prepared {
    char* base;  // its mapping
    const char* path;
  };
  Status MakeSegment(Slot** out, const Prepared* prepared);
  Slot* MakeSpare();
  Status MakeControlPage(const WriterOptions& options, ControlPage** out, char* path,
                         size_t capacity);
  Status OpenFiles(const WriterOptions& options);
  UniqueFd CreateControlFile(const ProcessInfo& info, char* path, size_t capacity);
  Status MapNewFile(int fd, const char* path, size_t bytes, char** out);
  void NoteFull(int32_t because);
  Status MapFile(const char* path, int flags, size_t bytes, char** out);
  void FormatPath(char* out, size_t capacity, const char* suffix) const;
  void Populate(Slot& slot);
  static void PopulateChunk(const Slot& slot, uint32_t index);
  void MakeWritesCheap();
  void CloseChunk(ThreadCursor& cursor);
  void WaitForWrites();
  static void OnThreadExit(void* writer);

  std::atomic<State> state_{State::kClosed};
  uint32_t id_ = 0;     // of this Writer, in the thread-local cursors
  uint32_t epoch_ = 0;  // the number of forks that led to this process, at Open
  // The fence that makes a write visible to Finish: the write's own, or Finish's for all
  // (membarrier).
  enum class Fence : uint32_t { kWrite, kFinish, kFinal };
  std::atomic<Fence> fence_{Fence::kWrite};
  bool fence_tried_ = false;  // by Open, then by the caller of Maintain
  std::atomic<Slot*> current_{nullptr};
  std::atomic<Slot*> spare_{nullptr};
  std::atomic<uint64_t> retry_at_{0};  // BOOTTIME ns before which no segment is made
  std::atomic<ControlPage*> control_{nullptr};
  OverflowPlace* overflow_ = nullptr;  // written by Open
  std::atomic<uint32_t> in_flight_blocks_{0};
  uint64_t limit_chunks_ = 0;
  uint64_t room_wait_ns_ = 0;
  std::atomic<bool> waited_in_vain_{false};  // no thread waits again until there was room
  bool populate_works_ = true;

  Mutex mutex_{Rank::kSpool};  // numbering, publishing and unmapping segments
  char stem_[48] = {};         // "<pid>-<start ticks>", "<pid>-<start ticks>-<n>"
  char directory_[PATH_MAX] = {};
  Slot slots_[kSlots];
};

}  // namespace rtl::spool
