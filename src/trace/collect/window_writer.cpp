// SPDX-License-Identifier: MIT
// rtl trace --ring: the database is a window of the last events. Windows that are written while the
// program runs are such databases, too.
#include <algorithm>

#include "spool/reader.h"
#include "trace/collect/accounting.h"
#include "trace/collect/collector_impl.h"
#include "trace/write/asks.h"

namespace rtl::store {

// Opens the control page of a released process again, which is still in the spool.
Status Collector::Impl::Reopen(Process* process) {
  if (process->reader != nullptr) return Status::Ok();
  return spool::ProcessReader::Open(spool_.path(), process->stem, false, &process->reader);
}

// Forgets processes that have left the window, because the memory must not grow with their number.
Status Collector::Impl::ForgetLeft() {
  for (const uint32_t number : window_->ring().TakeLeft()) {
    const auto found = std::find_if(processes_.begin(), processes_.end(), [&](const auto& entry) {
      return entry.second.order == number;
    });
    RTL_TRY(AddSums(&found->second));
    window_->NoteLeft(number);
    processes_.erase(found);
  }
  return Status::Ok();
}

// Adds what remains of a process in the database: the number of its events of each kind, and the
// reason why none of them is in the window.
Status Collector::Impl::AddSums(Process* process) {
  const Status opened = Reopen(process);
  if (!opened.ok()) {
    Warn("of process " + std::to_string(process->result.pid) +
         " nothing is counted: " + opened.message());
    return Status::Ok();
  }
  spool::ProcessReader& reader = *process->reader;
  const Reading reading = ReadingOf(*process);
  KindTotals kinds[kEventKindCount];
  // not reported, because one warning for each process would grow without bound
  std::vector<std::string> contradictions;
  CompleteCounts(reader.control(), process->result.pid, process->result.end, reading, kinds,
                 &contradictions);
  window_->AddLeft(kinds);
  if (process->order == 0) first_ = reader.process();
  reader.SetCollectorState(spool::CollectorState::kRead);
  return reader.Remove();
}

// Writes the ring's events of every process, and their present counts.
Status Collector::Impl::FillWindow(TraceWriter* writer) {
  if (const size_t left = window_->left(); left != 0) {
    Warn(std::to_string(left) + (left == 1 ? " process" : " processes") +
         " ended before the window; their events are in the sums only");
  }
  for (Process* process : InOrder()) {
    const bool released = process->reader == nullptr;
    const Status opened = Reopen(process);
    if (!opened.ok()) {
      Warn("process " + process->stem + " is not in the window: " + opened.message());
      continue;
    }
    process->writer = writer;
    writer->AddProcess(process->reader->process(), &process->number);
    RTL_TRY(window_->ring().Replay(
        static_cast<uint32_t>(process->order),
        [&](const spool::RecordView& record) { return writer->Add(process->number, record); }));
    RTL_TRY(CloseProcess(*process, process->ended ? process->result.end : ProcessEnd::kAbandoned));
    if (released) process->reader.reset();
  }
  return Status::Ok();
}

// The processes go on, so the results and warnings set here apply to this window only.
Status Collector::Impl::WriteWindow(const std::string& output, CollectResult* result) {
  std::map<std::string, ProcessResult> results;
  for (const auto& [stem, process] : processes_) results.emplace(stem, process.result);
  const std::vector<std::string> warnings = warnings_;
  const uint64_t ended_at = ended_at_;
  TraceWriter writer;
  Status status = writer.Create(output, {.choice = options_.choice});
  if (status.ok()) status = FillWindow(&writer);
  if (status.ok()) {
    GatherResult(result);
    result->rows = writer.rows();
    status = CompleteOne(&writer, output, {}, result);
  }
  for (auto& [stem, process] : processes_) {
    process.result = results.at(stem);
    process.writer = &writer_;
  }
  warnings_ = warnings;
  ended_at_ = ended_at;
  return status;
}

void Collector::Impl::WriteWindowFor(const std::string& why) {
  const auto say = [this](const std::string& sentence) {
    if (options_.say != nullptr) options_.say(sentence);
  };
  // A program that requests windows again and again must not fill the disk.
  constexpr int kMost = 32;
  if (window_->named() > kMost) return;
  const std::string name = window_->NextName(options_.output);
  if (window_->named() > kMost)
    return say(std::to_string(kMost) + " windows have been written; no more follow");
  CollectResult result;
  const Status written = WriteWindow(name, &result);
  say(written.ok() ? why + ": the last events are in " + result.output
                   : why + ": no window could be written: " + written.message());
}

// Called after a round over every process. If several triggers fire while a window is written, they
// share the next one.
void Collector::Impl::WriteWindows() {
  std::vector<std::string> asked = requests_.TakeWindows();
  if (window_ == nullptr) return;
  for (std::string& why : asked) window_->Ask(std::move(why));
  const std::string why = window_->TakeDue();
  if (why.empty()) return;
  WriteWindowFor(why);
}

// Answers with "+<path>" of the window, or "-<reason>".
void Collector::Impl::AnswerDumps() {
  for (const Question& ask : TakeAsks(spool_.path(), kAskWindow)) {
    if (window_ == nullptr) {
      AnswerAsk(spool_.path(), kAskWindow, ask,
                "-this trace keeps every event; windows are written with --ring");
      continue;
    }
    CollectResult result;
    const Status written =
        WriteWindow(ask.text.empty() ? window_->NextName(options_.output) : ask.text, &result);
    AnswerAsk(spool_.path(), kAskWindow, ask,
              !written.ok()         ? "-" + std::string(written.message())
              : result.left_earlier ? "-nothing was recorded; the earlier trace stays"
                                    : "+" + result.output);
  }
}

// The name, the call and the range of a kernel are in the window, or not known.
std::vector<InFlightRow> Collector::Impl::ListInFlightOfWindow() {
  std::vector<InFlightRow> rows;
  TraceWriter window;  // never published under a name
  const std::string unused = options_.take_part ? spool_.path() + "/in-flight" : options_.output;
  if (!window.Create(unused, {}).ok()) return rows;
  for (const Process* process : InOrder()) {
    if (process->ended) continue;
    size_t number = 0;
    window.AddProcess(process->reader->process(), &number);
    const bool has_part = process->parts != nullptr;
    const RecordRing& ring = has_part ? process->parts->events() : window_->ring();
    const Status replayed =
        ring.Replay(has_part ? 0 : static_cast<uint32_t>(process->order),
                    [&](const spool::RecordView& record) { return window.Add(number, record); });
    if (replayed.ok()) (void)window.ListInFlight(number, *process->reader, &rows);
  }
  return rows;
}

}  // namespace rtl::store
