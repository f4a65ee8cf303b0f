// SPDX-License-Identifier: MIT
#include "trace/collect/window_writer.h"

#include <algorithm>
#include <map>

#include "spool/reader.h"
#include "trace/collect/accounting.h"
#include "trace/write/trace_writer.h"

namespace rtl::store {

Status WindowWriter::ForgetLeft() {
  for (const uint32_t number : window_->ring().TakeLeft()) {
    CollectedProcess& process = *processes_->Find(number);
    RTL_TRY(AddSums(&process));
    window_->NoteLeft(number);
    processes_->Erase(process);
  }
  return Status::Ok();
}

// Adds what remains of a process in the database: the number of its events of each kind, and the
// reason why none of them is in the window.
Status WindowWriter::AddSums(CollectedProcess* process) {
  const Status opened = processes_->Reopen(process);
  if (!opened.ok()) {
    summary_->Warn("of process " + std::to_string(process->result.pid) +
                   " nothing is counted: " + opened.message());
    return Status::Ok();
  }
  spool::ProcessReader& reader = *process->reader;
  const Reading reading = process->ReadingNow();
  KindTotals kinds[kEventKindCount];
  // not reported, because one warning for each process would grow without bound
  std::vector<std::string> contradictions;
  CompleteCounts(reader.control(), process->result.pid, process->result.end, reading, kinds,
                 &contradictions);
  window_->AddLeft(kinds);
  reader.SetCollectorState(spool::CollectorState::kRead);
  return reader.Remove();
}

Status WindowWriter::Fill(TraceWriter* writer, TraceSummary* summary) {
  if (const size_t left = window_->left(); left != 0) {
    summary->Warn(std::to_string(left) + (left == 1 ? " process" : " processes") +
                  " ended before the window; their events are in the sums only");
  }
  for (CollectedProcess* process : processes_->InOrder()) {
    const bool released = process->reader == nullptr;
    const Status opened = processes_->Reopen(process);
    if (!opened.ok()) {
      summary->Warn("process " + process->stem + " is not in the window: " + opened.message());
      continue;
    }
    process->writer = writer;
    writer->AddProcess(process->reader->process(), &process->number);
    RTL_TRY(process->Replay(writer, process->number));
    const ProcessEnd end = process->ended ? process->result.end : ProcessEnd::kAbandoned;
    RTL_TRY(process->Close(end, false, clocks_, summary));
    if (released) process->reader.reset();
  }
  return Status::Ok();
}

// The results and warnings that are set here apply to this window only.
Status WindowWriter::Write(const std::string& output, CollectResult* result) {
  std::map<std::string, ProcessResult> results;
  for (const auto& [stem, process] : *processes_) results.emplace(stem, process.result);
  TraceSummary summary = *summary_;
  TraceWriter writer;
  Status status = writer.Create(output, {.choice = options_.choice});
  if (status.ok()) status = Fill(&writer, &summary);
  if (status.ok()) {
    std::copy_n(window_->left_kinds(), size_t{kEventKindCount}, result->kinds);
    processes_->Gather(result);
    summary.Gather(result);
    result->rows = writer.rows();
    status = summary.Complete(&writer, processes_->first(), output, {}, result);
  }
  for (auto& [stem, process] : *processes_) {
    process.result = results.at(stem);
    process.writer = nullptr;
  }
  return status;
}

void WindowWriter::WriteDue(std::vector<std::string> asked) {
  for (std::string& reason : asked) window_->Ask(std::move(reason));
  const std::string why = window_->TakeDue();
  if (why.empty()) return;
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
  const Status written = Write(name, &result);
  say(written.ok() ? why + ": the last events are in " + result.output
                   : why + ": no window could be written: " + written.message());
}

std::string WindowWriter::Answer(const std::string& output) {
  CollectResult result;
  const Status written =
      Write(output.empty() ? window_->NextName(options_.output) : output, &result);
  if (!written.ok()) return "-" + std::string(written.message());
  return result.left_earlier ? "-nothing was recorded; the earlier trace stays"
                             : "+" + result.output;
}

}  // namespace rtl::store
