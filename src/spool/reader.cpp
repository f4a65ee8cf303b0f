// SPDX-License-Identifier: MIT
#include "spool/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/falloc.h>
#include <linux/futex.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>

#include "base/clock.h"
#include "base/sched_point.h"
#include "spool/directory.h"
#include "spool/process_stat.h"

namespace rtl::spool {
namespace {

constexpr size_t kNewSegmentsPerPoll = 64;
constexpr size_t kSurveyBytes = 16 * 1024;
constexpr size_t kFirstBytes = 8 * 1024;
constexpr size_t kFilesKeptOpen = 64;
constexpr uint64_t kReplacedLookNs = 50'000'000;

bool IsCommitted(const char* at) {
  uint64_t head;
  memcpy(&head, at, sizeof head);
  return head != 0;
}

// True if the `available` bytes contain a complete record, or the end of the records.
bool IsComplete(const char* at, size_t available) {
  RecordHeader head;
  if (available < sizeof head) return false;
  memcpy(&head, at, sizeof head);
  return size_t{head.units} * 8 <= available;
}

// Skips the complete records of a chunk from *at on. `is_all`: no further bytes will be read. *more
// is false if a record was found that is not completely written yet. Returns false if a record is
// broken.
bool SkipCommitted(const char* bytes, size_t size, bool is_all, size_t* at, bool* more) {
  while (*at + sizeof(RecordHeader) <= size) {
    if (!IsCommitted(bytes + *at)) {
      *more = false;
      return true;
    }
    RecordHeader head;
    memcpy(&head, bytes + *at, sizeof head);
    if (!is_all && *at + size_t{head.units} * 8 > size) return true;
    const size_t record = size_t{head.units} * 8;
    RecordView view;
    if (IsPacked(head) ? record == 0 || *at + record > size
                       : !CheckRecord(bytes + *at, size - *at, &view)) {
      return false;
    }
    *at += record;
  }
  return true;
}

}  // namespace

ProcessReader::~ProcessReader() {
  if (page_ != nullptr) (void)munmap(page_, sizeof(ControlPage));
}

Status ProcessReader::Open(const std::string& directory, const std::string& stem,
                           bool keep_segments, std::unique_ptr<ProcessReader>* out) {
  std::unique_ptr<ProcessReader> reader(new ProcessReader());
  reader->directory_ = directory;
  reader->stem_ = stem;
  reader->keep_segments_ = keep_segments;
  reader->buffer_.reset(new char[kChunkBytes]);
  RTL_TRY(reader->MapControlPage());
  *out = std::move(reader);
  return Status::Ok();
}

Status ProcessReader::MapControlPage() {
  const std::string path = directory_ + "/" + stem_ + ".ctl";
  struct stat info;
  page_fd_ = OpenOwnFile(path, &info);
  if (!page_fd_.valid()) return Status::ErrnoError(errno, "cannot open %s", path.c_str());
  if (info.st_size != static_cast<off_t>(sizeof(ControlPage))) {
    return Status::Error("%s has %lld bytes instead of %zu", path.c_str(),
                         static_cast<long long>(info.st_size), sizeof(ControlPage));
  }
  void* map =
      mmap(nullptr, sizeof(ControlPage), PROT_READ | PROT_WRITE, MAP_SHARED, page_fd_.get(), 0);
  if (map == MAP_FAILED) return Status::ErrnoError(errno, "cannot map %s", path.c_str());
  page_ = static_cast<ControlPage*>(map);
  const WriterState state = page_->writer_state.load(std::memory_order_acquire);
  if (state != WriterState::kRunning && state != WriterState::kFinished &&
      state != WriterState::kRefused) {
    return Status::Error("%s is not complete", path.c_str());
  }
  if (memcmp(page_->magic, kControlMagic, sizeof page_->magic) != 0) {
    return Status::Error("%s is not a spool's control page", path.c_str());
  }
  if (page_->version != kVersion || page_->bytes != sizeof(ControlPage)) {
    return Status::Error("%s is of format version %u (this program reads version %u)", path.c_str(),
                         page_->version, kVersion);
  }
  CopyProcess();
  return Status::Ok();
}

void ProcessReader::CopyProcess() {
  process_ = Page().process;
  for (char* last :
       {&process_.boot_id[sizeof process_.boot_id - 1], &process_.host[sizeof process_.host - 1],
        &process_.executable[sizeof process_.executable - 1],
        &process_.command[sizeof process_.command - 1], &process_.mode[sizeof process_.mode - 1],
        &process_.loaded_by[sizeof process_.loaded_by - 1],
        &process_.runtime[sizeof process_.runtime - 1],
        &process_.version[sizeof process_.version - 1], &process_.job[sizeof process_.job - 1],
        &process_.mode_reason[sizeof process_.mode_reason - 1]}) {
    *last = '\0';
  }
}

void ProcessReader::RefreshProcess() {
  CheckPage();
  if (lost_page_ != nullptr) return;
  const uint32_t pid = process_.pid;
  const uint64_t start_ticks = process_.start_ticks;
  const uint64_t stack = process_.stack;
  const uint64_t opened = process_.opened;
  CopyProcess();
  process_.pid = pid;
  process_.start_ticks = start_ticks;
  process_.stack = stack;
  process_.opened = opened;
}

std::string ProcessReader::Refusal() {
  CheckPage();
  const ControlPage& page = Page();
  return std::string(page.refusal, strnlen(page.refusal, sizeof page.refusal));
}

Status ProcessReader::Poll(const Callback& callback, uint64_t* records) {
  *records = 0;
  no_descriptor_ = false;
  const bool last = WriterGone();
  // While the writer runs, poll one round only: a later round might read a thread's newer chunk
  // without the rest of its older one.
  while (PollOnce(last, callback, records) && last) {
  }
  if (lost_page_ != nullptr) {
    return Status::Error("the control page of process %u was cut short", process_.pid);
  }
  if (!last || !no_descriptor_) return Status::Ok();
  ++torn_;
  return Status::Error(
      "process %u: no file descriptor was left to read its records with; raise ulimit -n",
      process_.pid);
}

// True when there may be more segments than this round has opened.
bool ProcessReader::PollOnce(bool last, const Callback& callback, uint64_t* records) {
  const uint32_t created = Page().segments_created.load(std::memory_order_acquire);
  const bool more = FindSegments(created, last);
  // Newest first: a thread commits its older records before its newer ones. So when a record is
  // found here, the older chunks of its thread are complete up to that record.
  std::vector<bool> fresh(segments_.size());
  for (size_t i = segments_.size(); i-- > 0;) {
    fresh[i] = Survey(*segments_[i], last);
  }
  for (size_t i = 0; i < segments_.size(); ++i) {
    // Other segments may have needed the file's descriptor. In that case the segment is read in the
    // next round.
    if (!fresh[i] || !OpenFile(*segments_[i])) continue;
    for (size_t chunk = 1; chunk <= segments_[i]->data_chunks; ++chunk) {
      *records += Deliver(*segments_[i], chunk, callback);
    }
    GiveBack(*segments_[i]);
  }
  segments_.erase(std::remove_if(segments_.begin(), segments_.end(),
                                 [](const auto& s) { return s->done == s->data_chunks; }),
                  segments_.end());
  // Segments that an idle thread keeps alive must not use up the file descriptors.
  for (size_t i = 0; i + kFilesKeptOpen < segments_.size(); ++i) segments_[i]->fd.reset();
  return more;
}

bool ProcessReader::FindSegments(uint32_t created, bool last) {
  size_t opened = 0;
  while (opened < kNewSegmentsPerPoll) {
    uint32_t number = next_number_;
    if (number > created && !last) return false;
    auto segment = std::make_unique<Segment>();
    segment->number = number;
    segment->data_chunks = static_cast<uint32_t>(ChunksOfSegment(number)) - 1;
    char name[32];
    snprintf(name, sizeof name, ".%06u.seg", number);
    segment->path = directory_ + "/" + stem_ + name;
    struct stat info;
    if (lstat(segment->path.c_str(), &info) != 0) {
      // A trusted page knows every file, except the one that is being made.
      if (!last || (lost_page_ == nullptr && number > created)) return false;
      if (!NextNumberOnDisk(number, &number)) return false;
      ++torn_;  // the numbers of the files have a gap
      next_number_ = number;
      continue;
    }
    const bool is_open = OpenFile(*segment);
    if (no_descriptor_) return false;
    ++next_number_;
    if (is_open) {
      segments_.push_back(std::move(segment));
      ++opened;
    } else if (number <= created) {
      ++torn_;  // not counted for a file that its writer was making when it died, before its first
                // use
    }
  }
  return true;
}

// The smallest segment number from `from` on that has a file in the directory.
bool ProcessReader::NextNumberOnDisk(uint32_t from, uint32_t* number) const {
  bool found = false;
  const std::string prefix = stem_ + ".";
  const Status listed = ForEachName(directory_, [&](std::string_view name) {
    if (!name.starts_with(prefix) || !name.ends_with(".seg")) return;
    const std::string digits(name.substr(prefix.size(), name.size() - prefix.size() - 4));
    if (!AllDigits(digits) || digits.size() > 9) return;
    const auto value = static_cast<uint32_t>(strtoul(digits.c_str(), nullptr, 10));
    if (value < from || (found && value >= *number)) return;
    *number = value;
    found = true;
  });
  return listed.ok() && found;
}

// Opens and checks a segment's file. If descriptors are scarce, only one file is open at a time.
bool ProcessReader::OpenFile(Segment& segment) {
  if (segment.fd.valid()) return true;
  struct stat info;
  const auto is_short = [] { return errno == EMFILE || errno == ENFILE; };
  UniqueFd fd = OpenOwnFile(segment.path, &info);
  if (!fd.valid() && is_short()) {
    for (const auto& other : segments_) other->fd.reset();
    fd = OpenOwnFile(segment.path, &info);
    no_descriptor_ = !fd.valid() && is_short();
  }
  if (!fd.valid()) return false;
  SegmentHeader header;
  if (ReadAt(fd.get(), &header, sizeof header, 0) != sizeof header) return false;
  if (memcmp(header.magic, kSegmentMagic, sizeof header.magic) != 0 || header.version != kVersion ||
      header.pid != process_.pid || header.start_ticks != process_.start_ticks ||
      header.number != segment.number || header.chunks != segment.data_chunks + 1) {
    return false;
  }
  segment.fd = std::move(fd);
  return true;
}

void ProcessReader::Break(Chunk& chunk) {
  if (!chunk.broken) ++torn_;
  chunk.broken = true;
}

// Finds out how far each chunk has been written. False if this segment needs no work.
bool ProcessReader::Survey(Segment& segment, bool last) {
  SegmentHeader header;
  const bool is_open = OpenFile(segment);
  if (no_descriptor_) return false;
  if (!is_open || ReadAt(segment.fd.get(), &header, sizeof header, 0) != sizeof header) {
    ++torn_;  // the file existed before, so another process has removed it
    segment.done = segment.data_chunks;
    return false;
  }
  const size_t limit =
      std::min(segment.data_chunks + 1, header.next_chunk.load(std::memory_order_relaxed));
  bool work = false;
  for (size_t i = segment.data_chunks; i > 0; --i) {
    Chunk& chunk = segment.chunks[i];
    if (chunk.done) continue;
    if (i >= limit) {
      chunk.committed = chunk.position;
      chunk.closed = last;
      continue;
    }
    RTL_SCHED_POINT("reader.survey");
    SurveyChunk(segment, i, last);
    work |= chunk.closed || chunk.committed > chunk.position;
  }
  return work || last;
}

void ProcessReader::SurveyChunk(Segment& segment, size_t index, bool last) {
  Chunk& chunk = segment.chunks[index];
  chunk.committed = chunk.position;
  const uint64_t base = index * kChunkBytes;
  ChunkState state = ChunkState::kFree;
  if (ReadAt(segment.fd.get(), &state, sizeof state, base) != sizeof state) {
    Break(chunk);
    chunk.closed = true;
    return;
  }
  chunk.closed = last || state == ChunkState::kClosed;
  if (chunk.broken || state == ChunkState::kFree) return;
  if (chunk.position + sizeof(RecordHeader) > kChunkBytes) return;

  char head[sizeof(RecordHeader)] = {};
  if (ReadAt(segment.fd.get(), head, sizeof head, base + chunk.position) != sizeof head) {
    return Break(chunk);
  }
  if (!IsCommitted(head)) return;

  if (chunk.closed) {
    // a closed chunk does not change any more: Deliver finds its end
    chunk.committed = kChunkBytes;
    return;
  }
  // Reads in steps, because most of a chunk is usually not written yet, and reading that part would
  // allocate its pages.
  const size_t wanted = kChunkBytes - chunk.position;
  size_t got = 0;
  size_t at = 0;
  for (bool more = true; more && got < wanted;) {
    const size_t step = std::min(kSurveyBytes, wanted - got);
    const size_t read =
        ReadAt(segment.fd.get(), buffer_.get() + got, step, base + chunk.position + got);
    got += read;
    if (!SkipCommitted(buffer_.get(), got, got == wanted, &at, &more) || read < step) {
      Break(chunk);
      break;
    }
  }
  chunk.committed = chunk.position + static_cast<uint32_t>(at);
}

// Reads the record at `at`, which takes *bytes there. False if it is broken.
bool ProcessReader::Next(Unpacker& unpacker, const char* at, size_t available, size_t* bytes,
                         RecordView* out) {
  RecordHeader head;
  memcpy(&head, at, sizeof head);
  if (IsPacked(head)) {
    return unpacker.Unpack(at, available, bytes) &&
           CheckRecord(unpacker.record(), unpacker.record_bytes(), out);
  }
  if (!CheckRecord(at, available, out)) return false;
  *bytes = out->bytes;
  unpacker.Keep(out->head, out->bytes);
  return true;
}

// Reads the bytes that Survey found once more, and delivers the records. All bytes of a record were
// written before its header word was visible. The copy is checked again, because a hostile writer
// may have changed it since.
uint64_t ProcessReader::Deliver(Segment& segment, size_t index, const Callback& callback) {
  Chunk& chunk = segment.chunks[index];
  if (chunk.done) return 0;
  uint64_t records = 0;
  if (chunk.committed > chunk.position) {
    const size_t wanted = chunk.committed - chunk.position;
    const uint64_t offset = index * kChunkBytes + chunk.position;
    // For a closed chunk it is not known how much of it was written.
    const size_t first = chunk.closed ? std::min(kFirstBytes, wanted) : wanted;
    size_t got = ReadAt(segment.fd.get(), buffer_.get(), first, offset);
    bool sound = got == first;
    size_t at = 0;
    if (chunk.unpacker == nullptr) chunk.unpacker = std::make_unique<Unpacker>();
    for (;;) {
      if (got == first && got < wanted && !IsComplete(buffer_.get() + at, got - at)) {
        got += ReadAt(segment.fd.get(), buffer_.get() + got, wanted - got, offset + got);
        sound = got == wanted;
      }
      if (at + sizeof(RecordHeader) > got || !IsCommitted(buffer_.get() + at)) break;
      RecordView view;
      size_t bytes = 0;
      if (!Next(*chunk.unpacker, buffer_.get() + at, got - at, &bytes, &view)) {
        sound = false;
        break;
      }
      at += bytes;
      if (view.head->type == RecordType::kPad) continue;
      callback(view);
      ++records;
    }
    if (!sound || (!chunk.closed && at != wanted)) Break(chunk);
    chunk.end = chunk.position + static_cast<uint32_t>(at);
    chunk.position = chunk.committed;
  }
  if (chunk.closed) {
    chunk.done = true;
    chunk.unpacker.reset();
    ++segment.done;
  }
  return records;
}

// Deletes a segment that is read to the end. If an idle thread keeps the segment alive, frees the
// disk blocks of the part that is read. A kept segment no longer counts against the writer's limit
// once it has been read.
void ProcessReader::GiveBack(Segment& segment) {
  if (keep_segments_) return GiveBackKept(segment);
  uint32_t given = 0;
  if (segment.done == segment.data_chunks) {
    if (unlink(segment.path.c_str()) == 0) given = segment.data_chunks - segment.given_back;
  } else if (segment.number + 1 < next_number_) {
    constexpr size_t kPage = 4096;  // the chunk's header stays readable
    for (size_t i = 1; i <= segment.data_chunks; ++i) {
      Chunk& chunk = segment.chunks[i];
      if (!chunk.done || chunk.given_back) continue;
      if (fallocate(segment.fd.get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                    static_cast<off_t>(i * kChunkBytes + kPage), kChunkBytes - kPage) != 0) {
        break;  // a file system without this call: the blocks are freed together with the segment
      }
      chunk.given_back = true;
      ++given;
    }
  }
  segment.given_back += given;
  Page().chunks_collected.fetch_add(given, std::memory_order_relaxed);
}

// Frees the blocks of a segment after the last record of each chunk. They have only zeros, no
// record will follow, and holes read as zeros. A segment of a short process has little else.
// Returns the bytes that the file still takes.
uint64_t ProcessReader::FreeUnused(const Segment& segment) {
  constexpr uint64_t kPage = 4096;
  const uint64_t bytes = (segment.data_chunks + 1) * kChunkBytes;
  uint64_t freed = 0;
  for (size_t i = 0; i <= segment.data_chunks;) {
    const Chunk& first = segment.chunks[i];
    const uint64_t used = i == 0 ? sizeof(SegmentHeader) : first.end;
    const uint64_t from = (i * kChunkBytes + used + kPage - 1) / kPage * kPage;
    // A broken chunk is left as it is.
    size_t next = i + 1;
    while (next <= segment.data_chunks && !segment.chunks[next].broken &&
           segment.chunks[next].end == sizeof(ChunkHeader)) {
      ++next;
    }
    i = next;
    const uint64_t to = next * kChunkBytes;
    if (first.broken || from >= to) continue;
    if (fallocate(segment.fd.get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                  static_cast<off_t>(from), static_cast<off_t>(to - from)) != 0) {
      break;  // a file system without this call
    }
    freed += to - from;
  }
  return bytes - freed;
}

// An earlier reader may have returned the same chunks; they count only once.
void ProcessReader::GiveBackKept(Segment& segment) {
  kept_ += segment.done - segment.given_back;
  segment.given_back = segment.done;
  if (segment.done == segment.data_chunks) kept_bytes_ += FreeUnused(segment);
  if (kept_ > Page().chunks_collected.load(std::memory_order_relaxed)) {
    Page().chunks_collected.store(kept_, std::memory_order_relaxed);
  }
}

void ProcessReader::StopKeeping() {
  if (!keep_segments_) return;
  keep_segments_ = false;
  kept_bytes_ = 0;
  uint32_t number = 1;
  const auto remove_until = [&](uint32_t end) {
    for (; number < end; ++number) {
      char name[32];
      snprintf(name, sizeof name, ".%06u.seg", number);
      // a file that cannot be deleted is deleted with the spool
      (void)unlink((directory_ + "/" + stem_ + name).c_str());
    }
    number = end + 1;
  };
  for (const auto& segment : segments_) {
    remove_until(segment->number);
    // These chunks are counted already; their blocks are freed together with the segment.
    for (Chunk& chunk : segment->chunks) chunk.given_back = chunk.done;
  }
  remove_until(next_number_);
}

// The mapping shares the page with the writer. If the file was truncated, the next access would
// raise SIGBUS, so zeros are used instead of the page, and the process is treated as gone. (If the
// file is truncated between this check and the access, the collector is killed; only the same user
// can do that.)
void ProcessReader::CheckPage() {
  if (lost_page_ != nullptr) return;
  struct stat info;
  if (fstat(page_fd_.get(), &info) == 0 &&
      info.st_size >= static_cast<off_t>(sizeof(ControlPage))) {
    return;
  }
  ++torn_;
  (void)munmap(page_, sizeof(ControlPage));  // cannot fail for a mapping made here
  page_ = nullptr;
  lost_page_ = std::make_unique<ControlPage>();
}

bool ProcessReader::WriterGone() {
  CheckPage();
  if (lost_page_ != nullptr) return true;
  // Pairs with the release in Writer::Finish: every earlier write is visible now.
  const WriterState state = Page().writer_state.load(std::memory_order_acquire);
  if (state == WriterState::kFinished || state == WriterState::kRefused) return true;
  if (!process_gone_) process_gone_ = ProcessGone() || ProcessReplaced();
  return process_gone_;
}

// True if the process lives on, but exec has removed the memory from which it wrote.
bool ProcessReader::ProcessReplaced() {
  const uint64_t now = BootTimeNs();
  if (now < next_look_) return false;
  next_look_ = now + kReplacedLookNs;
  ProcessStat stat;
  if (!ReadProcessStat(pid_from_here_, &stat) || stat.start_ticks != process_.start_ticks) {
    return false;  // ProcessGone reports this
  }
  replaced_ = Replaced(process_.stack, stat);
  return replaced_;
}

// If no file descriptor is left to check the process, the process counts as alive. If a live
// process counted as gone, its spool would be read to the end and removed, and its later records
// would be lost.
bool ProcessReader::ProcessGone() {
  if (pid_from_here_ == 0) {
    bool looked = false;
    pid_from_here_ = PidFromHere(process_, &looked);
    if (pid_from_here_ == 0) return looked;
  }
  if (identified_) return Ended();
  if (!pidfd_.valid()) {
    pidfd_.reset(static_cast<int>(syscall(SYS_pidfd_open, pid_from_here_, 0)));
  }
  ProcessStat stat;
  if (!ReadProcessStat(pid_from_here_, &stat)) return Ended();
  if (stat.dead()) return true;
  if (process_.start_ticks != 0 && stat.start_ticks != process_.start_ticks) return true;
  identified_ = pidfd_.valid();
  return false;
}

// Needs no new file descriptor.
bool ProcessReader::Ended() const {
  if (!pidfd_.valid()) return kill(static_cast<pid_t>(pid_from_here_), 0) != 0 && errno == ESRCH;
  pollfd ended = {pidfd_.get(), POLLIN, 0};
  return poll(&ended, 1, 0) > 0;
}

void ProcessReader::SetCollectorState(CollectorState state) {
  CheckPage();
  Page().collector_state.store(state, std::memory_order_release);
  // Wakes Writer::WaitCollected, if a thread waits there.
  (void)syscall(SYS_futex, &Page().collector_state, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

void ProcessReader::AskForWindow(AttachWindow wanted) {
  CheckPage();
  Page().window_wanted.store(wanted, std::memory_order_release);
}

uint64_t ProcessReader::UncollectedChunks() const {
  const ControlPage& page = control();
  const uint64_t made = ChunksIn(page.segments_created.load(std::memory_order_relaxed));
  return made - std::min(made, page.chunks_collected.load(std::memory_order_relaxed));
}

double ProcessReader::Backlog() const {
  const uint64_t limit = control().limit_chunks.load(std::memory_order_relaxed);
  if (limit == 0) return 1;
  return static_cast<double>(UncollectedChunks()) / static_cast<double>(limit);
}

bool ProcessReader::FallsBehind() const {
  const uint64_t limit = control().limit_chunks.load(std::memory_order_relaxed);
  return UncollectedChunks() > limit / 2 + 2 * kDataChunks;
}

Status ProcessReader::Remove() {
  segments_.clear();
  return RemoveProcesses(directory_, [this](const std::string& stem) { return stem == stem_; });
}

}  // namespace rtl::spool
