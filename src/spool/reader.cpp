// SPDX-License-Identifier: MIT
#include "spool/reader.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/falloc.h>
#include <linux/futex.h>
#include <poll.h>
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
#include "spool/process_stat.h"

namespace rtl::spool {
namespace {

constexpr size_t kNewSegmentsPerPoll = 64;
constexpr size_t kFilesKeptOpen = 64;
constexpr uint64_t kReplacedLookNs = 50'000'000;

// Opens a regular file of ours that has one name. Not even a FIFO in its place makes us wait.
UniqueFd OpenOwnFile(const std::string& path, struct stat* info) {
  UniqueFd fd(open(path.c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
  if (!fd.valid() || fstat(fd.get(), info) != 0) return UniqueFd();
  if (!S_ISREG(info->st_mode) || info->st_uid != geteuid() || info->st_nlink != 1) {
    errno = EPERM;
    return UniqueFd();
  }
  return fd;
}

// How many bytes there are at `offset`, at most `bytes`.
size_t ReadAt(int fd, void* out, size_t bytes, uint64_t offset) {
  size_t done = 0;
  while (done < bytes) {
    const ssize_t got =
        pread(fd, static_cast<char*>(out) + done, bytes - done, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    done += static_cast<size_t>(got);
  }
  return done;
}

// Size of the struct of each type, and where in it `text_bytes` lies (zero: it has no text).
struct Shape {
  size_t bytes;
  size_t text_bytes_at;
};
constexpr Shape kShapes[] = {
    {0, 0},                                                              // kNone
    {sizeof(RecordHeader), 0},                                           // kPad
    {sizeof(AgentRecord), 0},                                            // kAgent
    {sizeof(QueueRecord), 0},                                            // kQueue
    {sizeof(QueueEndRecord), 0},                                         // kQueueEnd
    {sizeof(KernelRecord), offsetof(KernelRecord, text_bytes)},          // kKernel
    {sizeof(DispatchRecord), 0},                                         // kDispatch
    {sizeof(MarkRecord), offsetof(MarkRecord, text_bytes)},              // kMark
    {sizeof(RangeBeginRecord), offsetof(RangeBeginRecord, text_bytes)},  // kRangePush
    {sizeof(RangeEndRecord), 0},                                         // kRangePop
    {sizeof(RangeBeginRecord), offsetof(RangeBeginRecord, text_bytes)},  // kRangeStart
    {sizeof(RangeEndRecord), 0},                                         // kRangeStop
    {sizeof(WarningRecord), offsetof(WarningRecord, text_bytes)},        // kWarning
    {sizeof(ApiCallRecord), offsetof(ApiCallRecord, text_bytes)},        // kApiCall
    {sizeof(ApiNameRecord), offsetof(ApiNameRecord, text_bytes)},        // kApiName
    {sizeof(CopyRecord), 0},                                             // kCopy
    {sizeof(BarrierRecord), 0},                                          // kBarrier
    {sizeof(NameRecord), offsetof(NameRecord, text_bytes)},              // kName
    {sizeof(EventRecord), offsetof(EventRecord, text_bytes)},            // kEvent
    {sizeof(AgentPropertiesRecord),
     offsetof(AgentPropertiesRecord, text_bytes)},                         // kAgentProperties
    {sizeof(CounterRecord), offsetof(CounterRecord, text_bytes)},          // kCounter
    {sizeof(FaultRecord), 0},                                              // kFault
    {sizeof(CounterInfoRecord), offsetof(CounterInfoRecord, text_bytes)},  // kCounterInfo
    {sizeof(CodeObjectRecord), offsetof(CodeObjectRecord, text_bytes)},    // kCodeObject
    {sizeof(CodeBytesRecord), offsetof(CodeBytesRecord, text_bytes)},      // kCodeBytes
    {sizeof(PcSampleRecord), 0},                                           // kPcSample
};
constexpr size_t kShapeCount = sizeof kShapes / sizeof kShapes[0];
static_assert(kShapeCount == static_cast<size_t>(kLastRecordType) + 1);

bool IsCommitted(const char* at) {
  uint64_t head;
  memcpy(&head, at, sizeof head);
  return head != 0;
}

bool AllDigits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

bool IsStem(std::string_view text) {
  size_t numbers = 0;
  for (;;) {
    const size_t dash = text.find('-');
    if (!AllDigits(text.substr(0, dash))) return false;
    ++numbers;
    if (dash == std::string_view::npos) return numbers == 2 || numbers == 3;
    text.remove_prefix(dash + 1);
  }
}

// Calls `visit(name)` for every entry of the directory.
template <typename Visit>
Status ForEachName(const std::string& directory, Visit visit) {
  DIR* dir = opendir(directory.c_str());
  if (dir == nullptr) return Status::ErrnoError(errno, "cannot read %s", directory.c_str());
  while (const dirent* entry = readdir(dir)) visit(std::string_view(entry->d_name));
  (void)closedir(dir);
  return Status::Ok();
}

}  // namespace

bool CheckRecord(const char* at, size_t available, RecordView* out) {
  const auto* head = reinterpret_cast<const RecordHeader*>(at);
  const size_t type = static_cast<size_t>(head->type);
  const size_t bytes = size_t{head->units} * 8;
  if (type == 0 || type >= kShapeCount) return false;
  const Shape& shape = kShapes[type];
  if (bytes < shape.bytes || bytes > available) return false;
  size_t text_bytes = 0;
  if (shape.text_bytes_at != 0) {
    uint32_t stored;
    memcpy(&stored, at + shape.text_bytes_at, sizeof stored);
    text_bytes = stored;
  }
  if (text_bytes > bytes - shape.bytes) return false;
  out->head = head;
  out->bytes = bytes;
  out->text = std::string_view(at + shape.bytes, text_bytes);
  return true;
}

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
        &process_.door[sizeof process_.door - 1], &process_.runtime[sizeof process_.runtime - 1],
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
  const bool last = WriterGone();
  // While the writer runs, one round: a later round could meet a thread's newer chunk without the
  // rest of its older one.
  while (PollOnce(last, callback, records) && last) {
  }
  if (lost_page_ == nullptr) return Status::Ok();
  return Status::Error("the control page of process %u was cut short", process_.pid);
}

// True when there may be more segments than this round has opened.
bool ProcessReader::PollOnce(bool last, const Callback& callback, uint64_t* records) {
  const uint32_t created = Page().segments_created.load(std::memory_order_acquire);
  const bool more = FindSegments(created, last);
  // Newest first: whatever a thread wrote before a record that we find here was committed before we
  // look at the older chunk that holds it.
  std::vector<bool> fresh(segments_.size());
  for (size_t i = segments_.size(); i-- > 0;) {
    // A thread that has been held up right after it was handed a chunk makes the segment's own
    // count lag. While threads go on in a newer segment, only the chunks themselves can be trusted.
    const bool all = last || segments_[i]->number < created;
    fresh[i] = Survey(*segments_[i], all, last);
  }
  for (size_t i = 0; i < segments_.size(); ++i) {
    if (!fresh[i]) continue;
    for (size_t chunk = 1; chunk < kChunksPerSegment; ++chunk) {
      *records += Deliver(*segments_[i], chunk, callback);
    }
    GiveBack(*segments_[i]);
  }
  segments_.erase(std::remove_if(segments_.begin(), segments_.end(),
                                 [](const auto& s) { return s->done == kDataChunks; }),
                  segments_.end());
  // Segments that an idle thread keeps alive must not use up our file descriptors.
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
    char name[32];
    snprintf(name, sizeof name, ".%06u.seg", number);
    segment->path = directory_ + "/" + stem_ + name;
    struct stat info;
    if (lstat(segment->path.c_str(), &info) != 0) {
      // A page that can be trusted knows of every file but the one that was in the making.
      if (!last || (lost_page_ == nullptr && number > created)) return false;
      if (!NextNumberOnDisk(number, &number)) return false;
      ++torn_;  // a gap in the row of files
      next_number_ = number;
      continue;
    }
    ++next_number_;
    if (OpenFile(*segment)) {
      segments_.push_back(std::move(segment));
      ++opened;
    } else if (number <= created) {
      ++torn_;  // else its writer died while making it, before anybody used it
    }
  }
  return true;
}

// The smallest segment number from `from` on, as the directory has it.
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

// Opens and checks a segment's file.
bool ProcessReader::OpenFile(Segment& segment) const {
  if (segment.fd.valid()) return true;
  struct stat info;
  UniqueFd fd = OpenOwnFile(segment.path, &info);
  if (!fd.valid()) return false;
  SegmentHeader header;
  if (ReadAt(fd.get(), &header, sizeof header, 0) != sizeof header) return false;
  if (memcmp(header.magic, kSegmentMagic, sizeof header.magic) != 0 || header.version != kVersion ||
      header.pid != process_.pid || header.start_ticks != process_.start_ticks ||
      header.number != segment.number || header.chunks != kChunksPerSegment) {
    return false;
  }
  segment.fd = std::move(fd);
  return true;
}

void ProcessReader::Break(Chunk& chunk) {
  if (!chunk.broken) ++torn_;
  chunk.broken = true;
}

// Finds out how far each chunk has been written. False: nothing to do in this segment.
bool ProcessReader::Survey(Segment& segment, bool all, bool last) {
  size_t limit = kChunksPerSegment;
  SegmentHeader header;
  if (!OpenFile(segment) || ReadAt(segment.fd.get(), &header, sizeof header, 0) != sizeof header) {
    ++torn_;  // it was there before: somebody took it away
    segment.done = kDataChunks;
    return false;
  }
  const size_t handed_out = header.next_chunk.load(std::memory_order_relaxed);
  if (!all) limit = std::min(limit, handed_out);
  bool work = false;
  for (size_t i = limit; i-- > 1;) {
    Chunk& chunk = segment.chunks[i];
    if (chunk.done) continue;
    RTL_SCHED_POINT("reader.survey");
    SurveyChunk(segment, i, i < handed_out, last);
    work |= chunk.closed || chunk.committed > chunk.position;
  }
  return work;
}

void ProcessReader::SurveyChunk(Segment& segment, size_t index, bool handed_out, bool last) {
  Chunk& chunk = segment.chunks[index];
  chunk.committed = chunk.position;
  const uint64_t base = index * kChunkBytes;
  ChunkState state = ChunkState::kFree;
  if (ReadAt(segment.fd.get(), &state, sizeof state, base) != sizeof state) {
    if (handed_out) Break(chunk);  // what nobody had begun to use is not missed
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

  const size_t wanted = kChunkBytes - chunk.position;
  const size_t got = ReadAt(segment.fd.get(), buffer_.get(), wanted, base + chunk.position);
  size_t at = 0;
  while (at + sizeof(RecordHeader) <= got && IsCommitted(buffer_.get() + at)) {
    RecordView view;
    if (!CheckRecord(buffer_.get() + at, got - at, &view)) {
      Break(chunk);
      break;
    }
    at += view.bytes;
  }
  chunk.committed = chunk.position + static_cast<uint32_t>(at);
  if (got < wanted) Break(chunk);
}

// Reads what Survey found, once more: now every byte of it was written before its header word was
// seen. The copy is checked again, because a hostile writer may have changed it.
uint64_t ProcessReader::Deliver(Segment& segment, size_t index, const Callback& callback) {
  Chunk& chunk = segment.chunks[index];
  if (chunk.done) return 0;
  uint64_t records = 0;
  if (chunk.committed > chunk.position) {
    const size_t wanted = chunk.committed - chunk.position;
    const uint64_t offset = index * kChunkBytes + chunk.position;
    const size_t got = ReadAt(segment.fd.get(), buffer_.get(), wanted, offset);
    size_t at = 0;
    while (at + sizeof(RecordHeader) <= got) {
      RecordView view;
      if (!CheckRecord(buffer_.get() + at, got - at, &view)) break;
      at += view.bytes;
      if (view.head->type == RecordType::kPad) continue;
      callback(view);
      ++records;
    }
    if (at != wanted) Break(chunk);
    chunk.position = chunk.committed;
  }
  if (chunk.closed) {
    chunk.done = true;
    ++segment.done;
  }
  return records;
}

// Deletes a segment that has been read to the end. Of one that an idle thread keeps alive, frees
// the disk blocks of what has been read. A segment that is kept takes nothing of the writer's limit
// either, once it has been read.
void ProcessReader::GiveBack(Segment& segment) {
  if (keep_segments_) return GiveBackKept(segment);
  uint32_t given = 0;
  if (segment.done == kDataChunks) {
    if (unlink(segment.path.c_str()) == 0) given = kDataChunks - segment.given_back;
  } else if (segment.number + 1 < next_number_) {
    constexpr size_t kPage = 4096;  // the chunk's header stays readable
    for (size_t i = 1; i < kChunksPerSegment; ++i) {
      Chunk& chunk = segment.chunks[i];
      if (!chunk.done || chunk.given_back) continue;
      if (fallocate(segment.fd.get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                    static_cast<off_t>(i * kChunkBytes + kPage), kChunkBytes - kPage) != 0) {
        break;  // a file system that cannot: the blocks come back with the whole segment
      }
      chunk.given_back = true;
      ++given;
    }
  }
  segment.given_back += given;
  Page().chunks_collected.fetch_add(given, std::memory_order_relaxed);
}

// An earlier reader may have given back the same chunks: they count once.
void ProcessReader::GiveBackKept(Segment& segment) {
  kept_ += segment.done - segment.given_back;
  segment.given_back = segment.done;
  if (kept_ > Page().chunks_collected.load(std::memory_order_relaxed)) {
    Page().chunks_collected.store(kept_, std::memory_order_relaxed);
  }
}

// The page is shared with the writer through a mapping. A file that was cut short meanwhile would
// answer the next look with SIGBUS: put zeros in its place and treat the process as gone. (Whoever
// cuts it between this check and that look ends the collector; it takes the same user to do so.)
void ProcessReader::CheckPage() {
  if (lost_page_ != nullptr) return;
  struct stat info;
  if (fstat(page_fd_.get(), &info) == 0 &&
      info.st_size >= static_cast<off_t>(sizeof(ControlPage))) {
    return;
  }
  ++torn_;
  (void)munmap(page_, sizeof(ControlPage));  // cannot fail for a mapping that we made
  page_ = nullptr;
  lost_page_ = std::make_unique<ControlPage>();
}

bool ProcessReader::WriterGone() {
  CheckPage();
  if (lost_page_ != nullptr) return true;
  // Pairs with the release in Writer::Finish: everything written before it is visible now.
  const WriterState state = Page().writer_state.load(std::memory_order_acquire);
  if (state == WriterState::kFinished || state == WriterState::kRefused) return true;
  if (!process_gone_) process_gone_ = ProcessGone() || ProcessReplaced();
  return process_gone_;
}

// The process lives on, but exec has taken away the memory from which it wrote.
bool ProcessReader::ProcessReplaced() {
  const uint64_t now = BootTimeNs();
  if (now < next_look_) return false;
  next_look_ = now + kReplacedLookNs;
  ProcessStat stat;
  if (!ReadProcessStat(process_.pid, &stat) || stat.start_ticks != process_.start_ticks) {
    return false;  // ProcessGone will say so
  }
  replaced_ = Replaced(process_.stack, stat);
  return replaced_;
}

bool ProcessReader::ProcessGone() {
  if (!pidfd_tried_) {
    pidfd_tried_ = true;
    pidfd_.reset(static_cast<int>(syscall(SYS_pidfd_open, process_.pid, 0)));
    ProcessStat stat;
    if (!ReadProcessStat(process_.pid, &stat) || stat.dead()) return true;
    if (process_.start_ticks != 0 && stat.start_ticks != process_.start_ticks) return true;
  }
  if (pidfd_.valid()) {
    pollfd ended = {pidfd_.get(), POLLIN, 0};
    return poll(&ended, 1, 0) > 0;
  }
  ProcessStat stat;
  return !ReadProcessStat(process_.pid, &stat) || stat.dead() ||
         (process_.start_ticks != 0 && stat.start_ticks != process_.start_ticks);
}

void ProcessReader::SetCollectorState(CollectorState state) {
  CheckPage();
  Page().collector_state.store(state, std::memory_order_release);
  // Wakes Writer::WaitCollected; nobody may be waiting.
  (void)syscall(SYS_futex, &Page().collector_state, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

void ProcessReader::AskForWindow(AttachWindow wanted) {
  CheckPage();
  Page().window_wanted.store(wanted, std::memory_order_release);
}

uint64_t ProcessReader::UncollectedChunks() const {
  const ControlPage& page = control();
  const uint64_t made =
      uint64_t{page.segments_created.load(std::memory_order_relaxed)} * kDataChunks;
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

namespace {

// One block of the file of what is in flight.
struct alignas(64) InFlightBlock {
  InFlightHead head;
  InFlightEntry entries[kInFlightEntries];
  char
      unused[kInFlightBarriersAt - sizeof(InFlightHead) - kInFlightEntries * sizeof(InFlightEntry)];
  InFlightBarrier barriers[kBarriersInFlight];
};
static_assert(sizeof(InFlightBlock) == kInFlightBlockBytes);

template <typename Visit>
void ForEachBlock(const std::string& path, Visit visit) {
  struct stat info;
  const UniqueFd fd = OpenOwnFile(path, &info);
  if (!fd.valid()) return;
  const auto block = std::make_unique<InFlightBlock>();
  for (uint32_t i = 0; i < kMostInFlightBlocks; ++i) {
    const uint64_t at = uint64_t{i} * kInFlightBlockBytes;
    if (ReadAt(fd.get(), block.get(), sizeof(InFlightBlock), at) != sizeof(InFlightBlock)) break;
    const uint32_t queue = block->head.queue.load(std::memory_order_relaxed);
    if (queue != 0) visit(queue, *block);
  }
}

}  // namespace

std::vector<ProcessReader::InFlight> ProcessReader::KernelsInFlight() const {
  std::vector<InFlight> found;
  ForEachBlock(directory_ + "/" + stem_ + kInFlightSuffix,
               [&](uint32_t queue, const InFlightBlock& block) {
                 for (const InFlightEntry& entry : block.entries) {
                   if (IsInFlight(entry)) found.push_back({queue, entry});
                 }
               });
  std::sort(found.begin(), found.end(), [](const InFlight& a, const InFlight& b) {
    return a.queue != b.queue ? a.queue < b.queue : a.entry.packet < b.entry.packet;
  });
  return found;
}

std::vector<ProcessReader::Barrier> ProcessReader::Barriers() const {
  std::vector<Barrier> found;
  ForEachBlock(directory_ + "/" + stem_ + kInFlightSuffix,
               [&](uint32_t queue, const InFlightBlock& block) {
                 for (const InFlightBarrier& barrier : block.barriers) {
                   const uint64_t place = barrier.place.load(std::memory_order_relaxed);
                   if (place == 0) continue;
                   Barrier& added = found.emplace_back();
                   added.queue = queue;
                   added.packet = place - 1;
                   added.kind = barrier.kind;
                   std::copy(std::begin(barrier.signals), std::end(barrier.signals), added.signals);
                 }
               });
  std::sort(found.begin(), found.end(), [](const Barrier& a, const Barrier& b) {
    return a.queue != b.queue ? a.queue < b.queue : a.packet < b.packet;
  });
  return found;
}

Status ProcessReader::Remove() {
  segments_.clear();
  return RemoveProcesses(directory_, [this](const std::string& stem) { return stem == stem_; });
}

Status RemoveProcesses(const std::string& directory,
                       const std::function<bool(const std::string& stem)>& which) {
  std::vector<std::string> names;
  RTL_TRY(ForEachName(directory, [&](std::string_view name) {
    const size_t dot = name.find('.');
    if (dot != std::string_view::npos && which(std::string(name.substr(0, dot)))) {
      names.emplace_back(name);
    }
  }));
  for (const std::string& name : names) {
    const std::string path = directory + "/" + name;
    if (unlink(path.c_str()) != 0 && errno != ENOENT) {
      return Status::ErrnoError(errno, "cannot remove %s", path.c_str());
    }
  }
  return Status::Ok();
}

std::string NextStem(const std::string& stem) {
  const size_t start = stem.find('-');
  const size_t number = stem.find('-', start + 1);
  if (number == std::string::npos) return stem + "-1";
  const unsigned long program = strtoul(stem.c_str() + number + 1, nullptr, 10);
  return stem.substr(0, number + 1) + std::to_string(program + 1);
}

Status ListProcesses(const std::string& directory, std::vector<std::string>* stems) {
  stems->clear();
  RTL_TRY(ForEachName(directory, [&](std::string_view name) {
    if (!name.ends_with(".ctl")) return;
    const std::string_view stem = name.substr(0, name.size() - 4);
    if (IsStem(stem)) stems->emplace_back(stem);
  }));
  std::sort(stems->begin(), stems->end());
  return Status::Ok();
}

}  // namespace rtl::spool
