// SPDX-License-Identifier: MIT
// writer.h: writes the spool inside the traced process. The application's threads write records
// into chunks of memory-mapped segments; one maintenance thread (the tracer's worker) keeps
// segments ready.
//
// Threads    Write and Count*: any thread, also during exit. Open, Maintain, Finish: one thread at
//            a time
// Blocking   in the steady state Write never blocks: it moves a thread-local cursor and makes one
//            release store. A thread that finds no ready segment may make one itself (a mutex,
//            writing the file, mmap), and waits for room if room_wait_ns is set
// Memory     at most `limit_bytes` of segments that the collector has not yet given back; beyond
//            that Write returns false. Disk blocks are reserved before a segment is used, so if the
//            disk is full, Write returns false, and there is no SIGBUS. Mappings stay until the
//            process ends, because late threads may still be inside Write. A Writer outlives every
//            thread that has written to it
// Fork       the child of a fork has no spool: its writes are refused
// Signals    a marker of a handler that interrupts Write on the same thread is kept, and written
//            when that Write has ended, before the thread's next record. Other records, and markers
//            without room, are refused
// Exit       a thread's chunk is closed when the thread ends; a later write of the thread opens a
//            new chunk
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
  // must exist, be owned by the user, and be writable by no other user
  const char* directory = nullptr;
  // for segments that are not given back; two segments are always allowed
  uint64_t limit_bytes = uint64_t{1} << 30;
  // The longest time for which Write waits for room; zero: it refuses at once.
  uint64_t room_wait_ns = 0;
  ProcessInfo process;  // Open fills in pid, start_ticks etc. if they are zero
  // The reader must learn of this process. If there is no room for its files, its events are
  // counted, in its control page or in the spool's overflow (spool/overflow.h).
  bool tell_reader = false;
};

class Writer final : public RecordSink, public InFlightMemory {
 public:
  constexpr Writer() = default;
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  // True once in the child of a raw clone, where no fork handler has run, if the parent had opened
  // a spool. From then on the child can open a spool of its own.
  static bool NoticeFork();

  // Makes the control page and the first segment. After an error no file is left. If the reader
  // must learn of the process, its events are counted even then, if possible.
  Status Open(const WriterOptions& options);
  // True if Open has failed, but the reader learns of this process and of the number of its events.
  // It gets no record.
  bool counts_only() const {
    return state_.load(std::memory_order_relaxed) == State::kClosed &&
           (is_open() || overflow_ != nullptr);
  }
  // Counts the events of this kind in this process; null before Open.
  std::atomic<uint64_t>* SubmittedCounter(EventKind kind);
  // The description of the process for the reader; null before Open.
  ProcessInfo* process();
  // Called instead of Open: makes only a control page, with the reason why this process is not
  // traced.
  Status Refuse(const WriterOptions& options, const char* why);
  bool is_open() const { return control() != nullptr; }

  bool Write(const void* record, size_t bytes, const char* text, size_t text_bytes) override;
  void CountSubmitted(EventKind kind, uint64_t events) override;
  void CountRecorded(EventKind kind, uint64_t events) override;
  void CountLoss(EventKind kind, Loss why, uint64_t events) override;

  // Maps a block of a file that the reader finds. Null if the disk is full, or if no spool is open.
  void* MapBlock() override;

  // Keeps a spare segment ready, pre-faults the next memory, unmaps segments whose chunks are all
  // closed, and writes the names of threads. Its work is bounded. To be called from the worker's
  // heartbeat. The first call may wait about 10 ms for the kernel.
  void Maintain();

  // True when the collector has stopped reading for good.
  bool Abandoned() const;

  // Called when the process ends normally, and its reader waits until the process is gone: later
  // writes and counts are still accepted.
  void NoteEnd();

  // Closes this thread's chunk, waits for writes under way (at most 0.5 s), and marks the process
  // as finished. From then on counters are final, and later writes and counts are refused.
  // Idempotent. Does nothing in the child of a fork.
  void Finish();

  // Waits until the collector reports that the database is complete, at most `limit_ns`. False if
  // the limit is reached, and at once if the collector has abandoned this process.
  bool WaitCollected(uint64_t limit_ns) const;

  // Called after Finish and after the end of the reader: frees the disk space. Late threads find
  // zeros.
  void Release();

  // The counters that the collector reads; null before Open. Valid as long as the process lives.
  ControlPage* control() const {
    return control_.load(std::memory_order_acquire);
  }  // pairs with (A)

  // The number of segments that are mapped now.
  uint32_t mapped_segments();

 private:
  enum class State : uint32_t { kClosed, kRunning, kFinished };

  // A mapped segment. A slot is reused after its segment was unmapped. Only the first slot has the
  // first segment, so the number of chunks of a slot never changes.
  struct Slot {
    // next chunk to hand out; at the end no chunk is left
    std::atomic<uint32_t> next{kChunksPerSegment};
    std::atomic<uint32_t> closed{0};     // number of closed chunks
    char* base = nullptr;                // null if the slot is free
    std::atomic<uint32_t> populated{0};  // Maintain has pre-faulted the chunks below this index
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
    char* base;  // mapping of the file
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
  uint32_t id_ = 0;     // identifies this Writer in the thread-local cursors
  uint32_t epoch_ = 0;  // number of forks that led to this process when Open was called
  // Which fence makes a write visible to Finish: a fence in each write, or one membarrier in Finish
  // for all writes.
  enum class Fence : uint32_t { kWrite, kFinish, kFinal };
  std::atomic<Fence> fence_{Fence::kWrite};
  bool fence_tried_ = false;  // written by Open, then by the caller of Maintain
  std::atomic<Slot*> current_{nullptr};
  std::atomic<Slot*> spare_{nullptr};
  std::atomic<uint64_t> retry_at_{0};  // BOOTTIME ns before which no segment is made
  std::atomic<ControlPage*> control_{nullptr};
  OverflowPlace* overflow_ = nullptr;  // written by Open
  std::atomic<uint32_t> in_flight_blocks_{0};
  uint64_t limit_chunks_ = 0;
  uint64_t room_wait_ns_ = 0;
  // after a wait in vain no thread waits until there was room again
  std::atomic<bool> waited_in_vain_{false};
  bool populate_works_ = true;

  Mutex mutex_{Rank::kSpool};  // guards numbering, publishing and unmapping of segments
  char stem_[48] = {};         // "<pid>-<start ticks>" or "<pid>-<start ticks>-<n>"
  char directory_[PATH_MAX] = {};
  Slot slots_[kSlots];
};

}  // namespace rtl::spool
