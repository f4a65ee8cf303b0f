// SPDX-License-Identifier: MIT
#include "trace/collect/collector.h"

#include <algorithm>
#include <chrono>
#include <system_error>

#include "base/clock.h"
#include "base/own_thread.h"
#include "spool/overflow.h"
#include "spool/reader.h"
#include "spool/sharing.h"
#include "trace/collect/collector_impl.h"
#include "trace/write/asks.h"
#include "trace/write/continuation.h"

namespace rtl::store {
namespace {

// The pause between two rounds over the spool: short while there are new records, longer otherwise.
constexpr auto kShortPause = std::chrono::milliseconds(1);
constexpr auto kLongPause = std::chrono::milliseconds(10);
// When the process ends, the attached program learns this at once, and requests the last window
// within this time.
constexpr uint64_t kLastWindowNs = 10'000'000'000;

// Waits a moment for a process that has begun its normal end.
bool EndsNow(spool::ProcessReader& reader) {
  constexpr uint64_t kLimitNs = 500'000'000;
  const uint64_t until = BootTimeNs() + kLimitNs;
  while (reader.control().finished.load(std::memory_order_relaxed) != 0) {
    if (reader.WriterGone()) return true;
    if (BootTimeNs() >= until) return false;
    Nap(1'000'000);
  }
  return false;
}

}  // namespace

// Windows are not made again from the spool, so nothing is kept for them. A machine that is always
// busy must not delay the parts for ever.
Collector::Impl::Impl(CollectOptions options)
    : options_(std::move(options)),
      processes_(spool_,
                 options_.keep_spool        ? UINT64_MAX
                 : options_.ring_bytes != 0 ? 0
                                            : options_.kept_bytes,
                 &summary_),
      schedule_(options_.processor_to_spare,
                options_.take_part != nullptr ? options_.part_ns : UINT64_MAX) {}

Status Collector::Impl::Start() {
  RTL_TRY(spool_.Open(options_.spool));
  spool::MakeOverflow(spool_.path().c_str());
  if (options_.ring_bytes != 0) {
    std::unique_ptr<EventWindow> window;
    RTL_TRY(EventWindow::Make(options_.ring_bytes, options_.mark_trigger, options_.range_triggers,
                              &window));
    windows_ = std::make_unique<WindowWriter>(std::move(window), options_, clocks_, &processes_,
                                              &summary_);
  }
  if (options_.attachable) {
    attachment_ =
        std::make_unique<Attachment>([this] { return PollAll(); }, &processes_, windows_.get());
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
    if (options_.shared) processes_.ReleaseEnded();
    Answer();
    if (attachment_ != nullptr) attachment_->EndIfDead();
    std::vector<std::string> windows = requests_.TakeWindows();
    if (windows_ != nullptr) windows_->WriteDue(std::move(windows));
    if (failure_.ok() && options_.take_part != nullptr) failure_ = parts_.WriteDue(&processes_);
    if (failure_.ok()) processes_.LimitKept();
    if (!failure_.ok()) processes_.Abandon();
    const size_t left = windows_ == nullptr ? 0 : windows_->window().left();
    const Requests::Round round = {.known = processes_.found() + left,
                                   .running = processes_.running(),
                                   .failed = !failure_.ok()};
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
  return processes_.is_keeping() && !options_.shared && !options_.attachable &&
         options_.take_part == nullptr && !Cancelled();
}

bool Collector::Impl::MayWait() {
  if (requests_.HasAny() || !failure_.ok() || schedule_.IsDue()) return false;
  Attach();  // attaches early, so that a process learns soon that its spool is read
  return !schedule_.LookForAsks(spool_.path()) && !processes_.NeedReading();
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
    failure_ = Poll(&process, &records);
    busy |= records != 0;
    if (failure_.ok() && gone) {
      failure_ = End(&process, processes_.HowItEnded(process));
      const bool waits = options_.shared || options_.attachable;
      if (failure_.ok() && !waits) processes_.CloseReader(&process);
    }
    CountRows();
    if (!failure_.ok()) return false;
  }
  if (windows_ != nullptr) failure_ = windows_->ForgetLeft();
  return busy;
}

void Collector::Impl::Attach() {
  const Status attached =
      processes_.AttachToNew([this](CollectedProcess* process) { return Prepare(process); });
  if (failure_.ok()) failure_ = attached;
}

// Chooses where the events of a new process go.
Status Collector::Impl::Prepare(CollectedProcess* process) {
  // Limits the memory for many processes.
  constexpr size_t kOwnCacheBytes = 2 << 20;
  ProcessResult& result = process->result;
  if (options_.take_part != nullptr) {
    process->parts = std::make_unique<ProcessParts>(options_.part_bytes, options_.part_ns);
    process->KeepEvents(&process->parts->events(), 0);
    return Status::Ok();
  }
  result.output = options_.output;
  if (windows_ != nullptr) {
    process->KeepEvents(&windows_->window().ring(), static_cast<uint32_t>(process->order));
    return Status::Ok();
  }
  process->writer = &writer_;
  if (options_.split) {
    result.output = processes_.OwnName(options_.output, result.pid);
    process->own = std::make_unique<TraceWriter>();
    process->writer = process->own.get();
    RTL_TRY(process->own->Create(result.output,
                                 {.cache_bytes = kOwnCacheBytes, .choice = options_.choice}));
  }
  process->writer->AddProcess(process->reader->process(), &process->number);
  return Status::Ok();
}

Status Collector::Impl::Poll(CollectedProcess* process, uint64_t* records) {
  ProcessResult& result = process->result;
  result.most_backlog = std::max(result.most_backlog, process->reader->Backlog());
  result.fell_behind |= process->reader->FallsBehind();
  ProcessParts* const parts = process->parts.get();
  Status written = Status::Ok();
  if (parts != nullptr) parts->BeginPoll();
  const Status read = process->reader->Poll(
      [&](const spool::RecordView& record) {
        if (windows_ != nullptr) {
          windows_->window().Keep(static_cast<uint32_t>(process->order), record);
        } else if (written.ok()) {
          written = Cancelled()        ? Status::Error("interrupted")
                    : parts != nullptr ? parts_.Keep(process, record)
                                       : process->writer->Add(process->number, record);
        }
      },
      records);
  if (parts != nullptr) parts->EndPoll();
  RTL_TRY(written);
  if (!read.ok()) summary_.Warn(&result, read.message());
  return process->events != nullptr ? Status::Ok() : process->writer->Settle(process->number);
}

Status Collector::Impl::PollAll() {
  for (auto& [stem, process] : processes_) {
    uint64_t records = 0;
    if (!process.ended) RTL_TRY(Poll(&process, &records));
  }
  return Status::Ok();
}

void Collector::Impl::CountRows() {
  const uint64_t rows = processes_.rows() + (WritesOne() ? writer_.rows() : 0);
  rows_.store(windows_ != nullptr ? windows_->window().ring().events() : rows,
              std::memory_order_relaxed);
}

// Called after the last Poll of a process.
Status Collector::Impl::End(CollectedProcess* process, ProcessEnd end) {
  ProcessResult& result = process->result;
  if (process->parts != nullptr) {
    RTL_TRY(parts_.Write(process, end, true));
    process->parts.reset();
    process->KeepEvents(nullptr, 0);
  } else if (windows_ != nullptr) {
    result.end = end;  // the events of the process stay in the ring
    windows_->window().End(static_cast<uint32_t>(process->order));
    if (end == ProcessEnd::kKilled && processes_.size() > 1 && !options_.attachable)
      windows_->window().Ask("process " + std::to_string(result.pid) + " died");
  } else {
    RTL_TRY(process->Close(end, false, clocks_, &summary_));
    if (process->own != nullptr) RTL_TRY(process->CompleteOwn(options_.tool_version, &summary_));
  }
  process->ended = true;
  requests_.NoteEnded(result.pid);
  return Status::Ok();
}

// Called after a round over every process: answers requests of other programs and threads.
void Collector::Impl::Answer() {
  const std::string& spool = spool_.path();
  if (schedule_.TakeAsked(spool)) {
    AnswerInFlight(spool, [this] { return ListInFlight(); });
    for (const Question& ask : TakeAsks(spool, kAskWindow)) {
      AnswerAsk(spool, kAskWindow, ask,
                windows_ != nullptr
                    ? windows_->Answer(ask.text)
                    : "-this trace keeps every event; windows are written with --ring");
    }
    AnswerAttachers();
  }
  requests_.AnswerInFlight([this] { return ListInFlight(); });
}

void Collector::Impl::AnswerAttachers() {
  for (const Question& ask : TakeAsks(spool_.path(), kAskAttach)) {
    AnswerAsk(spool_.path(), kAskAttach, ask,
              attachment_ != nullptr ? attachment_->Answer(ask)
                                     : "-it is traced already; attaching needs a program that was "
                                       "started with RTL_ATTACH=1");
  }
}

std::vector<InFlightRow> Collector::Impl::ListInFlight() {
  std::vector<InFlightRow> rows;
  if (windows_ == nullptr && options_.take_part == nullptr) {
    for (auto& [stem, process] : processes_) {
      if (process.ended) continue;
      // A name that cannot be found stays empty.
      (void)process.writer->ListInFlight(process.number, *process.reader, &rows);
    }
    return rows;
  }
  // The name, the call and the range of a kernel are in memory, or not known.
  TraceWriter database;  // never published under a name
  const std::string unused = options_.take_part ? spool_.path() + "/in-flight" : options_.output;
  if (!database.Create(unused, {}).ok()) return rows;
  for (const CollectedProcess* process : processes_.InOrder()) {
    if (process->ended) continue;
    size_t number = 0;
    database.AddProcess(process->reader->process(), &number);
    if (process->Replay(&database, number).ok())
      (void)database.ListInFlight(number, *process->reader, &rows);
  }
  return rows;
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

// Ends the processes that still run: only the records that they have written so far are read.
Status Collector::Impl::EndTheRest() {
  for (auto& [stem, process] : processes_) {
    if (process.ended) continue;
    if (EndsNow(*process.reader)) {
      uint64_t last = 0;
      RTL_TRY(Poll(&process, &last));
      RTL_TRY(End(&process, processes_.HowItEnded(process)));
      continue;
    }
    // A kept spool is read again later, with the records that follow.
    if (!options_.keep_spool) process.reader->SetCollectorState(spool::CollectorState::kAbandoned);
    uint64_t records = 0;
    RTL_TRY(Poll(&process, &records));
    RTL_TRY(End(&process, ProcessEnd::kAbandoned));
  }
  processes_.WarnOfUnreadable();
  return Status::Ok();
}

Status Collector::Impl::Finish(const ExitStatus& exit, CollectResult* result) {
  RTL_TRY(failure_);
  if (Cancelled()) return Status::Error("interrupted");
  (void)Round();  // a failure is kept in failure_
  RTL_TRY(failure_);
  RTL_TRY(EndTheRest());
  if (windows_ != nullptr) RTL_TRY(windows_->Fill(&writer_, &summary_));
  RTL_TRY(summary_.AddOverflow(spool_.path(), WritesOne() ? &writer_ : nullptr));
  result->spool_lost = !spool_.HasItsName();
  if (result->spool_lost) {
    summary_.Warn(
        "the spool " + options_.spool +
        " was removed or renamed, or a disk was mounted over it, while the program ran: processes "
        "that began afterwards are not in the trace");
  }
  CountRows();
  result->rows = rows();
  if (windows_ != nullptr)
    std::copy_n(windows_->window().left_kinds(), size_t{kEventKindCount}, result->kinds);
  processes_.Gather(result);
  summary_.Gather(result);
  if (options_.parts_end != nullptr) return options_.parts_end(*result);
  if (!WritesOne()) return Status::Ok();
  return summary_.Complete(&writer_, processes_.first(), options_.output, exit, result);
}

Status Collector::Impl::Complete(const ExitStatus& exit, CollectResult* result) {
  if (options_.attachable) return CompleteAttachable();
  const Status finished = Finish(exit, result);
  if (!finished.ok()) DropDatabases();
  // After a failure the spool stays, because it still has the unread records.
  if (finished.ok() && !options_.keep_spool) RemoveSpool();
  if (finished.ok()) result->warnings = summary_.warnings();
  // Done last, because a process that waits for this state then ends.
  for (auto& [stem, process] : processes_) {
    if (process.reader == nullptr) continue;
    const bool goes_on = process.result.end == ProcessEnd::kAbandoned;
    if (finished.ok() && goes_on && options_.keep_spool) continue;
    const bool done = finished.ok() && !goes_on;
    process.reader->SetCollectorState(done ? spool::CollectorState::kDone
                                           : spool::CollectorState::kAbandoned);
  }
  spool_.Release();
  return finished;
}

void Collector::Impl::RemoveSpool() {
  spool_.Remove([this](const std::string& stem) { return processes_.contains(stem); },
                [this](std::string sentence) { summary_.Warn(std::move(sentence)); });
}

// Called at the end. Of a process that has ended, only the window remains that was open at its end.
Status Collector::Impl::CompleteAttachable() {
  (void)Round();  // a failure is kept in failure_
  const auto wanted = [this] {
    return attachment_->IsAttached() || HasAnswers(spool_.path(), kAskAttach);
  };
  const bool waits = wanted();
  if (!waits && failure_.ok()) RemoveSpool();
  for (auto& [stem, process] : processes_) {
    const bool done = failure_.ok() && process.ended;
    process.reader->SetCollectorState(done ? spool::CollectorState::kDone
                                           : spool::CollectorState::kAbandoned);
  }
  if (!waits) return failure_;
  const uint64_t start = BootTimeNs();
  while (wanted() && BootTimeNs() - start < kLastWindowNs) {
    AnswerAttachers();
    Nap(5'000'000);
  }
  if (failure_.ok()) RemoveSpool();
  return failure_;
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
