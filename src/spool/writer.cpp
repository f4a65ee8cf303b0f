// SPDX-License-Identifier: MIT
#include "spool/writer.h"

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <bit>

#include "base/clock.h"
#include "base/process_barrier.h"
#include "base/sched_point.h"
#include "base/thread_names.h"
#include "base/thread_state.h"
#include "model/records.h"
#include "spool/deferred_records.h"
#include "spool/overflow.h"
#include "spool/packing.h"
#include "spool/process_stat.h"

namespace rtl::spool {

// Trivial, so that it can be used before constructors have run and after destructors have run.
struct ThreadCursor {
  char* at = nullptr;   // address of the next record
  char* end = nullptr;  // end of the chunk, which begins kChunkBytes before
  uint32_t writer = 0;  // Writer::id_ of the chunk's owner; zero: there is no chunk
  uint16_t slot = 0;    // index of the chunk's segment in Writer::slots_
  uint16_t busy = 0;    // bits kInside, kDeferred
  // Positions in the chunk, in words, of the keys of packed records; zero: none.
  uint16_t keys[kKeys] = {};
};
static_assert(sizeof(ThreadCursor) <= 32);

namespace {

// Bits of ThreadCursor::busy. Signal handlers change `busy`, too, so each change is one
// instruction.
constexpr uint16_t kInside = 1;  // this thread is inside Write
// signal handlers on this thread have left records (deferred_records.h)
constexpr uint16_t kDeferred = 2;

[[gnu::always_inline]] inline void Set(uint16_t& busy, uint16_t bit) {
  asm volatile("orw %1, %0" : "+m"(busy) : "ri"(bit) : "memory", "cc");
}

[[gnu::always_inline]] inline void Clear(uint16_t& busy, uint16_t bit) {
  asm volatile("andw %1, %0" : "+m"(busy) : "ri"(static_cast<uint16_t>(~bit)) : "memory", "cc");
}

constexpr uint64_t kFinishWaitNs = 500'000'000;  // how long Finish waits for writes under way
constexpr uint64_t kWaitStepNs = 50'000'000;     // the longest delay if a wake-up is lost
constexpr size_t kAhead = 256;                   // bytes to prefetch before they are written
constexpr long kRoomStepNs = 500'000;            // between two checks for room

[[gnu::tls_model("initial-exec")]] constinit thread_local ThreadCursor t_cursor;

// Copies whole words. A call of memcpy would be a large part of the cost of a write.
[[gnu::always_inline]] inline void CopyWords(char* to, const void* from, size_t bytes) {
  const auto copy = [to, from](size_t at) {
    uint64_t word;
    memcpy(&word, static_cast<const char*>(from) + at, sizeof word);
    memcpy(to + at, &word, sizeof word);
    asm volatile("" ::: "memory");  // otherwise the compiler calls memcpy
  };
  size_t at = 0;
  for (; at + 16 <= bytes; at += 16) {
    copy(at);
    copy(at + 8);
  }
  if (at < bytes) copy(at);
}

// Commits a record: a reader that sees this word sees the whole record.
[[gnu::always_inline]] inline void Commit(char* at, uint16_t type, size_t total, uint32_t thread) {
  RTL_SCHED_POINT("spool.commit");
  const uint64_t head = type | uint64_t{total / 8} << 16 | uint64_t{thread} << 32;
  std::atomic_ref<uint64_t>(*reinterpret_cast<uint64_t*>(at))
      .store(head, std::memory_order_release);
}

constinit std::atomic<uint32_t> g_next_id{0};
// The number of forks that led to this process, plus one. It is in a page of its own, which the
// kernel clears in a forked child. So a child in which no fork handlers have run (a raw system
// call), or in which a handler of the program runs before the tracer's, writes nothing into its
// parent's files either.
struct alignas(4096) EpochPage {
  std::atomic<uint32_t> number;
};
constinit EpochPage g_epoch_page = {};
constinit std::atomic<uint32_t>& g_epoch = g_epoch_page.number;
constinit uint32_t g_last_epoch = 0;  // the latest value of g_epoch in this process
constinit bool g_set_up = false;      // guarded by g_setup_mutex
constinit Mutex g_setup_mutex{Rank::kSpool};
constinit pthread_key_t g_exit_key = 0;

ChunkHeader* ChunkOf(const ThreadCursor& cursor) {
  return reinterpret_cast<ChunkHeader*>(cursor.end - kChunkBytes);
}

void BecomeKey(ThreadCursor& cursor, const char* at, uint32_t number) {
  const auto offset = static_cast<size_t>(at - (cursor.end - kChunkBytes));
  cursor.keys[number] = static_cast<uint16_t>(offset / 8);
}

bool MayPack(const ThreadCursor& cursor, size_t bytes, size_t text_bytes) {
  return (bytes | text_bytes) % 8 == 0 && bytes + text_bytes <= kMostPackedBytes &&
         static_cast<size_t>(cursor.end - cursor.at) >= bytes + text_bytes + kPackSlack;
}

// Writes a whole record of any kind. The chunk must have room for it.
void PlaceWhole(ThreadCursor& cursor, const void* record, size_t bytes, const char* text,
                size_t text_bytes) {
  char* const at = cursor.at;
  const size_t total = (bytes + text_bytes + 7) & ~size_t{7};
  RecordHeader head;
  memcpy(&head, record, sizeof head);
  memcpy(at + sizeof head, static_cast<const char*>(record) + sizeof head, bytes - sizeof head);
  if (text_bytes != 0) memcpy(at + bytes, text, text_bytes);
  const auto type = static_cast<uint16_t>(head.type);
  if (total <= kMostPackedBytes) BecomeKey(cursor, at, KeyNumber(type, total / 8));
  cursor.at = at + total;
  Commit(at, type, total, head.thread);
}

// Writes a record that MayPack accepts.
[[gnu::always_inline]] inline void Place(ThreadCursor& cursor, const void* record, size_t bytes,
                                         const char* text, size_t text_bytes) {
  char* const at = cursor.at;
  const uint64_t head = LoadWord(record);
  const auto type = static_cast<uint16_t>(head);
  const auto thread = static_cast<uint32_t>(head >> 32);
  const size_t total = bytes + text_bytes;
  const uint32_t number = KeyNumber(type, total / 8);
  size_t used = total;
  uint16_t stored = type;
  const char* key = cursor.end - kChunkBytes + size_t{cursor.keys[number]} * 8;
  // The type and the size are in the lower half of the word.
  if (cursor.keys[number] != 0 && static_cast<uint32_t>(LoadWord(key)) ==
                                      (type | static_cast<uint32_t>(total / 8) << 16)) [[likely]] {
    Packer packer(at);
    for (size_t i = 8; i < bytes; i += 8) {
      packer.Add(LoadWord(static_cast<const char*>(record) + i), LoadWord(key + i));
    }
    key += bytes;
    for (size_t i = 0; i < text_bytes; i += 8) packer.Add(LoadWord(text + i), LoadWord(key + i));
    used = packer.Finish();
    stored = static_cast<uint16_t>(type | kPackedBit | number << kKeyShift);
  }
  if (used >= total) {
    CopyWords(at + sizeof(RecordHeader), static_cast<const char*>(record) + sizeof(RecordHeader),
              bytes - sizeof(RecordHeader));
    CopyWords(at + bytes, text, text_bytes);
    memset(at + total, 0, kPackSlack);  // clears the bytes of a packing that was not used
    BecomeKey(cursor, at, number);
    used = total;
    stored = type;
  }
  cursor.at = at + used;
  Commit(at, stored, used, thread);
  // Prefetches the memory of the next records. Otherwise a thread that waits for these stores would
  // wait for memory.
  __builtin_prefetch(at + used + kAhead, 1);
  __builtin_prefetch(at + used + kAhead + 64, 1);
}

// Raises the mark in the segment's header: a reader looks only at the chunks below it.
void MarkHandedOut(char* segment, uint32_t index) {
  std::atomic<uint32_t>& mark = reinterpret_cast<SegmentHeader*>(segment)->next_chunk;
  uint32_t before = mark.load(std::memory_order_relaxed);
  while (before <= index &&
         !mark.compare_exchange_weak(before, index + 1, std::memory_order_release,
                                     std::memory_order_relaxed)) {
  }
}

void OnForkChild() {
  g_epoch.store(++g_last_epoch, std::memory_order_relaxed);
  ThreadNames::OnForkInChild();
}

// Registers the handlers for thread exit and fork, once per process.
Status SetUpProcess(void (*on_thread_exit)(void*)) {
  MutexLock lock(g_setup_mutex);
  int error = 0;
  if (!g_set_up) {
    error = pthread_key_create(&g_exit_key, on_thread_exit);
    if (error == 0) error = pthread_atfork(nullptr, nullptr, OnForkChild);
    // Linux before 4.14 lacks MADV_WIPEONFORK: then only the fork handlers tell that this is a
    // child.
    (void)madvise(&g_epoch_page, sizeof g_epoch_page, MADV_WIPEONFORK);
    g_epoch.store(++g_last_epoch, std::memory_order_relaxed);
    g_set_up = error == 0;
  }
  if (error != 0) return Status::ErrnoError(error, "cannot watch for thread exit and fork");
  return Status::Ok();
}

bool OnlyThread() {
  ProcessStat stat;
  return ReadProcessStat(0, &stat) && stat.threads == 1;
}

void WakeAll(const void* word) { syscall(SYS_futex, word, FUTEX_WAKE, INT32_MAX, 0, 0, 0); }

}  // namespace

bool Writer::NoticeFork() {
  if (!g_set_up || g_epoch.load(std::memory_order_relaxed) != 0) return false;
  OnForkChild();
  return true;
}

Status Writer::Open(const WriterOptions& options) {
  if (state_.load(std::memory_order_relaxed) != State::kClosed) {
    return Status::Error("the spool is already open");
  }
  RTL_TRY(SetUpProcess(&Writer::OnThreadExit));
  const uint64_t segments = options.limit_bytes / kSegmentBytes;
  limit_chunks_ = (segments < 2 ? 2 : segments) * kDataChunks;
  room_wait_ns_ = options.room_wait_ns;
  epoch_ = g_epoch.load(std::memory_order_relaxed);
  id_ = g_next_id.fetch_add(1, std::memory_order_relaxed) + 1;
  if (const Status opened = OpenFiles(options); !opened.ok()) {
    if (options.tell_reader && !is_open()) {
      ProcessInfo info = options.process;
      DescribeThisProcess(&info);
      overflow_ = JoinOverflow(options.directory, info, opened.message());
    }
    return opened;
  }
  // If the process has other threads, this call would make the application wait, so Maintain does
  // it later.
  if (OnlyThread() || process_barrier::Pass()) MakeWritesCheap();
  ThreadNames::Watch();
  state_.store(State::kRunning, std::memory_order_release);
  return Status::Ok();
}

// Writes the names of new threads. `all`: the names of every thread that lives now.
void Writer::WriteThreadNames(bool all) {
  const auto tell = [](void* self, uint32_t thread, const char* name) {
    NameRecord record;
    record.head = {RecordType::kName, 0, thread};
    record.time = BootTimeNs();
    record.target = thread;
    record.what = Named::kThreadInKernel;
    record.text_bytes = static_cast<uint32_t>(strlen(name));
    return static_cast<Writer*>(self)->Write(&record, sizeof record, name, record.text_bytes);
  };
  ThreadNames::Visit(all, tell, this);
}

void Writer::MakeWritesCheap() {
  if (fence_tried_) return;
  fence_tried_ = true;
  if (!process_barrier::Register()) return;
  Fence before = Fence::kWrite;
  (void)fence_.compare_exchange_strong(before, Fence::kFinish, std::memory_order_seq_cst);
}

bool Writer::Running() const {
  return state_.load(std::memory_order_relaxed) == State::kRunning &&
         g_epoch.load(std::memory_order_relaxed) == epoch_;
}

bool Writer::WriteInChunk(ThreadCursor& cursor, const void* record, size_t bytes, const char* text,
                          size_t text_bytes) {
  if (!Running()) return false;
  const size_t total = (bytes + text_bytes + 7) & ~size_t{7};
  if (cursor.writer != id_ || static_cast<size_t>(cursor.end - cursor.at) < total) [[unlikely]] {
    if (!NextChunk(cursor, total)) return false;
  }
  ChunkHeader* chunk = ChunkOf(cursor);
  if (fence_.load(std::memory_order_relaxed) == Fence::kFinish) [[likely]] {
    chunk->state.store(ChunkState::kBusy, std::memory_order_relaxed);
    std::atomic_signal_fence(std::memory_order_seq_cst);  // (B) Finish turns it into a full fence
  } else {
    chunk->state.exchange(ChunkState::kBusy, std::memory_order_seq_cst);
  }
  const bool running = state_.load(std::memory_order_seq_cst) == State::kRunning;
  if (running) [[likely]] {
    if (MayPack(cursor, bytes, text_bytes)) {
      Place(cursor, record, bytes, text, text_bytes);
    } else {
      PlaceWhole(cursor, record, bytes, text, text_bytes);
    }
  }
  chunk->state.store(ChunkState::kOpen, std::memory_order_release);  // pairs with WaitForWrites
  return running;
}

// HOT: once per record, on any thread. Records of whole words that fit into the thread's chunk are
// written here without a call; WriteAny writes all others.
bool Writer::Write(const void* record, size_t bytes, const char* text, size_t text_bytes) {
  ThreadCursor& cursor = t_cursor;
  const bool fits = cursor.writer == id_ && MayPack(cursor, bytes, text_bytes);
  const bool cheap = fence_.load(std::memory_order_relaxed) == Fence::kFinish &&
                     g_epoch.load(std::memory_order_relaxed) == epoch_;
  if (cursor.busy != 0 || !fits || !cheap) [[unlikely]]
    return WriteAny(record, bytes, text, text_bytes);
  Set(cursor.busy, kInside);
  ChunkHeader* const chunk = ChunkOf(cursor);
  // A signal handler after this point sees `busy`. Finish turns (B) into a full fence.
  std::atomic_signal_fence(std::memory_order_seq_cst);
  chunk->state.store(ChunkState::kBusy, std::memory_order_relaxed);
  std::atomic_signal_fence(std::memory_order_seq_cst);  // (B)
  const bool running = state_.load(std::memory_order_seq_cst) == State::kRunning;
  if (running) [[likely]] {
    Place(cursor, record, bytes, text, text_bytes);
  }
  chunk->state.store(ChunkState::kOpen, std::memory_order_release);  // pairs with WaitForWrites
  std::atomic_signal_fence(std::memory_order_seq_cst);
  Clear(cursor.busy, kInside);
  if (cursor.busy != 0) [[unlikely]]
    FinishInterrupted(cursor);
  return running;
}

[[gnu::noinline]] bool Writer::WriteAny(const void* record, size_t bytes, const char* text,
                                        size_t text_bytes) {
  ThreadCursor& cursor = t_cursor;
  if ((cursor.busy & kInside) != 0) return Defer(record, bytes, text, text_bytes);
  Set(cursor.busy, kInside);
  // a signal handler after this point sees `busy`
  std::atomic_signal_fence(std::memory_order_seq_cst);
  const bool written =
      WriteDeferred(cursor) && WriteInChunk(cursor, record, bytes, text, text_bytes);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  Clear(cursor.busy, kInside);
  if (cursor.busy != 0) [[unlikely]]
    FinishInterrupted(cursor);
  return written;
}

// Called in a signal handler that interrupted a write of this thread: keeps the record.
bool Writer::Defer(const void* record, size_t bytes, const char* text, size_t text_bytes) {
  if (!Running()) return false;
  if (!DeferredRecords::Keep(id_, ThreadId::Current(), record, bytes, text, text_bytes)) {
    NoteFull(FullBecause::kManyHandlers);
    return false;
  }
  Set(t_cursor.busy, kDeferred);
  return true;
}

// Writes the records that handlers have left. False if there is no room; the rest must still be
// written before any other record.
bool Writer::WriteDeferred(ThreadCursor& cursor) {
  while ((cursor.busy & kDeferred) != 0) {
    Clear(cursor.busy, kDeferred);
    const uint32_t thread = ThreadId::Current();
    while (DeferredRecords::Entry* const entry = DeferredRecords::Oldest(id_, thread)) {
      const char* const text = entry->record() + entry->record_bytes;
      if (!WriteInChunk(cursor, entry->record(), entry->record_bytes, text, entry->text_bytes)) {
        Set(cursor.busy, kDeferred);
        return false;
      }
      DeferredRecords::Free(entry);
    }
  }
  return true;
}

// Called after a write during which signal handlers have left records.
[[gnu::cold]] void Writer::FinishInterrupted(ThreadCursor& cursor) {
  bool written = true;
  while (written && cursor.busy == kDeferred) {
    Set(cursor.busy, kInside);
    std::atomic_signal_fence(std::memory_order_seq_cst);
    written = WriteDeferred(cursor);
    std::atomic_signal_fence(std::memory_order_seq_cst);
    Clear(cursor.busy, kInside);
  }
}

// Drops the kept records, which were counted as recorded.
void Writer::DropDeferred() {
  while (DeferredRecords::Entry* const entry = DeferredRecords::Any(id_)) {
    if (entry->Begins()) {
      CountRecorded(EventKind::kMarker, UINT64_MAX);  // subtracts one: the counters wrap around
      CountLoss(EventKind::kMarker, Loss::kSpoolFull, 1);
    }
    DeferredRecords::Free(entry);
  }
}

void Writer::CountSubmitted(EventKind kind, uint64_t events) {
  ControlPage* page = control();
  if (page == nullptr) {
    std::atomic<uint64_t>* const submitted = SubmittedCounter(kind);
    if (submitted != nullptr) submitted->fetch_add(events, std::memory_order_relaxed);
    return;
  }
  if (page->writer_state.load(std::memory_order_relaxed) == WriterState::kFinished) return;
  page->submitted[static_cast<size_t>(kind)].fetch_add(events, std::memory_order_relaxed);
}

void Writer::CountRecorded(EventKind kind, uint64_t events) {
  ControlPage* page = control();
  if (page == nullptr) return;
  if (page->writer_state.load(std::memory_order_relaxed) == WriterState::kFinished) return;
  page->recorded[static_cast<size_t>(kind)].fetch_add(events, std::memory_order_relaxed);
}

void Writer::CountLoss(EventKind kind, Loss why, uint64_t events) {
  ControlPage* page = control();
  if (page == nullptr) return;
  if (page->writer_state.load(std::memory_order_relaxed) == WriterState::kFinished) return;
  const bool forked = g_epoch.load(std::memory_order_relaxed) != epoch_;
  // writes of the child itself are refused
  if (forked && why == Loss::kSpoolFull) why = Loss::kForked;
  page->losses[static_cast<size_t>(kind)][static_cast<size_t>(why)].fetch_add(
      events, std::memory_order_relaxed);
}

std::atomic<uint64_t>* Writer::SubmittedCounter(EventKind kind) {
  if (ControlPage* const page = control()) return page->submitted.shared(kind);
  return overflow_ == nullptr ? nullptr : &overflow_->submitted[static_cast<size_t>(kind)];
}

ProcessInfo* Writer::process() {
  if (ControlPage* const page = control()) return &page->process;
  return overflow_ == nullptr ? nullptr : &overflow_->process;
}

bool Writer::Abandoned() const {
  const ControlPage* page = control();
  return page != nullptr &&
         page->collector_state.load(std::memory_order_acquire) == CollectorState::kAbandoned;
}

void Writer::CloseChunk(ThreadCursor& cursor) {
  if (cursor.writer == 0) return;
  const bool ours = cursor.writer == id_;
  ChunkHeader* chunk = ChunkOf(cursor);
  Slot& slot = slots_[cursor.slot];
  cursor.at = nullptr;
  cursor.end = nullptr;
  cursor.writer = 0;
  // the chunk belongs to another Writer, which may be destroyed; the Finish of that Writer reports
  // the chunk
  if (!ours) return;
  chunk->state.store(ChunkState::kClosed, std::memory_order_release);
  // (C) no thread touches the chunk after this
  slot.closed.fetch_add(1, std::memory_order_release);
}

// Called when the thread has no chunk of this Writer, or when the record does not fit into the rest
// of its chunk.
bool Writer::NextChunk(ThreadCursor& cursor, size_t bytes) {
  if (bytes > kChunkBytes - sizeof(ChunkHeader)) return false;
  const bool goes_on = cursor.writer == id_;  // it has filled a chunk, so it may fill the next one
  CloseChunk(cursor);
  RTL_SCHED_POINT("spool.closed");
  if (Abandoned()) return false;
  const int error_number = errno;  // the application's
  uint32_t index = 0;
  Slot* slot = ClaimChunk(&index);
  if (slot == nullptr && room_wait_ns_ != 0) slot = WaitForChunk(&index);
  if (slot != nullptr && goes_on) PopulateChunk(*slot, index);
  errno = error_number;
  if (slot == nullptr) return false;
  waited_in_vain_.store(false, std::memory_order_relaxed);
  // The base of the slot was written before `next` was reset, and stays until this chunk is closed.
  char* start = slot->base + size_t{index} * kChunkBytes;
  auto* chunk = reinterpret_cast<ChunkHeader*>(start);
  chunk->thread = static_cast<uint32_t>(syscall(SYS_gettid));
  chunk->state.store(ChunkState::kOpen, std::memory_order_release);
  MarkHandedOut(slot->base, index);
  cursor.at = start + sizeof(ChunkHeader);
  cursor.end = start + kChunkBytes;
  cursor.writer = id_;
  cursor.slot = static_cast<uint16_t>(slot - slots_);
  memset(cursor.keys, 0, sizeof cursor.keys);
  // If this fails, the chunk stays open until Finish, which is harmless.
  (void)pthread_setspecific(g_exit_key, this);
  return true;
}

void Writer::DiscardChunk(Slot& slot, uint32_t index) {
  auto* chunk = reinterpret_cast<ChunkHeader*>(slot.base + size_t{index} * kChunkBytes);
  chunk->state.store(ChunkState::kClosed, std::memory_order_release);
  MarkHandedOut(slot.base, index);
  slot.closed.fetch_add(1, std::memory_order_release);
}

Writer::Slot* Writer::ClaimChunk(uint32_t* index) {
  for (;;) {
    Slot* slot = current_.load(std::memory_order_acquire);
    if (slot->next.load(std::memory_order_relaxed) < ChunksOf(*slot)) {
      RTL_SCHED_POINT("spool.claim");
      *index = slot->next.fetch_add(1, std::memory_order_seq_cst);  // pairs with (D), WaitForWrites
      RTL_SCHED_POINT("spool.claimed");
      if (*index < ChunksOf(*slot)) {
        // The chunks of a thread must have the order of their segments. The claimed slot may have
        // been reused meanwhile for an unfinished segment or for the spare one. Other threads then
        // continue in an older segment, and this thread must do so, too.
        if (slot != current_.load(std::memory_order_acquire)) {
          DiscardChunk(*slot, *index);
          continue;
        }
        return slot;
      }
    }
    if (!AdvanceSegment(slot)) return nullptr;
  }
}

// Waits for a chunk, because the collector is behind or the disk is full.
Writer::Slot* Writer::WaitForChunk(uint32_t* index) {
  if (waited_in_vain_.load(std::memory_order_relaxed)) return nullptr;
  const uint64_t deadline = BootTimeNs() + room_wait_ns_;
  while (Running() && !Abandoned()) {
    Nap(kRoomStepNs);
    if (Slot* const slot = ClaimChunk(index)) return slot;
    if (BootTimeNs() >= deadline) {
      waited_in_vain_.store(true, std::memory_order_relaxed);
      break;
    }
  }
  return nullptr;
}

void Writer::OnThreadExit(void* writer) {
  ThreadCursor& cursor = t_cursor;
  auto* self = static_cast<Writer*>(writer);
  if (cursor.writer == self->id_ && self->Running()) self->CloseChunk(cursor);
}

// After this call no thread is between (B) and the end of its write, or the limit has passed.
void Writer::WaitForWrites() {
  if (fence_.exchange(Fence::kFinal, std::memory_order_seq_cst) == Fence::kFinish) {
    (void)process_barrier::Pass();
  }
  const uint64_t deadline = BootTimeNs() + kFinishWaitNs;
  MutexLock lock(mutex_);
  for (Slot& slot : slots_) {
    if (slot.base == nullptr) continue;
    // A thread that takes a later chunk sees that the spool is finished.
    const uint32_t handed_out = slot.next.load(std::memory_order_seq_cst);
    for (size_t i = 1; i < ChunksOf(slot) && i < handed_out; ++i) {
      auto* chunk = reinterpret_cast<ChunkHeader*>(slot.base + i * kChunkBytes);
      while (chunk->state.load(std::memory_order_acquire) == ChunkState::kBusy &&
             BootTimeNs() < deadline) {
        Nap(50'000);
      }
    }
  }
}

void Writer::Release() {
  if (state_.load(std::memory_order_relaxed) != State::kFinished) return;
  const MutexLock lock(mutex_);
  for (Slot& slot : slots_) {
    // Not every file system can do this; then the memory is freed when the process ends.
    if (slot.base != nullptr)
      (void)madvise(slot.base, size_t{ChunksOf(slot)} * kChunkBytes, MADV_REMOVE);
  }
}

void Writer::NoteEnd() {
  if (!is_open() || g_epoch.load(std::memory_order_relaxed) != epoch_) return;
  if (Running() && (t_cursor.busy & kInside) == 0) WriteThreadNames(true);
  control()->finished.store(BootTimeNs(), std::memory_order_relaxed);
}

void Writer::Finish() {
  if (g_epoch.load(std::memory_order_relaxed) != epoch_) return;
  if (Running() && (t_cursor.busy & kInside) == 0) WriteThreadNames(true);
  const bool counted = counts_only();
  State running = counted ? State::kClosed : State::kRunning;
  if (!state_.compare_exchange_strong(running, State::kFinished, std::memory_order_seq_cst)) return;
  if (!is_open()) return;
  // If this thread is busy, a signal handler has interrupted its write and now ends the process.
  // The write will not continue, and this thread may hold the lock already.
  if ((t_cursor.busy & kInside) == 0 && !counted) {
    CloseChunk(t_cursor);
    WaitForWrites();
  }
  DropDeferred();
  ControlPage* page = control();
  page->finished.store(BootTimeNs(), std::memory_order_relaxed);
  page->writer_state.store(WriterState::kFinished, std::memory_order_release);
  WakeAll(&page->writer_state);
}

bool Writer::WaitCollected(uint64_t limit_ns) const {
  const ControlPage* page = control();
  if (page == nullptr) return false;
  const uint64_t deadline = BootTimeNs() + limit_ns;
  for (;;) {
    const CollectorState state = page->collector_state.load(std::memory_order_acquire);
    if (state == CollectorState::kDone || state == CollectorState::kRead) return true;
    if (state == CollectorState::kAbandoned) return false;
    const uint64_t now = BootTimeNs();
    if (now >= deadline) return false;
    const uint64_t left = deadline - now;
    const timespec step = {0, static_cast<long>(left < kWaitStepNs ? left : kWaitStepNs)};
    // Whatever ended the wait (a wake-up, a changed word, a timeout, a signal), the loop checks the
    // state again.
    (void)syscall(SYS_futex, &page->collector_state, FUTEX_WAIT, state, &step, nullptr, 0);
  }
}

}  // namespace rtl::spool
