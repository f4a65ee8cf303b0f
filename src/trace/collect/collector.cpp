// SPDX-License-Identifier: MIT
#include "trace/collect/collector.h"

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <system_error>

#include "base/own_thread.h"
#include "spool/directory.h"
#include "spool/overflow.h"
#include "spool/reader.h"
#include "spool/sharing.h"
#include "trace/collect/collector_impl.h"
#include "trace/write/asks.h"
#include "trace/write/continuation.h"
#include "trace/write/earlier_trace.h"

namespace rtl::store {
namespace {

// The pause between two rounds over the spool: short while there are new records, longer otherwise.
constexpr auto kShortPause = std::chrono::milliseconds(1);
constexpr auto kLongPause = std::chrono::milliseconds(10);
// The share of a process's limit that may be unread while the machine is busy.
constexpr double kMuch = 0.125;
// Each process that has ended keeps a segment on disk until it is read.
constexpr ptrdiff_t kManyEnded = 16;

}  // namespace

// A machine that is always busy must not delay the parts for ever.
Collector::Impl::Impl(CollectOptions options)
    : options_(std::move(options)),
      schedule_(options_.processor_to_spare,
                options_.take_part != nullptr ? options_.part_ns : UINT64_MAX) {}

Status Collector::Impl::Start() {
  RTL_TRY(spool_.Open(options_.spool));
  keeping_ = options_.keep_spool || (options_.kept_bytes != 0 && options_.ring_bytes == 0);
  spool::MakeOverflow(spool_.path().c_str());
  if (options_.ring_bytes != 0) {
    RTL_TRY(EventWindow::Make(options_.ring_bytes, options_.mark_trigger, options_.range_triggers,
                              &window_));
  }
  if (WritesOne()) {
    const bool go_on = options_.shared && ContinuesJob(options_.output, options_.spool);
    RTL_TRY(writer_.Reserve(options_.output, {.go_on = go_on, .choice = options_.choice}));
  }
  const SignalsBlocked blocked;  // signals must go to the thread that passes them on to the program
  try {
    thread_ = std::thread([this] { Run(); });
  } catch (const std::system_error& error) {
    return Status::ErrnoError(error.code().value(), "no thread to read the spool with");
  }
  return Status::Ok();
}

void Collector::Impl::Run() {
  // Begun here, so that it happens while the program starts.
  if (WritesOne()) failure_ = writer_.Begin();
  auto pause = kShortPause;
  for (;;) {
    if (MayWait()) {
      requests_.Pause(kLongPause);
      continue;
    }
    schedule_.BeginRound();
    const bool busy = Round();
    pause = busy ? kShortPause : std::min(pause * 2, kLongPause);
    ReleaseEnded();
    Answer();
    if (!attacher_.empty() && !AttacherLives()) {
      // fails if the process has ended, too, which does not matter
      (void)SetWindow(spool::AttachWindow::kClosed);
      attacher_.clear();
    }
    WriteWindows();
    if (failure_.ok() && options_.take_part != nullptr) failure_ = WriteParts();
    LimitKept();
    if (!failure_.ok()) LetGo();
    Requests::Round round = {
        .known =
            processes_.size() + (window_ == nullptr ? 0 : window_->left()) + unreadable_.size(),
        .failed = !failure_.ok()};
    for (const auto& [stem, process] : processes_) round.running += !process.ended;
    if (!requests_.EndRound(round, pause)) break;
  }
  if (!failure_.ok()) DropDatabases();
}

// The program may need the disk space for its records.
void Collector::Impl::DropDatabases() {
  writer_.Drop();
  for (auto& [stem, process] : processes_) {
    process.own.reset();
    process.writer = nullptr;
  }
}

bool Collector::Impl::CanRepeat() const {
  return keeping_ && !options_.shared && !options_.attachable && options_.take_part == nullptr &&
         !Cancelled();
}

// If more than the limit is kept, deletes the segments that are read. From then on their records
// are only in the database.
void Collector::Impl::LimitKept() {
  if (!keeping_ || options_.keep_spool || !failure_.ok()) return;
  uint64_t kept = kept_by_ended_;
  for (const auto& [stem, process] : processes_) {
    if (process.reader != nullptr) kept += process.reader->kept_bytes();
  }
  if (kept <= options_.kept_bytes) return;
  keeping_ = false;
  for (auto& [stem, process] : processes_) {
    if (process.reader != nullptr) process.reader->StopKeeping();
  }
  const Status removed = spool::RemoveSegments(spool_.path(), [this](const std::string& stem) {
    const auto found = processes_.find(stem);
    return found != processes_.end() && found->second.reader == nullptr;
  });
  if (!removed.ok()) Warn(removed.message());
}

bool Collector::Impl::MayWait() {
  if (requests_.HasAny() || !failure_.ok() || schedule_.IsDue()) return false;
  Attach();  // attaches early, so that a process learns soon that its spool is read
  if (schedule_.LookForAsks(spool_.path())) return false;
  const auto much = [](const auto& entry) {
    const Process& process = entry.second;
    return !process.ended && process.reader->Backlog() >= kMuch;
  };
  const auto gone = [](const auto& entry) {
    const Process& process = entry.second;
    return !process.ended && process.reader->WriterGone();
  };
  return std::none_of(processes_.begin(), processes_.end(), much) &&
         std::count_if(processes_.begin(), processes_.end(), gone) < kManyEnded;
}

std::vector<InFlightRow> Collector::Impl::ListInFlight() {
  if (window_ != nullptr || options_.take_part != nullptr) return ListInFlightOfWindow();
  std::vector<InFlightRow> rows;
  for (auto& [stem, process] : processes_) {
    if (process.ended) continue;
    // A name that cannot be found stays empty.
    (void)process.writer->ListInFlight(process.number, *process.reader, &rows);
  }
  return rows;
}

// Called after a round over every process: answers requests for the kernels in flight.
void Collector::Impl::Answer() {
  if (schedule_.TakeAsked(spool_.path())) {
    AnswerInFlight(spool_.path(), [this] { return ListInFlight(); });
    AnswerDumps();
    AnswerAttachers();
  }
  requests_.AnswerInFlight([this] { return ListInFlight(); });
}

// Called when nothing will be read any more: releases every process that waits.
void Collector::Impl::LetGo() {
  for (auto& [stem, process] : processes_) {
    if (!process.ended) process.reader->SetCollectorState(spool::CollectorState::kAbandoned);
  }
}

// Makes one round over every process. True if there was something to read.
bool Collector::Impl::Round() {
  // Datasets read the clocks themselves.
  if (options_.take_part == nullptr) clocks_.ReadIfDue();
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
      if (status.ok()) Release(process);
    }
    CountRows();
    if (!status.ok()) {
      failure_ = status;
      return false;
    }
  }
  if (window_ != nullptr) {
    if (const Status status = ForgetLeft(); !status.ok()) failure_ = status;
  }
  return busy;
}

