// SPDX-License-Identifier: MIT
// The part of Writer that is rarely called: files, mappings, and the segments that are ready for
// use.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "base/clock.h"
#include "base/files_apart.h"
#include "base/sched_point.h"
#include "base/text.h"
#include "base/unique_fd.h"
#include "spool/overflow.h"
#include "spool/process_stat.h"
#include "spool/writer.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

namespace rtl::spool {
namespace {

constexpr char kSpareSuffix[] = ".spare";  // suffix of a segment's file before it has a number
constexpr uint64_t kRetryNs = 10'000'000;  // pause after a segment could not be made
constexpr uint32_t kPopulateAhead = 16;    // chunks that Maintain keeps pre-faulted
// few, so that a program that ends soon does not pay for more
constexpr uint32_t kPopulateAtFirst = 2;
// a spare is made when fewer chunks are left in the segment
constexpr uint32_t kSpareBelow = 32;
constexpr uint32_t kSpareBelowAtFirst = 4;

Status CheckDirectory(const char* directory) {
  struct stat info;
  if (stat(directory, &info) != 0) {
    return Status::ErrnoError(errno, "cannot use the spool directory %s", directory);
  }
  if (!S_ISDIR(info.st_mode)) return Status::Error("%s is not a directory", directory);
  if (info.st_uid != geteuid() || (info.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
    return Status::Error("the spool directory %s must belong to this user alone", directory);
  }
  return Status::Ok();
}

}  // namespace

void Writer::FormatPath(char* out, size_t capacity, const char* suffix) const {
  snprintf(out, capacity, "%s/%s%s", directory_, stem_, suffix);
}

Status Writer::MapNewFile(int fd, const char* path, size_t bytes, char** out) {
  int error = WriteZeros(fd, 0, bytes);
  if (error == 0) {
    void* map = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (map != MAP_FAILED) {
      *out = static_cast<char*>(map);
      return Status::Ok();
    }
    error = errno;
  }
  // the file was made here and is empty; if it stays, the collector's Remove deletes it
  (void)unlink(path);
  NoteFull(error);
  if (error == EFBIG)
    return Status::Error("cannot reserve %zu bytes for %s: limit of file sizes (ulimit -f)", bytes,
                         path);
  return Status::ErrnoError(error, "cannot reserve %zu bytes for %s", bytes, path);
}

Status Writer::MapFile(const char* path, int flags, size_t bytes, char** out) {
  Status made = Status::Ok();
  FilesApart([&] {
    const UniqueFd fd(open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | flags, 0600));
    if (fd.valid()) {
      made = MapNewFile(fd.get(), path, bytes, out);
    } else {
      NoteFull(errno);
      made = Status::ErrnoError(errno, "cannot create %s", path);
    }
  });
  return made;
}

// There may be no control page, because it is what could not be made.
void Writer::NoteFull(int32_t because) {
  ControlPage* const page = control();
  if (page == nullptr) return;
  page->full_because.store(because, std::memory_order_relaxed);
}

// Creates the file under the process's own stem, or under the next free one after an exec.
UniqueFd Writer::CreateControlFile(const ProcessInfo& info, char* path, size_t capacity) {
  constexpr int kMostPrograms = 10'000;
  const auto start = static_cast<unsigned long long>(info.start_ticks);
  UniqueFd fd;
  for (int n = 0; n < kMostPrograms; ++n) {
    if (n == 0) {
      snprintf(stem_, sizeof stem_, "%u-%llu", info.pid, start);
    } else {
      snprintf(stem_, sizeof stem_, "%u-%llu-%d", info.pid, start, n);
    }
    FormatPath(path, capacity, ".ctl");
    fd.reset(open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (fd.valid() || errno != EEXIST) break;
  }
  return fd;
}

Status Writer::MakeControlPage(const WriterOptions& options, ControlPage** out, char* path,
                               size_t capacity) {
  if (options.directory == nullptr) return Status::Error("no spool directory given");
  // Absolute, because the application may change its working directory.
  if (realpath(options.directory, directory_) == nullptr) {
    return Status::ErrnoError(errno, "cannot use the spool directory %s", options.directory);
  }
  RTL_TRY(CheckDirectory(directory_));
  ProcessInfo info = options.process;
  DescribeThisProcess(&info);
  char* map = nullptr;
  Status made = Status::Ok();
  FilesApart([&] {
    const UniqueFd fd = CreateControlFile(info, path, capacity);
    made = fd.valid() ? MapNewFile(fd.get(), path, sizeof(ControlPage), &map)
                      : Status::ErrnoError(errno, "cannot create %s", path);
  });
  RTL_TRY(made);
  auto* page = reinterpret_cast<ControlPage*>(map);  // zeros are the initial value of every member
  memcpy(page->magic, kControlMagic, sizeof page->magic);
  page->version = kVersion;
  page->bytes = sizeof(ControlPage);
  page->process = info;
  page->limit_chunks.store(limit_chunks_, std::memory_order_relaxed);
  page->lossless.store(room_wait_ns_ != 0 ? 1 : 0, std::memory_order_relaxed);
  *out = page;
  return Status::Ok();
}

namespace {

void SayRefused(ControlPage* page, const char* why) {
  CopyText(page->refusal, sizeof page->refusal, why);
  page->writer_state.store(WriterState::kRefused, std::memory_order_release);
}

}  // namespace

Status Writer::Refuse(const WriterOptions& options, const char* why) {
  char path[PATH_MAX + 96];
  ControlPage* page = nullptr;
  RTL_TRY(MakeControlPage(options, &page, path, sizeof path));
  SayRefused(page, why);
  (void)munmap(page, sizeof(ControlPage));  // cannot fail for a mapping made here
  return Status::Ok();
}

Status Writer::OpenFiles(const WriterOptions& options) {
  char path[PATH_MAX + 96];
  ControlPage* page = nullptr;
  RTL_TRY(MakeControlPage(options, &page, path, sizeof path));
  control_.store(page, std::memory_order_release);  // (A)
  Slot* first = nullptr;
  const Status made = MakeSegment(&first, nullptr);
  if (!made.ok()) {
    if (options.tell_reader) {  // the page stays, to count what this process sees
      CopyText(page->refusal, sizeof page->refusal, made.message());
      page->writer_state.store(WriterState::kRunning, std::memory_order_release);
      return made;
    }
    // The mapping stays, because a thread may have read its address already.
    control_.store(nullptr, std::memory_order_release);
    (void)unlink(path);
    return made;
  }
  current_.store(first, std::memory_order_release);
  page->writer_state.store(WriterState::kRunning, std::memory_order_release);
  return Status::Ok();
}

// Maps a block and closes the file again, so that no file descriptor of the application is used up.
void* Writer::MapBlock() {
  if (!Running()) return nullptr;
  const uint32_t index = in_flight_blocks_.fetch_add(1, std::memory_order_relaxed);
  if (index >= kMostInFlightBlocks) return nullptr;
  const int error_number = errno;  // the application's
  char path[PATH_MAX + 96];
  FormatPath(path, sizeof path, kInFlightSuffix);
  void* memory = MAP_FAILED;
  FilesApart([&] {
    const UniqueFd fd(open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
    const size_t offset = size_t{index} * kInFlightBlockBytes;
    if (fd.valid() && WriteZeros(fd.get(), offset, kInFlightBlockBytes) == 0) {
      memory = mmap(nullptr, kInFlightBlockBytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd.get(),
                    static_cast<off_t>(offset));
    }
  });
  // MADV_POPULATE_WRITE, because MAP_POPULATE would leave a page fault for the first write to each
  // page. If it fails, these faults happen.
  if (memory != MAP_FAILED) (void)madvise(memory, kInFlightBlockBytes, MADV_POPULATE_WRITE);
  errno = error_number;
  return memory == MAP_FAILED ? nullptr : memory;
}

bool Writer::RoomForSegment() const {
  const ControlPage* page = control();
  const uint64_t made = ChunksIn(page->segments_created.load(std::memory_order_relaxed));
  const uint64_t collected = page->chunks_collected.load(std::memory_order_relaxed);
  const uint64_t outstanding = collected < made ? made - collected : 0;
  return outstanding + kDataChunks <= limit_chunks_;
}

// Returns null if too many segments are open at once.
Writer::Slot* Writer::FreeSlot() {
  for (uint32_t i = 1; i < kSlots; ++i) {
    if (slots_[i].base == nullptr && &slots_[i] != current_.load(std::memory_order_relaxed))
      return &slots_[i];
  }
  return nullptr;
}

// Called under mutex_, or before another thread knows this Writer. `prepared`: null, or a file with
// the size of a segment, which gets the next number.
Status Writer::MakeSegment(Slot** out, const Prepared* prepared) {
  ControlPage* page = control();
  const uint32_t number = page->segments_created.load(std::memory_order_relaxed) + 1;
  Slot* const slot = number == 1 ? slots_ : FreeSlot();
  if (slot == nullptr) return Status::Error("too many segments are open at once");
  char suffix[24];
  snprintf(suffix, sizeof suffix, ".%06u.seg", number);
  char path[PATH_MAX + 96];
  FormatPath(path, sizeof path, suffix);
  char* base = nullptr;
  if (prepared != nullptr) {
    if (rename(prepared->path, path) != 0)
      return Status::ErrnoError(errno, "cannot rename %s", prepared->path);
    base = prepared->base;
  } else {
    RTL_TRY(MapFile(path, O_EXCL, ChunksOf(*slot) * kChunkBytes, &base));
  }

  auto* header = reinterpret_cast<SegmentHeader*>(base);
  memcpy(header->magic, kSegmentMagic, sizeof header->magic);
  header->version = kVersion;
  header->pid = page->process.pid;
  header->start_ticks = page->process.start_ticks;
  header->number = number;
  header->chunks = ChunksOf(*slot);
  header->next_chunk.store(1, std::memory_order_relaxed);
  page->segments_created.store(number, std::memory_order_release);

  slot->base = base;
  slot->populated.store(0, std::memory_order_relaxed);
  slot->closed.store(0, std::memory_order_relaxed);
  slot->next.store(1, std::memory_order_release);  // (D)
  *out = slot;
  return Status::Ok();
}

// Makes the spare segment. The file is written before the lock is taken, because threads of the
// application take the same lock. They may make segments meanwhile; this one is then the next after
// theirs.
Writer::Slot* Writer::MakeSpare() {
  char path[PATH_MAX + 96];
  FormatPath(path, sizeof path, kSpareSuffix);
  // O_TRUNC, because the file may be left over from a failure.
  Prepared prepared = {nullptr, path};
  bool failed = !MapFile(path, O_TRUNC, kSegmentBytes, &prepared.base).ok();
  RTL_SCHED_POINT("spool.prepared");
  Slot* spare = nullptr;
  if (!failed) {
    MutexLock lock(mutex_);  // Finish takes the lock, too, so a finished spool gets no further file
    failed = Running() && RoomForSegment() && !MakeSegment(&spare, &prepared).ok();
    if (!failed) spare_.store(spare, std::memory_order_release);
  }
  if (failed) retry_at_.store(BootTimeNs() + kRetryNs, std::memory_order_relaxed);
  if (spare == nullptr && prepared.base != nullptr) {
    (void)munmap(prepared.base, kSegmentBytes);  // cannot fail for a mapping made here
    (void)unlink(path);
  }
  return spare;
}

// Makes a segment other than `exhausted` the current one, unless another thread has already done
// so. False if no segment is available.
bool Writer::AdvanceSegment(Slot* exhausted) {
  if (spare_.load(std::memory_order_relaxed) == nullptr &&
      current_.load(std::memory_order_relaxed) == exhausted &&
      (!RoomForSegment() || BootTimeNs() < retry_at_.load(std::memory_order_relaxed))) {
    return false;
  }
  MutexLock lock(mutex_);
  if (current_.load(std::memory_order_relaxed) != exhausted) return true;
  Slot* next = spare_.load(std::memory_order_relaxed);
  if (next == nullptr) {
    if (!Running() || !RoomForSegment()) return false;
    if (!MakeSegment(&next, nullptr).ok()) {
      retry_at_.store(BootTimeNs() + kRetryNs, std::memory_order_relaxed);
      return false;
    }
  }
  spare_.store(nullptr, std::memory_order_relaxed);
  RTL_SCHED_POINT("spool.advance");
  current_.store(next, std::memory_order_release);
  return true;
}

void Writer::Populate(Slot& slot) {
  if (!populate_works_) return;
  const uint32_t next = slot.next.load(std::memory_order_relaxed);
  const uint32_t before = slot.populated.load(std::memory_order_relaxed);
  const uint32_t from = next > before ? next : before;
  // The more the trace has grown, the more chunks are pre-faulted.
  const bool young = control()->segments_created.load(std::memory_order_relaxed) == 1;
  uint32_t to =
      next + (young ? std::clamp(next, kPopulateAtFirst, kPopulateAhead) : kPopulateAhead);
  if (to > ChunksOf(slot)) to = ChunksOf(slot);
  if (from >= to) return;
  const int result = madvise(slot.base + size_t{from} * kChunkBytes,
                             size_t{to - from} * kChunkBytes, MADV_POPULATE_WRITE);
  if (result != 0 && errno == EINVAL) populate_works_ = false;  // EINVAL: Linux before 5.14
  slot.populated.store(to, std::memory_order_relaxed);
}

// For a thread that is faster than Maintain. One call for the chunk takes a tenth of the time of a
// fault for each of its pages. If the call fails, these faults happen.
void Writer::PopulateChunk(const Slot& slot, uint32_t index) {
  if (index < slot.populated.load(std::memory_order_relaxed)) return;
  (void)madvise(slot.base + size_t{index} * kChunkBytes, kChunkBytes, MADV_POPULATE_WRITE);
}

void Writer::Maintain() {
  if (!Running()) return;
  MakeWritesCheap();
  Slot* current = nullptr;
  Slot* spare = nullptr;
  bool wanted = false;
  {
    MutexLock lock(mutex_);
    current = current_.load(std::memory_order_relaxed);
    spare = spare_.load(std::memory_order_relaxed);
    for (Slot& slot : slots_) {
      if (slot.base == nullptr) continue;
      const uint32_t chunks = ChunksOf(slot);
      if (slot.closed.load(std::memory_order_acquire) < chunks - 1) continue;  // pairs with (C)
      (void)munmap(slot.base, chunks * kChunkBytes);  // cannot fail for a mapping made here
      slot.base = nullptr;
    }
    const uint32_t next = current->next.load(std::memory_order_relaxed);
    const uint32_t left = current == slots_ ? kSpareBelowAtFirst : kSpareBelow;
    wanted = spare == nullptr && next + left >= ChunksOf(*current) && RoomForSegment() &&
             BootTimeNs() >= retry_at_.load(std::memory_order_relaxed);
  }
  // Outside the lock, so that no thread waits for the disk. Both segments stay mapped, because only
  // this thread unmaps segments.
  if (wanted) spare = MakeSpare();
  Populate(*current);
  if (spare != nullptr) Populate(*spare);
  WriteThreadNames(false);
}

uint32_t Writer::mapped_segments() {
  MutexLock lock(mutex_);
  uint32_t mapped = 0;
  for (const Slot& slot : slots_) mapped += slot.base != nullptr;
  return mapped;
}

}  // namespace rtl::spool
