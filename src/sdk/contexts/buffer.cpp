// SPDX-License-Identifier: MIT
#include "sdk/contexts/buffer.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/clock.h"
#include "base/environment.h"
#include "base/sched_point.h"
#include "sdk/contexts/callback_thread.h"

namespace rtl::sdk {
namespace {

constexpr size_t kPage = 4096;
constexpr size_t kSmallestRecord = 32;
constexpr uint64_t kFlushLimitNs = 10'000'000'000;
constexpr uint64_t kCommitLimitNs = 1'000'000'000;
constexpr size_t kMapped = size_t{64} << 10;  // chunks below this size come from the heap
constexpr size_t kAhead = 256;                // bytes to prefetch before they are written

// Returns zeroed memory. A large block of the heap may have been used before, and the application's
// thread would have to clear it, so large blocks are mapped.
char* TakeZeroed(size_t bytes) {
  if (bytes < kMapped) return static_cast<char*>(calloc(1, bytes));
  void* const memory =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? nullptr : static_cast<char*>(memory);
}

void GiveBack(char* memory, size_t bytes) {
  if (bytes < kMapped) return free(memory);
  (void)munmap(memory, bytes);  // cannot fail for a mapping made here
}

bool Strict() {
  const char* const value = EnvironmentValue("RTL_STRICT");
  return value != nullptr && strcmp(value, "1") == 0;
}

std::atomic_ref<uint64_t> CommitWord(char* record) {
  return std::atomic_ref<uint64_t>(*reinterpret_cast<uint64_t*>(record));
}

// Returns the size of the record at this address, when its thread has committed it; the thread may
// be preempted while it writes the record. Zero if it is not committed within `limit_ns`.
uint64_t AwaitCommit(char* record, uint64_t limit_ns) {
  constexpr int kSpins = 100;
  for (int i = 0; i < kSpins; ++i) {
    const uint64_t size = CommitWord(record).load(std::memory_order_acquire);  // pairs with (C)
    if (size != 0) return size;
    __builtin_ia32_pause();
  }
  const uint64_t start = BootTimeNs();
  uint64_t size = 0;
  while (size == 0 && BootTimeNs() - start < limit_ns) {
    Nap(20'000);
    size = CommitWord(record).load(std::memory_order_acquire);  // pairs with (C)
  }
  return size;
}

}  // namespace

bool Buffer::Open(const Options& options, CallbackThread* thread) {
  options_ = options;
  options_.size = (options.size + kPage - 1) / kPage * kPage;
  thread_ = thread;
  most_headers_ = options_.size / kSmallestRecord;
  headers_ = static_cast<rocprofiler_record_header_t*>(
      malloc(most_headers_ * (sizeof *headers_ + sizeof(void*))));
  if (headers_ == nullptr) return false;
  pointers_ = reinterpret_cast<rocprofiler_record_header_t**>(headers_ + most_headers_);
  bool made;
  {
    const MutexLock lock(mutex_);
    made = NewChunk() != nullptr;
  }
  open_.store(made, std::memory_order_release);  // publishes options_
  return made;
}

// Begins to fill another chunk and closes the one before.
Buffer::Chunk* Buffer::NewChunk() {
  Chunk* chunk = spare_;
  spare_ = nullptr;
  if (chunk == nullptr) {
    if (chunk_bytes_ != 0 && chunk_bytes_ + options_.size > kMostBytes) return nullptr;
    chunk = static_cast<Chunk*>(malloc(sizeof(Chunk)));
    char* const bytes = chunk == nullptr ? nullptr : TakeZeroed(options_.size);
    if (bytes == nullptr) {
      free(chunk);
      return nullptr;
    }
    chunk->bytes = bytes;
    chunk_bytes_ += options_.size;
  }
  chunk->next = nullptr;
  chunk->used = chunk->handed = 0;
  CloseFilling();
  (last_ == nullptr ? first_ : last_->next) = chunk;
  last_ = chunk;
  // (B) stored after the number has changed
  filling_.store(chunk->bytes, std::memory_order_release);
  room_.store(NumberOf(room_.load(std::memory_order_relaxed)) << kOffsetBits,
              std::memory_order_release);  // (A)
  return chunk;
}

// Closes the chunk that is being filled: no thread reserves room in it after this. Room that is
// reserved may not be written yet.
void Buffer::CloseFilling() {
  const uint64_t next = NumberOf(room_.load(std::memory_order_relaxed)) + 1;
  const uint64_t room = room_.exchange(next << kOffsetBits | kNoRoom, std::memory_order_acq_rel);
  if (last_ != nullptr) last_->used = OffsetOf(room);
}

// Closes the chunk that is being filled, and takes all chunks with records out, oldest first.
Buffer::Chunk* Buffer::TakeAll() {
  CloseFilling();
  Chunk* list = first_;
  if (late_ != nullptr) {
    Chunk* last = late_;
    while (last->next != nullptr) last = last->next;
    last->next = list;
    list = late_;
  }
  first_ = last_ = late_ = nullptr;
  return list;
}

// Called when the chunk `seen` has no room: begins another one. False if no chunk is available; the
// record is then counted as dropped.
[[gnu::cold]] bool Buffer::MakeRoom(uint64_t seen, size_t bytes) {
  bool first;
  {
    const MutexLock lock(mutex_);
    if (!open()) return false;
    if (NumberOf(room_.load(std::memory_order_relaxed)) != NumberOf(seen)) return true;
    first = last_ == nullptr;
    const bool may = bytes <= options_.size && (first || options_.lossless);
    if (!may || NewChunk() == nullptr) {
      CountDropped(1);
      return false;
    }
  }
  if (!first) Ask();
  return true;
}

// HOT: once per record, on the application's thread.
void Buffer::AppendBytes(const void* record, size_t bytes) {
  for (;;) {
    uint64_t room = room_.load(std::memory_order_acquire);  // pairs with (A)
    const uint64_t offset = OffsetOf(room);
    if (offset + bytes > options_.size) [[unlikely]] {
      if (!MakeRoom(room, bytes)) return;
      continue;
    }
    // If the chunk has changed, the exchange below fails.
    char* const place = filling_.load(std::memory_order_acquire) + offset;  // pairs with (B)
    RTL_SCHED_POINT("buffer.room");
    if (!room_.compare_exchange_weak(room, room + bytes / kUnit, std::memory_order_relaxed))
      continue;
    RTL_SCHED_POINT("buffer.taken");
    __builtin_prefetch(place + kAhead, 1);
    memcpy(place + sizeof(uint64_t), static_cast<const char*>(record) + sizeof(uint64_t),
           bytes - sizeof(uint64_t));
    CommitWord(place).store(bytes, std::memory_order_release);  // (C)
    if (offset + bytes >= options_.watermark) [[unlikely]]
      Ask();
    return;
  }
}

// Requests a delivery. Deliver clears the request before it takes the records, so a thread whose
// record was not taken sees the cleared request.
void Buffer::Ask() {
  if (asked_.load(std::memory_order_relaxed)) return;
  if (!asked_.exchange(true, std::memory_order_acq_rel)) thread_->Ask(this);
}

void Buffer::Deliver() {
  // records that come later request another delivery
  asked_.store(false, std::memory_order_release);
  Chunk* list;
  {
    const MutexLock lock(mutex_);
    if (!open()) return;
    list = TakeAll();
    in_callback_ = true;
  }
  RTL_SCHED_POINT("buffer.closed");
  uint64_t dropped = dropped_.exchange(0, std::memory_order_relaxed);
  Chunk* left = list;
  while (left != nullptr && HandOut(left, &dropped)) left = left->next;
  if (dropped != 0) {  // losses remain, and no record has arrived since the last delivery
    rocprofiler_record_header_t* none[1] = {};
    options_.callback(options_.context, options_.id, none, 0, options_.data, dropped);
  }
  {
    const MutexLock lock(mutex_);
    late_ = left;
  }
  Release(list, left);
}

// Passes the chunk's records to the tool, together with the losses if there is a record. False if a
// thread is stalled in the middle of a record, so the start of the next record is unknown.
bool Buffer::HandOut(Chunk* chunk, uint64_t* dropped) {
  size_t count = 0;
  bool whole = true;
  const auto call = [&] {
    options_.callback(options_.context, options_.id, pointers_, count, options_.data, *dropped);
    if (Strict()) {  // a tool that keeps pointers then fails at once and reproducibly
      memset(headers_, kPoison, count * sizeof *headers_);
      memset(pointers_, kPoison, count * sizeof(void*));
    }
    *dropped = count = 0;
  };
  while (chunk->handed < chunk->used) {
    char* const record = chunk->bytes + chunk->handed;
    const uint64_t size = AwaitCommit(record, kCommitLimitNs);
    if (size == 0) {
      whole = false;
      break;
    }
    chunk->handed += size;
    RecordHead head;
    memcpy(&head, record, sizeof head);
    rocprofiler_record_header_t& header = headers_[count];
    const bool enveloped = (head.kind & (kCounterRecord | kSampleRecord)) != 0;
    header.category = (head.kind & kCounterRecord) != 0  ? ROCPROFILER_BUFFER_CATEGORY_COUNTERS
                      : (head.kind & kSampleRecord) != 0 ? ROCPROFILER_BUFFER_CATEGORY_PC_SAMPLING
                                                         : ROCPROFILER_BUFFER_CATEGORY_TRACING;
    header.kind = head.kind & ~(kCounterRecord | kSampleRecord);
    header.payload = enveloped ? record + 2 * kUnit : record;
    pointers_[count] = &header;
    if (++count == most_headers_) call();
  }
  if (count != 0) call();
  return whole;
}

// Called after the callback. Keeps one chunk as a spare and clears it here, because clearing it
// when it is needed would take the application's time.
void Buffer::Release(Chunk* list, const Chunk* end) {
  size_t given_back = 0;
  while (list != end) {
    Chunk* const next = list->next;
    if (!MakeSpare(list)) {
      GiveBack(list->bytes, options_.size);
      free(list);
      given_back += options_.size;
    }
    list = next;
  }
  const MutexLock lock(mutex_);
  chunk_bytes_ -= given_back;
  in_callback_ = false;
}

// Clears the chunk and keeps it as the spare. False if a spare exists already.
bool Buffer::MakeSpare(Chunk* chunk) {
  {
    const MutexLock lock(mutex_);
    if (spare_ != nullptr) return false;
  }
  memset(chunk->bytes, 0, chunk->used);
  chunk->used = chunk->handed = 0;
  const MutexLock lock(mutex_);
  spare_ = chunk;
  return true;
}

rocprofiler_status_t Buffer::Flush() {
  if (!open()) return ROCPROFILER_STATUS_ERROR_BUFFER_NOT_FOUND;
  return thread_->AskAndWait(this, kFlushLimitNs) ? ROCPROFILER_STATUS_SUCCESS
                                                  : ROCPROFILER_STATUS_ERROR_BUFFER_BUSY;
}

uint64_t Buffer::Waiting() {
  const MutexLock lock(mutex_);
  CloseFilling();
  uint64_t records = 0;
  for (const Chunk* const list : {late_, first_}) {
    for (const Chunk* chunk = list; chunk != nullptr; chunk = chunk->next) {
      uint64_t size = 0;
      for (size_t at = chunk->handed; at < chunk->used; at += size) {
        size = CommitWord(chunk->bytes + at).load(std::memory_order_acquire);  // pairs with (C)
        if (size == 0) break;
        ++records;
      }
    }
  }
  return records;
}

rocprofiler_status_t Buffer::Destroy() {
  Chunk* list;
  {
    const MutexLock lock(mutex_);
    if (!open()) return ROCPROFILER_STATUS_ERROR_BUFFER_NOT_FOUND;
    if (in_callback_) return ROCPROFILER_STATUS_ERROR_BUFFER_BUSY;
    // under the lock, because MakeRoom and Deliver read it there
    open_.store(false, std::memory_order_release);
    list = TakeAll();
    if (spare_ != nullptr) {
      spare_->next = list;
      list = spare_;
    }
    spare_ = nullptr;
  }
  while (list != nullptr) {
    Chunk* const next = list->next;
    size_t at = list->handed;
    for (uint64_t size = 1; at < list->used && size != 0; at += size)
      size = AwaitCommit(list->bytes + at, kCommitLimitNs);
    // Otherwise the memory is not freed, because a thread may still write there.
    if (at >= list->used) GiveBack(list->bytes, options_.size);
    free(list);
    list = next;
  }
  free(headers_);
  return ROCPROFILER_STATUS_SUCCESS;
}

}  // namespace rtl::sdk