// Releases the processes that have ended if other processes go on, because an ended process must
// not wait for a database that is complete only after the others.
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
  if (page.finished.load(std::memory_order_relaxed) != 0) return ProcessEnd::kFinished;
  // The program that replaced it by exec may have ended, too, before this round.
  const auto next = processes_.find(spool::NextStem(stem));
  const bool replaced = process.reader->replaced() || next != processes_.end();
  return replaced ? ProcessEnd::kReplaced : ProcessEnd::kKilled;
}

void Collector::Impl::Attach() {
  std::vector<std::string> stems;
  const Status listed = spool::ListProcesses(spool_.path(), &stems);
  if (!listed.ok()) {
    Warn(spool_.Readable(listed.message()));
    return;
  }
  for (const std::string& stem : stems) {
    if (processes_.contains(stem)) continue;
    std::unique_ptr<spool::ProcessReader> reader;
    const Status opened = spool::ProcessReader::Open(spool_.path(), stem, keeping_, &reader);
    if (!opened.ok()) {
      // The spool may be incomplete still, so the next round tries again.
      unreadable_[stem] = spool_.Readable(opened.message());
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
  // Limits the memory for many processes.
  constexpr size_t kOwnCacheBytes = 2 << 20;
  Process process;
  process.reader = std::move(reader);
  process.writer = &writer_;
  process.order = attached_++;
  process.stem = stem;
  const spool::ProcessInfo& info = process.reader->process();
  process.result.pid = info.pid;
  process.result.output = options_.output;
  if (options_.split) {
    process.own = std::make_unique<TraceWriter>();
    process.writer = process.own.get();
    process.result.output = OwnName(info.pid);
    RTL_TRY(process.own->Create(process.result.output,
                                {.cache_bytes = kOwnCacheBytes, .choice = options_.choice}));
  }
  if (options_.take_part != nullptr) {
    process.writer = nullptr;
    process.result.output.clear();
    process.parts = std::make_unique<ProcessParts>(options_.part_bytes, options_.part_ns);
  } else if (window_ == nullptr) {
    process.writer->AddProcess(info, &process.number);
  }
  process.reader->SetCollectorState(spool::CollectorState::kAttached);
  processes_.emplace(stem, std::move(process));
  return Status::Ok();
}

// Returns a name such as "trace.4711.db", or "trace.4711-2.db" for a further program with this pid.
std::string Collector::Impl::OwnName(uint32_t pid) {
  const std::filesystem::path path(options_.output);
  for (int number = 1;; ++number) {
    std::filesystem::path name = path;
    name.replace_extension("." + std::to_string(pid) +
                           (number == 1 ? "" : "-" + std::to_string(number)) +
                           path.extension().string());
    struct stat info;
    const bool is_foreign =
        stat(name.c_str(), &info) == 0 && info.st_size != 0 && !IsTrace(name.string());
    if (!is_foreign && own_names_.insert(name.string()).second) return name.string();
  }
}

Status Collector::Impl::PollProcess(Process& process, uint64_t* records) {
  ProcessResult& result = process.result;
  result.most_backlog = std::max(result.most_backlog, process.reader->Backlog());
  result.fell_behind |= process.reader->FallsBehind();
  Status written = Status::Ok();
  ++process.polls;
  process.is_polling = true;
  const Status read = process.reader->Poll(
      [&](const spool::RecordView& record) {
        if (window_ != nullptr) {
          window_->Keep(static_cast<uint32_t>(process.order), record);
        } else if (process.parts != nullptr) {
          if (written.ok()) written = KeepForPart(process, record);
        } else if (written.ok()) {
          written = Cancelled() ? Status::Error("interrupted")
                                : process.writer->Add(process.number, record);
        }
      },
      records);
  process.is_polling = false;
  RTL_TRY(written);
  if (!read.ok()) Warn(process, read.message());
  if (window_ != nullptr || process.parts != nullptr) return Status::Ok();
  return process.writer->Settle(process.number);
}

void Collector::Impl::CountRows() {
  uint64_t rows = completed_rows_ + (WritesOne() ? writer_.rows() : 0);
  if (window_ != nullptr) rows = window_->ring().events();
  for (const auto& [stem, process] : processes_) {
    if (process.own != nullptr) rows += process.own->rows();
    if (process.parts != nullptr) rows += process.parts->events().events();
  }
  rows_.store(rows, std::memory_order_relaxed);
}

// Closes the reader, because thousands of short processes must not keep thousands of descriptors
// and buffers. A control page stays open only while its process waits for the database.
void Collector::Impl::Release(Process& process) {
  if (options_.shared || options_.attachable) return;
  if (process.order == 0) first_ = process.reader->process();
  process.torn = process.reader->torn();
  kept_by_ended_ += process.reader->kept_bytes();
  process.reader->SetCollectorState(spool::CollectorState::kRead);
  process.reader.reset();
}

void Collector::Impl::WaitForAll() {
  // If a process was about to join when the spool was closed, it has joined now, so it is waited
  // for.
  for (bool closed = false;;) {
    const std::optional<size_t> known = requests_.WaitForNone();
    if (!known || closed) return;
    closed = spool::CloseSpool(spool_.path().c_str(), *known);
  }
}

void Collector::Impl::Join() {
  requests_.Stop();
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

Collector::Collector() = default;

Collector::~Collector() {
  if (impl_ != nullptr) impl_->Join();
}

Status Collector::Start(const CollectOptions& options) {
  impl_ = std::make_unique<Impl>(options);
  return impl_->Start();
}

void Collector::WaitForProcess(uint32_t pid, const std::function<bool()>& has_left) {
  impl_->requests().WaitForProcess(pid, has_left);
}

void Collector::WaitForAll() { impl_->WaitForAll(); }

Status Collector::Stop(const ExitStatus& exit, CollectResult* result) {
  impl_->Join();
  const Status first = impl_->Complete(exit, result);
  if (first.ok() || !impl_->CanRepeat()) return first;
  const CollectOptions options = impl_->options();
  impl_.reset();  // gives up the claim to the spool
  impl_ = std::make_unique<Impl>(options);
  RTL_TRY(impl_->Start());
  impl_->Join();
  *result = CollectResult();
  return impl_->Complete(exit, result);
}

Status Collector::InFlight(std::vector<InFlightRow>* rows) {
  return impl_->requests().InFlight(rows);
}

void Collector::RequestWindow(const std::string& why) { impl_->requests().Window(why); }

uint64_t Collector::rows() const { return impl_ == nullptr ? 0 : impl_->rows(); }

}  // namespace rtl::store
