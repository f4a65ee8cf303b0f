// SPDX-License-Identifier: MIT
#include "store/collector.h"

#include <errno.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <map>
#include <mutex>
#include <set>
#include <system_error>
#include <thread>

#include "base/clock.h"
#include "base/own_thread.h"
#include "spool/process_stat.h"
#include "spool/reader.h"
#include "spool/sharing.h"
#include "store/accounting.h"
#include "store/continuation.h"
#include "store/spare_processor.h"
#include "store/trace_metadata.h"
#include "store/trace_writer.h"

namespace rtl::store {
namespace {

// The pause between two looks at the spool: short while records come, longer while they do not.
constexpr auto kShortPause = std::chrono::milliseconds(1);
constexpr auto kLongPause = std::chrono::milliseconds(10);
// How much of what a process may leave uncollected it may have left before it is read at any price.
constexpr double kMuch = 0.125;

double MostBacklog(const CollectResult& result) {
  double most = 0;
  for (const ProcessResult& process : result.processes) {
    most = std::max(most, process.most_backlog);
  }
  return most;
}

}  // namespace

class Collector::Impl {
 public:
  explicit Impl(CollectOptions options) : options_(std::move(options)) {}

  Status Start();
  void WaitForProcess(uint32_t pid);
  void WaitForAll();
  void Join();
  Status Complete(const ExitStatus& exit, CollectResult* result);
  Status InFlight(std::vector<InFlightRow>* rows);
  uint64_t rows() const { return rows_.load(std::memory_order_relaxed); }

 private:
  struct Process {
    std::unique_ptr<spool::ProcessReader> reader;
    std::unique_ptr<TraceWriter> own;  // when it has a database to itself
    TraceWriter* writer = nullptr;
    size_t number = 0;      // in `writer`
    size_t order = 0;       // among all processes, as they were found
    uint64_t alive_at = 0;  // the last time when it was seen
    bool ended = false;
    bool released = false;  // it has been told not to wait for the others
    ProcessResult result;
  };

  void Run();
  bool MayWait();
  bool AskedFromOutside();
  void Answer();
  std::vector<InFlightRow> ListInFlight();
  void LetGo();
  bool Round();
  void Attach();
  Status AttachTo(const std::string& stem, std::unique_ptr<spool::ProcessReader> reader);
  std::string OwnName(uint32_t pid);
  void ReleaseEnded();
  Status PollProcess(Process& process, uint64_t* records);
  void CountRows();
  ProcessEnd HowItEnded(const std::string& stem, const Process& process) const;
  Status EndProcess(Process& process, ProcessEnd end);
  void Identify(const Process& process, ProcessResult* result) const;
  Status CompleteOwn(Process& process);
  Status CompleteOne(const ExitStatus& exit, CollectResult* result);
  Status AbandonTheRest();
  void GatherResult(CollectResult* result);
  Status Finish(const ExitStatus& exit, CollectResult* result);
  void RemoveSpool();
  void Warn(std::string sentence);
  void Warn(Process& process, const std::string& sentence);

  const CollectOptions options_;
  const uint64_t started_ = BootTimeNs();
  std::thread thread_;
  std::atomic<uint64_t> rows_{0};

  // Touched by the collecting thread until Join, by the caller afterwards.
  TraceWriter writer_;  // of all processes, unless each has its own
  std::set<std::string> own_names_;
  size_t attached_ = 0;
  uint64_t completed_rows_ = 0;                    // of databases that are complete
  std::map<std::string, Process> processes_;       // by stem
  std::map<std::string, std::string> unreadable_;  // stem of a process that cannot be opened: why
  std::vector<std::string> warnings_;
  uint64_t ended_at_ = 0;       // of the process that ended last
  uint64_t next_ask_look_ = 0;  // BOOTTIME ns
  bool asked_from_outside_ = false;
  Status failure_ = Status::Ok();

