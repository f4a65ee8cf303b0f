// SPDX-License-Identifier: MIT
#include "trace/collect/attachment.h"

#include <algorithm>
#include <charconv>
#include <vector>

#include "base/clock.h"
#include "spool/process_stat.h"
#include "spool/reader.h"

namespace rtl::store {
namespace {

constexpr std::string_view kBegin = "begin";
constexpr std::string_view kEnd = "end ";
// The process checks its control page about ten times a second, or less often when processors are
// busy.
constexpr uint64_t kSwitchNs = 10'000'000'000;

}  // namespace

bool Attachment::IsAttached() const {
  uint32_t pid = 0;
  // the text has only digits
  (void)std::from_chars(attacher_.data(), attacher_.data() + attacher_.size(), pid);
  spool::ProcessStat stat;
  return pid != 0 && spool::ReadProcessStat(pid, &stat) && !stat.dead();
}

void Attachment::EndIfDead() {
  if (attacher_.empty() || IsAttached()) return;
  // fails if the process has ended, too, which does not matter
  (void)SetWindow(spool::AttachWindow::kClosed);
  attacher_.clear();
}

// Opens or closes the window. False if there is no living process to attach to, or if one does not
// respond.
bool Attachment::SetWindow(spool::AttachWindow wanted) {
  std::vector<CollectedProcess*> asked;
  for (auto& [stem, process] : *processes_) {
    const spool::AttachWindow now = process.reader->control().window.load();
    if (process.ended || now == spool::AttachWindow::kNone) continue;
    process.reader->AskForWindow(wanted);
    asked.push_back(&process);
  }
  const auto follows = [&](const CollectedProcess* process) {
    return process->reader->control().window.load() == wanted || process->reader->WriterGone();
  };
  const uint64_t start = BootTimeNs();
  while (!std::all_of(asked.begin(), asked.end(), follows)) {
    if (BootTimeNs() - start > kSwitchNs) return false;
    Nap(1'000'000);
  }
  return !asked.empty();
}

std::string Attachment::Answer(const Question& ask) {
  if (ask.text == kBegin) {
    if (IsAttached()) return "-process " + attacher_ + " is attached to it";
    return Begin(ask.who);
  }
  if (attacher_ != ask.who || !ask.text.starts_with(kEnd)) return "-you are not attached to it";
  return End(ask.text.substr(kEnd.size()));
}

std::string Attachment::Begin(const std::string& attacher) {
  const Status read = read_all_();
  if (!read.ok()) return "-" + std::string(read.message());
  windows_->window().ring().Clear();
  if (!SetWindow(spool::AttachWindow::kOpen)) {
    (void)SetWindow(spool::AttachWindow::kClosed);  // in case the process responds later
    return "-it does not answer: no runtime is loaded in it, or its tracer is stalled";
  }
  attacher_ = attacher;
  return "+";
}

std::string Attachment::End(const std::string& output) {
  (void)SetWindow(spool::AttachWindow::kClosed);  // fails only for a process that has ended
  attacher_.clear();
  const Status read = read_all_();
  if (!read.ok()) return "-" + std::string(read.message());
  CollectResult result;
  const Status written = windows_->Write(output, &result);
  if (!written.ok()) return "-" + std::string(written.message());
  return result.left_earlier ? "-nothing was recorded; the earlier trace in " + output + " stays"
                             : "+" + result.output;
}

}  // namespace rtl::store
