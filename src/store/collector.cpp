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
#include <map>
#include <mutex>
#include <thread>

#include "base/clock.h"
#include "spool/process_stat.h"
#include "spool/reader.h"
#include "spool/sharing.h"
#include "store/accounting.h"
#include "store/continuation.h"
#include "store/schema.h"
#include "store/spare_processor.h"
#include "store/trace_writer.h"

namespace rtl::store {
namespace {

// The pause between two looks at the spool: short while records come, longer while they do not.
constexpr auto kShortPause = std::chrono::milliseconds(1);
constexpr auto kLongPause = std::chrono::milliseconds(10);
// How much of what a process may leave uncollected it may have left before it is read at any price.
constexpr double kMuch = 0.125;

}  // namespace

class Collector::Impl {
 public:
  explicit Impl(CollectOptions options) : options_(std::move(options)) {}

  Status Start();
  void WaitForProcess(uint32_t pid);
  void WaitForAll();
  void Join();
  Status Complete(const ExitStatus& exit, CollectResult* result);
  uint64_t rows() const { return rows_.load(std::memory_order_relaxed); }

 private:
  struct Process {
    std::unique_ptr<spool::ProcessReader> reader;
    size_t number = 0;  // in writer_
    bool ended = false;
    bool released = false;  // it has been told not to wait for the others
    ProcessResult result;
  };

  void Run();
  bool MayWait();
  bool Round();
  void Attach();
  bool GoesOn() const;
  void ReleaseEnded();
  Status PollProcess(Process& process, uint64_t* records);
  ProcessEnd HowItEnded(const std::string& stem, const Process& process) const;
  Status EndProcess(Process& process, ProcessEnd end);
  Status WriteCounters(const Process& process);
  Status AbandonTheRest();
  Status WriteMetadata(const ExitStatus& exit, const CollectResult& result);
  Status AddFirst(const std::string& tag, const std::string& value);
  Status AddTotal(const std::string& tag, int64_t value);
  Status WriteWarnings(const std::vector<std::string>& sentences);
  Status WriteTotals(const KindTotals kinds[kEventKindCount]);
  void GatherResult(CollectResult* result);
  Status Finish(const ExitStatus& exit, CollectResult* result);
  void RemoveSpool();
  void Warn(std::string sentence);

  const CollectOptions options_;
  const uint64_t started_ = BootTimeNs();
  std::thread thread_;
  std::atomic<uint64_t> rows_{0};

  // Touched by the collecting thread until Join, by the caller afterwards.
  TraceWriter writer_;
  std::map<std::string, Process> processes_;       // by stem
  std::map<std::string, std::string> unreadable_;  // stem of a process that cannot be opened: why
  std::vector<std::string> warnings_;
  uint64_t ended_at_ = 0;  // of the process that ended last
  Status failure_ = Status::Ok();

  std::mutex mutex_;
  std::condition_variable changed_;
  bool stop_ = false;            // under mutex_
  bool hurry_ = false;           // under mutex_: somebody waits for what is in the spool
  uint64_t rounds_ = 0;          // under mutex_: complete looks at the whole spool
  std::vector<uint32_t> ended_;  // under mutex_: processes that have been read to the end
  bool failed_ = false;          // under mutex_
  size_t known_ = 0;             // under mutex_: processes found so far, readable or not
  size_t running_ = 0;           // under mutex_: of those, not read to the end
};

Status Collector::Impl::Start() {
  struct stat info;
  if (stat(options_.spool.c_str(), &info) != 0) {
    return Status::ErrnoError(errno, "cannot read the spool %s", options_.spool.c_str());
  }
  if (!S_ISDIR(info.st_mode)) {
    return Status::Error("cannot read the spool %s: it is not a directory", options_.spool.c_str());
  }
  RTL_TRY(writer_.Create(options_.output, options_.shared && GoesOn()));
  thread_ = std::thread([this] { Run(); });
  return Status::Ok();
}

// Whether the database that lies there is an earlier part of the first process's job.
bool Collector::Impl::GoesOn() const {
  std::vector<std::string> stems;
  std::unique_ptr<spool::ProcessReader> first;
  return spool::ListProcesses(options_.spool, &stems).ok() && !stems.empty() &&
         spool::ProcessReader::Open(options_.spool, stems.front(), true, &first).ok() &&
         ContinuesJob(options_.output, first->process());
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
    std::unique_lock lock(mutex_);
    ++rounds_;
    known_ = processes_.size() + unreadable_.size();
    running_ = 0;
    for (const auto& [stem, process] : processes_) running_ += !process.ended;
    failed_ = !failure_.ok();
    changed_.notify_all();
    if (stop_ || failed_) return;
    changed_.wait_for(lock, pause, [this] { return stop_; });
  }
}