  std::mutex mutex_;
  std::condition_variable changed_;
  bool stop_ = false;                   // under mutex_
  bool hurry_ = false;                  // under mutex_: somebody waits for what is in the spool
  uint64_t rounds_ = 0;                 // under mutex_: complete looks at the whole spool
  std::vector<uint32_t> ended_;         // under mutex_: processes that have been read to the end
  bool failed_ = false;                 // under mutex_
  uint64_t asked_ = 0;                  // under mutex_: how often, for what is in flight
  uint64_t answered_ = 0;               // under mutex_
  std::vector<InFlightRow> in_flight_;  // under mutex_: the last answer
  size_t known_ = 0;                    // under mutex_: processes found so far, readable or not
  size_t running_ = 0;                  // under mutex_: of those, not read to the end
};

Status Collector::Impl::Start() {
  struct stat info;
  if (stat(options_.spool.c_str(), &info) != 0) {
    return Status::ErrnoError(errno, "cannot read the spool %s", options_.spool.c_str());
  }
  if (!S_ISDIR(info.st_mode)) {
    return Status::Error("cannot read the spool %s: it is not a directory", options_.spool.c_str());
  }
  if (!options_.split) {
    const bool go_on = options_.shared && ContinuesJob(options_.output, options_.spool);
    RTL_TRY(writer_.Create(options_.output, {.go_on = go_on, .packed = options_.packed}));
  }
  const SignalsBlocked blocked;  // they are for the thread that passes them on to the program
  try {
    thread_ = std::thread([this] { Run(); });
  } catch (const std::system_error& error) {
    return Status::ErrnoError(error.code().value(), "no thread to read the spool with");
  }
  return Status::Ok();
}

void Collector::Impl::Run() {
  auto pause = kShortPause;
  for (;;) {
    if (MayWait()) {
      std::unique_lock lock(mutex_);
      changed_.wait_for(lock, kLongPause, [this] { return stop_ || hurry_; });
      continue;
    }
    const bool busy = Round();
    pause = busy ? kShortPause : std::min(pause * 2, kLongPause);
    ReleaseEnded();
    Answer();
    std::unique_lock lock(mutex_);
    ++rounds_;
    known_ = processes_.size() + unreadable_.size();
    running_ = 0;
    for (const auto& [stem, process] : processes_) running_ += !process.ended;
    failed_ = !failure_.ok();
    changed_.notify_all();
    if (failed_) LetGo();
    if (stop_ || failed_) return;
    changed_.wait_for(lock, pause, [this] { return stop_; });
  }
}

bool Collector::Impl::MayWait() {
  {
    const std::lock_guard lock(mutex_);
    if (stop_ || hurry_ || asked_ != answered_) return false;
  }
  if (!failure_.ok()) return false;
  const auto spare = options_.processor_to_spare;
  if (spare != nullptr ? spare() : ProcessorToSpare()) return false;
  Attach();  // a process learns early that it is being read
  if (AskedFromOutside()) return false;
  return std::all_of(processes_.begin(), processes_.end(), [](const auto& entry) {
    const Process& process = entry.second;
    return process.ended || process.reader->Backlog() < kMuch;
  });
}

std::vector<InFlightRow> Collector::Impl::ListInFlight() {
  std::vector<InFlightRow> rows;
  for (auto& [stem, process] : processes_) {
    if (process.ended) continue;
    // What cannot be looked up stays without its name.
    (void)process.writer->ListInFlight(process.number, *process.reader, &rows);
  }
  return rows;
}

bool Collector::Impl::AskedFromOutside() {
  constexpr uint64_t kBetweenLooksNs = 50'000'000;
  const uint64_t now = BootTimeNs();
  if (now < next_ask_look_) return false;
  next_ask_look_ = now + kBetweenLooksNs;
  asked_from_outside_ = IsAsked(options_.spool);
  return asked_from_outside_;
}

// After a look at every process: whoever wants to know what is in flight is told.
void Collector::Impl::Answer() {
  if (asked_from_outside_ || AskedFromOutside()) {
    AnswerInFlight(options_.spool, [this] { return ListInFlight(); });
  }
  asked_from_outside_ = false;
  uint64_t asked = 0;
  {
    const std::lock_guard lock(mutex_);
    asked = asked_;
    if (asked == answered_) return;
  }
  std::vector<InFlightRow> rows = ListInFlight();
  const std::lock_guard lock(mutex_);
  in_flight_ = std::move(rows);
  answered_ = asked;
}

Status Collector::Impl::InFlight(std::vector<InFlightRow>* rows) {
  std::unique_lock lock(mutex_);
  const uint64_t wanted = ++asked_;
  changed_.notify_all();
  constexpr auto kLimit = std::chrono::seconds(5);
  const bool told =
      changed_.wait_for(lock, kLimit, [&] { return answered_ >= wanted || failed_ || stop_; });
  if (!told || answered_ < wanted) return Status::Error("the collector does not answer");
  *rows = in_flight_;
  return Status::Ok();
}

// Nothing will be read any more: no process shall wait for that.
void Collector::Impl::LetGo() {
  for (auto& [stem, process] : processes_) {
    if (!process.ended) process.reader->SetCollectorState(spool::CollectorState::kAbandoned);
  }
}

// One look at every process. True when there was something to read.
bool Collector::Impl::Round() {
  Attach();
  if (!failure_.ok()) return false;
  bool busy = false;
  for (auto& [stem, process] : processes_) {
    if (process.ended) continue;
    const uint64_t now = BootTimeNs();
    const bool gone = process.reader->WriterGone();
    if (!gone) process.alive_at = now;
    uint64_t records = 0;
    Status status = PollProcess(process, &records);
    busy |= records != 0;
    if (status.ok() && gone) {
      status = EndProcess(process, HowItEnded(stem, process));
    }
    CountRows();
    if (!status.ok()) {
      failure_ = status;
      return false;
    }
  }
  return busy;
}

// A process that ends while others go on must not wait for the database.
void Collector::Impl::ReleaseEnded() {
  if (!options_.shared) return;
  const bool others = std::any_of(processes_.begin(), processes_.end(),
                                  [](const auto& entry) { return !entry.second.ended; });
  if (!others) return;
  for (auto& [stem, process] : processes_) {
    if (!process.ended || process.released) continue;
    process.released = true;
    process.reader->SetCollectorState(spool::CollectorState::kRead);
  }
}

ProcessEnd Collector::Impl::HowItEnded(const std::string& stem, const Process& process) const {
  const spool::ControlPage& page = process.reader->control();
  const auto state = page.writer_state.load(std::memory_order_acquire);
  if (state == spool::WriterState::kFinished || state == spool::WriterState::kRefused) {
    return ProcessEnd::kFinished;
  }
  // The program that came after it may have ended, too, before anybody looked.
  const auto next = processes_.find(spool::NextStem(stem));
  const bool replaced = process.reader->replaced() || next != processes_.end();
  return replaced ? ProcessEnd::kReplaced : ProcessEnd::kKilled;
}

void Collector::Impl::Attach() {
  std::vector<std::string> stems;
  const Status listed = spool::ListProcesses(options_.spool, &stems);
  if (!listed.ok()) {
    Warn(listed.message());
    return;
  }
  for (const std::string& stem : stems) {
    if (processes_.contains(stem)) continue;
    std::unique_ptr<spool::ProcessReader> reader;
    const Status opened =
        spool::ProcessReader::Open(options_.spool, stem, options_.keep_spool, &reader);
    if (!opened.ok()) {
      unreadable_[stem] = opened.message();  // it may be in the making: try again next time
      continue;
    }
    unreadable_.erase(stem);
    const Status attached = AttachTo(stem, std::move(reader));
    if (attached.ok()) continue;
    if (failure_.ok()) failure_ = attached;
    return;
  }
}

Status Collector::Impl::AttachTo(const std::string& stem,
                                 std::unique_ptr<spool::ProcessReader> reader) {
  // Many processes must not take as many times the memory of one.
  constexpr size_t kOwnCacheBytes = 2 << 20;
  Process process;
  process.reader = std::move(reader);
  process.writer = &writer_;
  process.order = attached_++;
  const spool::ProcessInfo& info = process.reader->process();
  process.result.pid = info.pid;
  process.result.output = options_.output;
  if (options_.split) {
    process.own = std::make_unique<TraceWriter>();
    process.writer = process.own.get();
    process.result.output = OwnName(info.pid);
    RTL_TRY(process.own->Create(process.result.output,
                                {.packed = options_.packed, .cache_bytes = kOwnCacheBytes}));
  }
  process.writer->AddProcess(info, &process.number);
  process.reader->SetCollectorState(spool::CollectorState::kAttached);
  processes_.emplace(stem, std::move(process));
  return Status::Ok();
}

// "trace.4711.db"; of further programs with this pid "trace.4711-2.db".
std::string Collector::Impl::OwnName(uint32_t pid) {
  const std::filesystem::path path(options_.output);
  for (int number = 1;; ++number) {
    std::filesystem::path name = path;
    name.replace_extension("." + std::to_string(pid) +
                           (number == 1 ? "" : "-" + std::to_string(number)) +
                           path.extension().string());
    if (own_names_.insert(name.string()).second) return name.string();
  }
}

Status Collector::Impl::PollProcess(Process& process, uint64_t* records) {
  ProcessResult& result = process.result;
  result.most_backlog = std::max(result.most_backlog, process.reader->Backlog());
  result.fell_behind |= process.reader->FallsBehind();
  Status written = Status::Ok();
  const Status read = process.reader->Poll(
      [&](const spool::RecordView& record) {
        if (written.ok()) written = process.writer->Add(process.number, record);
      },
      records);
  RTL_TRY(written);
  if (!read.ok()) Warn(process, read.message());
  return process.writer->Settle(process.number);
}

void Collector::Impl::CountRows() {
  uint64_t rows = completed_rows_ + (options_.split ? 0 : writer_.rows());
  for (const auto& [stem, process] : processes_) {
    if (process.own != nullptr) rows += process.own->rows();
  }
  rows_.store(rows, std::memory_order_relaxed);
}

// Who the process is, as it says last.
void Collector::Impl::Identify(const Process& process, ProcessResult* result) const {
  const spool::ProcessInfo& info = process.reader->process();
  result->parent_pid = info.parent_pid;
  result->start_ticks = info.start_ticks;
  result->started = info.opened;
  result->realtime_minus_boottime = info.realtime_minus_boottime;
  result->rank = info.rank;
  result->local_rank = info.local_rank;
  result->world = info.world;
  result->host = CleanText(info.host);
  result->boot_id = CleanText(info.boot_id);
  result->job = CleanText(info.job);
  result->command = info.command;
  result->mode = info.mode;
  result->mode_reason = info.mode_reason;
  result->door = info.door;
  result->runtime = info.runtime;
  result->unseen_calls = UnseenCalls(result->door);
  for (const AgentRecord& gpu : process.writer->gpus(process.number)) {
    const auto text = [](const auto& field) {
      return CleanText(std::string_view(field, sizeof field));
    };
    result->gpus.push_back({gpu.gpu, gpu.bdf, text(gpu.name), text(gpu.uuid)});
  }
}

// After the last Poll of a process.
Status Collector::Impl::EndProcess(Process& process, ProcessEnd end) {
  const spool::ControlPage& page = process.reader->control();
  TraceWriter& writer = *process.writer;
  uint64_t ended = page.finished.load(std::memory_order_relaxed);
  if (end == ProcessEnd::kAbandoned) ended = BootTimeNs();
  const bool said = end == ProcessEnd::kFinished || end == ProcessEnd::kAbandoned;
  if (!said || ended > static_cast<uint64_t>(INT64_MAX)) ended = writer.last_time(process.number);
  process.reader->RefreshProcess();
  Reading reading = {process.reader->torn(),
                     writer.rejected(process.number),
                     {},
                     process.result.fell_behind,
                     process.result.most_backlog};
  for (size_t k = 0; k < kEventKindCount; ++k) {
    reading.duplicates[k] = writer.duplicates(process.number, static_cast<EventKind>(k));
  }
  std::optional<TraceWriter::Unsaid> unsaid;
  if (LostByItsEnd(page, end, reading)) unsaid = {&page, CauseOf(end)};
  RTL_TRY(writer.EndProcess(process.number, process.reader->process(), ended, unsaid));
  ended_at_ = std::max(ended_at_, ended);
  process.result.faults = writer.faults(process.number);
  RTL_TRY(WriteInFlight(&writer, process.number, *process.reader,
                        said ? ended : std::max(ended, process.alive_at),
                        &process.result.in_flight));

  ProcessResult& result = process.result;
  Identify(process, &result);
  result.end = end;
  result.ended = ended;
  result.rows = writer.rows(process.number);
  result.refusal = CleanText(process.reader->Refusal());
  if (!result.refusal.empty()) {
    Warn(process, "process " + std::to_string(result.pid) + " is not traced: " + result.refusal);
  }
  if (end == ProcessEnd::kAbandoned) {
    Warn(process, "process " + std::to_string(result.pid) +
                      " was still running when collecting ended; what it did later is not in the"
                      " trace");
  }
  for (const std::string& sentence : writer.warnings(process.number)) Warn(process, sentence);
  for (size_t k = 0; k < kEventKindCount; ++k) {
    result.kinds[k].recorded = writer.recorded(process.number, static_cast<EventKind>(k));
  }
  reading.rejected = writer.rejected(process.number);  // what was held back has come
  std::vector<std::string> warnings;
  CloseBooks(page, result.pid, end, reading, result.kinds, &warnings);
  for (const std::string& sentence : warnings) Warn(process, sentence);
  RTL_TRY(WriteCounters(&writer, process.number, page, result));
  if (process.own != nullptr) RTL_TRY(CompleteOwn(process));

  process.ended = true;
  const std::lock_guard lock(mutex_);
  ended_.push_back(result.pid);
  return Status::Ok();
}

// The database of one process, which has ended.
Status Collector::Impl::CompleteOwn(Process& process) {
  ProcessResult& result = process.result;
  RTL_TRY(WriteMetadata(process.own.get(), {.first = &process.reader->process(),
                                            .tool_version = options_.tool_version,
                                            .command = {},
                                            .ended = result.ended,
                                            .exit = {},
                                            .kinds = result.kinds,
                                            .most_backlog = result.most_backlog,
                                            .unseen_calls = result.unseen_calls,
                                            .warnings = &result.warnings}));
  std::string written;
  RTL_TRY(process.own->Commit(&written));
  result.output = written;
  completed_rows_ += process.own->rows();
  process.own.reset();
  process.writer = nullptr;
  return Status::Ok();
}

void Collector::Impl::WaitForProcess(uint32_t pid) {
  std::unique_lock lock(mutex_);
  hurry_ = true;
  changed_.notify_all();
  uint64_t dead_since_round = 0;
  bool dead = false;
  changed_.wait(lock, [&] {
    if (failed_) return true;
    if (std::find(ended_.begin(), ended_.end(), pid) != ended_.end()) return true;
    if (!dead) {
      spool::ProcessStat stat;
      dead = !spool::ReadProcessStat(pid, &stat) || stat.dead();
      dead_since_round = rounds_;
    }
    // Two whole looks after its death have found all that it can have left.
    return dead && rounds_ >= dead_since_round + 2;
  });
}

void Collector::Impl::WaitForAll() {
  for (bool closed = false;;) {
    size_t known = 0;
    {
      std::unique_lock lock(mutex_);
      const uint64_t round = rounds_;
      // Two looks from now everything has been found that is there now.
      changed_.wait(lock, [&] { return failed_ || (rounds_ >= round + 2 && running_ == 0); });
      if (failed_) return;
      known = known_;
    }
    // Whoever was about to join when it closed is there now, and is waited for like the others.
    if (closed) return;
    closed = spool::CloseSpool(options_.spool.c_str(), known);
  }
}

void Collector::Impl::Join() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Collector::Impl::Warn(std::string sentence) {
  if (std::find(warnings_.begin(), warnings_.end(), sentence) == warnings_.end()) {
    warnings_.push_back(std::move(sentence));
  }
}

void Collector::Impl::Warn(Process& process, const std::string& sentence) {
  std::vector<std::string>& own = process.result.warnings;
  if (std::find(own.begin(), own.end(), sentence) == own.end()) own.push_back(sentence);
  Warn(sentence);
}

// Processes that still run get no more than what they have written by now.
Status Collector::Impl::AbandonTheRest() {
  for (auto& [stem, process] : processes_) {
    if (process.ended) continue;
    process.reader->SetCollectorState(spool::CollectorState::kAbandoned);
    uint64_t records = 0;
    RTL_TRY(PollProcess(process, &records));
    RTL_TRY(EndProcess(process, ProcessEnd::kAbandoned));
  }
  for (const auto& [stem, why] : unreadable_) Warn("process " + stem + " was not read: " + why);
  return Status::Ok();
}

void Collector::Impl::GatherResult(CollectResult* result) {
  CountRows();
  result->rows = rows();
  std::vector<const Process*> in_order;
  for (const auto& [stem, process] : processes_) in_order.push_back(&process);
  std::sort(in_order.begin(), in_order.end(),
            [](const Process* a, const Process* b) { return a->order < b->order; });
  for (const Process* process : in_order) {
    result->processes.push_back(process->result);
    if (result->unseen_calls.empty()) result->unseen_calls = process->result.unseen_calls;
    for (size_t k = 0; k < kEventKindCount; ++k) {
      KindTotals& sum = result->kinds[k];
      const KindTotals& one = process->result.kinds[k];
      sum.seen += one.seen;
      sum.recorded += one.recorded;
      for (size_t loss = 0; loss < kLossCount; ++loss) sum.losses[loss] += one.losses[loss];
    }
  }
  result->warnings = warnings_;
}

Status Collector::Impl::Finish(const ExitStatus& exit, CollectResult* result) {
  RTL_TRY(failure_);
  (void)Round();  // its failure is in failure_
  RTL_TRY(failure_);
  RTL_TRY(AbandonTheRest());
  GatherResult(result);
  return options_.split ? Status::Ok() : CompleteOne(exit, result);
}

// The database of all processes.
Status Collector::Impl::CompleteOne(const ExitStatus& exit, CollectResult* result) {
  const spool::ProcessInfo* first = nullptr;
  for (const auto& [stem, process] : processes_) {
    if (process.order == 0) first = &process.reader->process();
  }
  RTL_TRY(WriteMetadata(&writer_, {.first = first,
                                   .tool_version = options_.tool_version,
                                   .command = options_.command,
                                   .started = started_,
                                   .ended = ended_at_,
                                   .exit = exit,
                                   .kinds = result->kinds,
                                   .most_backlog = MostBacklog(*result),
                                   .unseen_calls = result->unseen_calls,
                                   .warnings = &result->warnings}));
  RTL_TRY(writer_.Commit(&result->output));
  if (result->output == options_.output) return Status::Ok();
  for (ProcessResult& process : result->processes) process.output = result->output;
  Warn(options_.output + " was written by another trace meanwhile; this one is in " +
       result->output);
  return Status::Ok();
}

Status Collector::Impl::Complete(const ExitStatus& exit, CollectResult* result) {
  const Status finished = Finish(exit, result);
  if (!finished.ok()) {
    writer_.Drop();
    for (auto& [stem, process] : processes_) process.own.reset();
  }
  // After a failure the spool stays: what has not been read yet is still in it.
  if (finished.ok() && !options_.keep_spool) RemoveSpool();
  if (finished.ok()) result->warnings = warnings_;
  // Last, because a process that waits for this ends now.
  for (auto& [stem, process] : processes_) {
    const bool done = finished.ok() && process.result.end != ProcessEnd::kAbandoned;
    process.reader->SetCollectorState(done ? spool::CollectorState::kDone
                                           : spool::CollectorState::kAbandoned);
  }
  return finished;
}

void Collector::Impl::RemoveSpool() {
  for (auto& [stem, process] : processes_) {
    const Status removed = process.reader->Remove();
    if (!removed.ok()) Warn(removed.message());
  }
  spool::RemoveSharing(options_.spool.c_str());
  RemoveAsks(options_.spool);
  // Not empty when a process opened its spool a moment ago, or something else lies in it.
  if (rmdir(options_.spool.c_str()) != 0) {
    Warn("the spool directory " + options_.spool + " could not be removed");
  }
}

Collector::Collector() = default;

Collector::~Collector() {
  if (impl_ != nullptr) impl_->Join();
}

Status Collector::Start(const CollectOptions& options) {
  impl_ = std::make_unique<Impl>(options);
  return impl_->Start();
}

void Collector::WaitForProcess(uint32_t pid) { impl_->WaitForProcess(pid); }

void Collector::WaitForAll() { impl_->WaitForAll(); }

Status Collector::Stop(const ExitStatus& exit, CollectResult* result) {
  impl_->Join();
  return impl_->Complete(exit, result);
}

Status Collector::InFlight(std::vector<InFlightRow>* rows) { return impl_->InFlight(rows); }

uint64_t Collector::rows() const { return impl_ == nullptr ? 0 : impl_->rows(); }

}  // namespace rtl::store
