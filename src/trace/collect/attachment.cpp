// SPDX-License-Identifier: MIT
// Attaching to a process that was started with RTL_ATTACH: the ring holds the events since the last
// attachment.

#include <algorithm>
#include <charconv>

#include "base/clock.h"
#include "spool/process_stat.h"
#include "spool/reader.h"
#include "trace/collect/collector_impl.h"

namespace rtl::store {
namespace {

constexpr std::string_view kBegin = "begin";
constexpr std::string_view kEnd = "end ";
// The process checks its control page about ten times a second, or less often when processors are
// busy.
constexpr uint64_t kSwitchNs = 10'000'000'000;
// When the process ends, the attached program learns this at once, and requests the last window
// within this time.
constexpr uint64_t kLastWindowNs = 10'000'000'000;

}  // namespace

bool Collector::Impl::AttacherLives() const {
  uint32_t pid = 0;
  // the text has only digits
  (void)std::from_chars(attacher_.data(), attacher_.data() + attacher_.size(), pid);
  spool::ProcessStat stat;
  return pid != 0 && spool::ReadProcessStat(pid, &stat) && !stat.dead();
}

Status Collector::Impl::ReadAll() {
  for (auto& [stem, process] : processes_) {
    uint64_t records = 0;
    if (!process.ended) RTL_TRY(PollProcess(process, &records));
  }
  return Status::Ok();
}

// Opens or closes the window. False if there is no living process to attach to, or if one does not
// respond.
bool Collector::Impl::SetWindow(spool::AttachWindow wanted) {
  std::vector<Process*> asked;
  for (auto& [stem, process] : processes_) {
    const spool::AttachWindow now = process.reader->control().window.load();
    if (process.ended || now == spool::AttachWindow::kNone) continue;
    process.reader->AskForWindow(wanted);
    asked.push_back(&process);
  }
  const auto follows = [&](const Process* process) {
    return process->reader->control().window.load() == wanted || process->reader->WriterGone();
  };
  const uint64_t start = BootTimeNs();
  while (!std::all_of(asked.begin(), asked.end(), follows)) {
    if (BootTimeNs() - start > kSwitchNs) return false;
    Nap(1'000'000);
  }
  return !asked.empty();
}

void Collector::Impl::AnswerAttachers() {
  for (const Question& ask : TakeAsks(spool_.path(), kAskAttach)) {
    AnswerAsk(spool_.path(), kAskAttach, ask, AttachAnswer(ask));
  }
}

// Returns "+" and a message, or "-" and a reason.
std::string Collector::Impl::AttachAnswer(const Question& ask) {
  if (!options_.attachable) {
    return "-it is traced already; attaching needs a program that was started with RTL_ATTACH=1";
  }
  const bool attached = !attacher_.empty() && AttacherLives();
  if (ask.text == kBegin) {
    if (attached) return "-process " + attacher_ + " is attached to it";
    return BeginAttachment(ask);
  }
  if (attacher_ != ask.who || !ask.text.starts_with(kEnd)) return "-you are not attached to it";
  return EndAttachment(ask.text.substr(kEnd.size()));
}

std::string Collector::Impl::BeginAttachment(const Question& ask) {
  const Status read = ReadAll();
  if (!read.ok()) return "-" + std::string(read.message());
  window_->ring().Clear();
  if (!SetWindow(spool::AttachWindow::kOpen)) {
    (void)SetWindow(spool::AttachWindow::kClosed);  // in case the process responds later
    return "-it does not answer: no runtime is loaded in it, or its tracer is stalled";
  }
  attacher_ = ask.who;
  return "+";
}

std::string Collector::Impl::EndAttachment(const std::string& output) {
  (void)SetWindow(spool::AttachWindow::kClosed);  // fails only for a process that has ended
  attacher_.clear();
  const Status read = ReadAll();
  if (!read.ok()) return "-" + std::string(read.message());
  CollectResult result;
  const Status written = WriteWindow(output, &result);
  if (!written.ok()) return "-" + std::string(written.message());
  return result.left_earlier ? "-nothing was recorded; the earlier trace in " + output + " stays"
                             : "+" + result.output;
}

// Called at the end. Of a process that has ended, only the window remains that was open at its end.
Status Collector::Impl::CompleteAttachable() {
  (void)Round();  // a failure is kept in failure_
  const auto wanted = [this] {
    return (!attacher_.empty() && AttacherLives()) || HasAnswers(spool_.path(), kAskAttach);
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

}  // namespace rtl::store