bool Collector::Impl::MayWait() {
  {
    const std::lock_guard lock(mutex_);
    if (stop_ || hurry_) return false;
  }
  const auto spare = options_.processor_to_spare;
  if (spare != nullptr ? spare() : ProcessorToSpare()) return false;
  Attach();  // a process learns early that it is being read
  return std::all_of(processes_.begin(), processes_.end(), [](const auto& entry) {
    const Process& process = entry.second;
    return process.ended || process.reader->Backlog() < kMuch;
  });
}

// One look at every process. True when there was something to read.
bool Collector::Impl::Round() {
  Attach();
  bool busy = false;
  for (auto& [stem, process] : processes_) {
    if (process.ended) continue;
    const bool gone = process.reader->WriterGone();
    uint64_t records = 0;
    Status status = PollProcess(process, &records);
    busy |= records != 0;
    if (status.ok() && gone) {
      status = EndProcess(process, HowItEnded(stem, process));
    }
    rows_.store(writer_.rows(), std::memory_order_relaxed);
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
    Process process;
    const Status opened =
        spool::ProcessReader::Open(options_.spool, stem, options_.keep_spool, &process.reader);
    if (!opened.ok()) {
      unreadable_[stem] = opened.message();  // it may be in the making: try again next time
      continue;
    }
    unreadable_.erase(stem);
    const spool::ProcessInfo& info = process.reader->process();
    process.result.pid = info.pid;
    writer_.AddProcess(info, &process.number);
    process.reader->SetCollectorState(spool::CollectorState::kAttached);
    processes_.emplace(stem, std::move(process));
  }
}

Status Collector::Impl::PollProcess(Process& process, uint64_t* records) {
  Status written = Status::Ok();
  const Status read = process.reader->Poll(
      [&](const spool::RecordView& record) {
        if (written.ok()) written = writer_.Add(process.number, record);
      },
      records);
  RTL_TRY(written);
  if (!read.ok()) Warn(read.message());
  return writer_.Settle(process.number);
}

// After the last Poll of a process.
Status Collector::Impl::EndProcess(Process& process, ProcessEnd end) {
  const spool::ControlPage& page = process.reader->control();
  uint64_t ended = page.finished.load(std::memory_order_relaxed);
  if (end == ProcessEnd::kAbandoned) ended = BootTimeNs();
  const bool said = end == ProcessEnd::kFinished || end == ProcessEnd::kAbandoned;
  if (!said || ended > static_cast<uint64_t>(INT64_MAX)) {
    ended = writer_.last_time(process.number);
  }
  process.reader->RefreshProcess();
  const spool::ProcessInfo& info = process.reader->process();
  RTL_TRY(writer_.EndProcess(process.number, info, ended));
  ended_at_ = std::max(ended_at_, ended);

  ProcessResult& result = process.result;
  result.command = info.command;
  result.mode = info.mode;
  result.mode_reason = info.mode_reason;
  result.door = info.door;
  result.runtime = info.runtime;
  result.refusal = CleanText(process.reader->Refusal());
  if (!result.refusal.empty()) {
    Warn("process " + std::to_string(result.pid) + " is not traced: " + result.refusal);
  }
  result.finished = end == ProcessEnd::kFinished;
  result.abandoned = end == ProcessEnd::kAbandoned;
  for (const std::string& sentence : writer_.warnings(process.number)) Warn(sentence);
  for (size_t k = 0; k < kEventKindCount; ++k) {
    result.kinds[k].recorded = writer_.recorded(process.number, static_cast<EventKind>(k));
  }
  const Unreadable unreadable = {process.reader->torn(), writer_.rejected(process.number)};
  std::vector<std::string> warnings;
  CloseBooks(page, result.pid, end, unreadable, result.kinds, &warnings);
  for (std::string& sentence : warnings) Warn(std::move(sentence));
  RTL_TRY(WriteCounters(process));

  process.ended = true;
  const std::lock_guard lock(mutex_);
  ended_.push_back(result.pid);
  return Status::Ok();
}

Status Collector::Impl::WriteCounters(const Process& process) {
  for (size_t k = 0; k < kEventKindCount; ++k) {
    const std::string kind = EventKindName(static_cast<EventKind>(k));
    const KindTotals& totals = process.result.kinds[k];
    RTL_TRY(writer_.AddCounter(process.number, kind, "seen", totals.seen));
    RTL_TRY(writer_.AddCounter(process.number, kind, "recorded", totals.recorded));
    for (size_t loss = 0; loss < kLossCount; ++loss) {
      const std::string counter = std::string("loss.") + LossName(static_cast<Loss>(loss));
      RTL_TRY(writer_.AddCounter(process.number, kind, counter, totals.losses[loss]));
    }
  }
  const spool::ControlPage& page = process.reader->control();
  const struct {
    const char* name;
    const std::atomic<uint64_t>& value;
  } counters[] = {
      {"signals_created", page.signals_created}, {"signals_destroyed", page.signals_destroyed},
      {"queues_created", page.queues_created},   {"queues_destroyed", page.queues_destroyed},
      {"other_packets", page.other_packets},
  };
  for (const auto& counter : counters) {
    const uint64_t value = counter.value.load(std::memory_order_relaxed);
    RTL_TRY(writer_.AddCounter(process.number, "tracer", counter.name, value));
  }
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

// Processes that still run get no more than what they have written by now.
Status Collector::Impl::AbandonTheRest() {
  for (auto& [stem, process] : processes_) {
    if (process.ended) continue;
    process.reader->SetCollectorState(spool::CollectorState::kAbandoned);
    uint64_t records = 0;
    RTL_TRY(PollProcess(process, &records));
    RTL_TRY(EndProcess(process, ProcessEnd::kAbandoned));
    Warn("process " + std::to_string(process.result.pid) +
         " was still running when collecting ended; what it did later is not in the trace");
  }
  for (const auto& [stem, why] : unreadable_) Warn("process " + stem + " was not read: " + why);
  return Status::Ok();
}

void Collector::Impl::GatherResult(CollectResult* result) {
  result->rows = writer_.rows();
  std::vector<const Process*> in_order;
  for (const auto& [stem, process] : processes_) in_order.push_back(&process);
  std::sort(in_order.begin(), in_order.end(),
            [](const Process* a, const Process* b) { return a->number < b->number; });
  for (const Process* process : in_order) {
    result->processes.push_back(process->result);
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

// What the first part of a job says holds for the whole.
Status Collector::Impl::AddFirst(const std::string& tag, const std::string& value) {
  const auto& earlier = writer_.earlier_metadata();
  const auto found = earlier.find(tag);
  return writer_.AddMetadata(tag, found == earlier.end() ? value : found->second);
}

Status Collector::Impl::AddTotal(const std::string& tag, int64_t value) {
  const auto& earlier = writer_.earlier_metadata();
  const auto found = earlier.find(tag);
  if (found != earlier.end()) value += strtoll(found->second.c_str(), nullptr, 10);
  return writer_.AddMetadata(tag, value);
}

// Those of the earlier parts first.
Status Collector::Impl::WriteWarnings(const std::vector<std::string>& sentences) {
  constexpr std::string_view kPrefix = "warning.";
  int number = 0;
  const auto& earlier = writer_.earlier_metadata();
  for (auto tag = earlier.lower_bound(std::string(kPrefix)); tag != earlier.end(); ++tag) {
    if (!tag->first.starts_with(kPrefix)) break;
    RTL_TRY(writer_.AddMetadata("warning." + std::to_string(++number), tag->second));
  }
  for (const std::string& sentence : sentences) {
    RTL_TRY(writer_.AddMetadata("warning." + std::to_string(++number), sentence));
  }
  return Status::Ok();
}

Status Collector::Impl::WriteTotals(const KindTotals kinds[kEventKindCount]) {
  for (size_t k = 0; k < kEventKindCount; ++k) {
    const std::string kind = EventKindName(static_cast<EventKind>(k));
    const auto number = [](uint64_t value) { return static_cast<int64_t>(value); };
    RTL_TRY(AddTotal("seen." + kind, number(kinds[k].seen)));
    RTL_TRY(AddTotal("recorded." + kind, number(kinds[k].recorded)));
    for (size_t loss = 0; loss < kLossCount; ++loss) {
      const std::string tag = std::string("loss.") + LossName(static_cast<Loss>(loss)) + "." + kind;
      RTL_TRY(AddTotal(tag, number(kinds[k].losses[loss])));
    }
  }
  return Status::Ok();
}

Status Collector::Impl::WriteMetadata(const ExitStatus& exit, const CollectResult& result) {
  const spool::ProcessInfo* first = nullptr;
  for (const auto& [stem, process] : processes_) {
    if (process.number == 0) first = &process.reader->process();
  }
  spool::ProcessInfo self;
  spool::DescribeThisProcess(&self);
  const spool::ProcessInfo& host = first != nullptr ? *first : self;
  RTL_TRY(writer_.AddMetadata("schema_version", kSchemaVersion));
  RTL_TRY(writer_.AddMetadata("rtl_version", options_.tool_version));
  RTL_TRY(AddFirst("host", host.host));
  RTL_TRY(AddFirst("boot_id", host.boot_id));
  if (first != nullptr) RTL_TRY(AddFirst("pid", std::to_string(first->pid)));
  const std::string command =
      options_.command.empty() && first != nullptr ? first->command : options_.command;
  RTL_TRY(AddFirst("command", command));
  RTL_TRY(AddFirst("mode", first != nullptr ? first->mode : ""));
  RTL_TRY(AddFirst("mode_reason", first != nullptr ? first->mode_reason : ""));
  RTL_TRY(AddFirst("door", first != nullptr ? first->door : ""));
  RTL_TRY(AddFirst("runtime", first != nullptr ? first->runtime : ""));
  RTL_TRY(writer_.AddMetadata("clock", "CLOCK_BOOTTIME ns"));
  RTL_TRY(AddFirst("realtime_minus_boottime", std::to_string(host.realtime_minus_boottime)));
  const uint64_t started = first != nullptr ? first->opened : started_;
  RTL_TRY(AddFirst("started", std::to_string(started)));
  RTL_TRY(writer_.AddMetadata("ended",
                              static_cast<int64_t>(first != nullptr ? ended_at_ : BootTimeNs())));
  if (exit.how == ExitStatus::How::kExited) {
    RTL_TRY(writer_.AddMetadata("exit_code", exit.number));
  }
  if (exit.how == ExitStatus::How::kSignalled) {
    RTL_TRY(writer_.AddMetadata("signal", exit.number));
  }
  RTL_TRY(WriteTotals(result.kinds));
  return WriteWarnings(result.warnings);
}

Status Collector::Impl::Finish(const ExitStatus& exit, CollectResult* result) {
  RTL_TRY(failure_);
  (void)Round();  // its failure is in failure_
  RTL_TRY(failure_);
  RTL_TRY(AbandonTheRest());
  GatherResult(result);
  RTL_TRY(WriteMetadata(exit, *result));
  RTL_TRY(writer_.Commit(&result->output));
  if (result->output != options_.output) {
    Warn(options_.output + " was written by another trace meanwhile; this one is in " +
         result->output);
  }
  return Status::Ok();
}

Status Collector::Impl::Complete(const ExitStatus& exit, CollectResult* result) {
  const Status finished = Finish(exit, result);
  if (!finished.ok()) writer_.Drop();
  // After a failure the spool stays: what has not been read yet is still in it.
  if (finished.ok() && !options_.keep_spool) RemoveSpool();
  if (finished.ok()) result->warnings = warnings_;
  // Last, because a process that waits for this ends now.
  for (auto& [stem, process] : processes_) {
    const bool done = finished.ok() && !process.result.abandoned;
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

uint64_t Collector::rows() const { return impl_ == nullptr ? 0 : impl_->rows(); }

}  // namespace rtl::store
