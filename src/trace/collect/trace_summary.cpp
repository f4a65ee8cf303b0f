// SPDX-License-Identifier: MIT
#include "trace/collect/trace_summary.h"

#include <string.h>
#include <sys/mman.h>

#include <memory>
#include <utility>

#include "trace/collect/trace_metadata.h"
#include "trace/write/earlier_trace.h"

namespace rtl::store {
namespace {

double MostBacklog(const CollectResult& result) {
  double most = 0;
  for (const ProcessResult& process : result.processes) {
    most = std::max(most, process.most_backlog);
  }
  return most;
}

bool RecordedNothing(const CollectResult& result) {
  for (const KindTotals& kind : result.kinds) {
    if (kind.recorded != 0) return false;
  }
  for (const ProcessResult& process : result.processes) {
    if (process.in_flight + process.faults != 0) return false;
  }
  return true;
}

struct Unmap {
  void operator()(const spool::OverflowPage* page) const {
    (void)munmap(const_cast<spool::OverflowPage*>(page), sizeof *page);  // cannot fail
  }
};

std::string TextOf(const char* text, size_t capacity) {
  return CleanText(std::string_view(text, strnlen(text, capacity)));
}

void AddOnce(std::vector<std::string>* sentences, std::string sentence) {
  if (std::find(sentences->begin(), sentences->end(), sentence) == sentences->end()) {
    sentences->push_back(std::move(sentence));
  }
}

}  // namespace

const char* ProcessEndName(ProcessEnd end) {
  switch (end) {
    case ProcessEnd::kFinished:
      return "finished";
    case ProcessEnd::kKilled:
      return "killed";
    case ProcessEnd::kReplaced:
      return "exec";
    case ProcessEnd::kAbandoned:
      return "running";
  }
  return "";
}

void Identify(const spool::ProcessInfo& info, ProcessResult* result) {
  result->parent_pid = info.parent_pid;
  result->start_ticks = info.start_ticks;
  result->stack = info.stack;
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
  result->loaded_by = info.loaded_by;
  result->runtime = info.runtime;
}

void TraceSummary::Warn(std::string sentence) { AddOnce(&warnings_, std::move(sentence)); }

void TraceSummary::Warn(ProcessResult* process, const std::string& sentence) {
  AddOnce(&process->warnings, sentence);
  Warn(sentence);
}

Status TraceSummary::AddOverflowed(const spool::OverflowPlace& place, TraceWriter* writer) {
  spool::ProcessInfo info = place.process;
  ProcessResult result;
  result.pid = info.pid;
  if (writer != nullptr) result.output = options_.output;
  result.end = ProcessEnd::kFinished;
  result.ended = std::max(info.opened, ended_);
  Identify(info, &result);
  result.refusal = TextOf(place.why, sizeof place.why);
  for (size_t k = 0; k < kEventKindCount; ++k) {
    result.kinds[k].submitted = place.submitted[k].load(std::memory_order_relaxed);
    result.kinds[k].losses[static_cast<size_t>(Loss::kSpoolFull)] = result.kinds[k].submitted;
  }
  Warn("process " + std::to_string(result.pid) + " is not traced: " + result.refusal);
  if (writer != nullptr) {
    size_t number = 0;
    writer->AddProcess(info, &number);
    writer->process(number).ending = ProcessEndName(result.end);
    RTL_TRY(writer->EndProcess(number, info, result.ended, {}));
    const auto nothing = std::make_unique<spool::ControlPage>();
    RTL_TRY(WriteCounters(writer, number, *nothing, result));
  }
  overflowed_.push_back(std::move(result));
  return Status::Ok();
}

Status TraceSummary::AddOverflow(const std::string& spool, TraceWriter* writer) {
  const std::unique_ptr<const spool::OverflowPage, Unmap> page(spool::MapOverflow(spool.c_str()));
  if (page == nullptr) return Status::Ok();
  const uint32_t taken = page->taken.load(std::memory_order_relaxed);
  for (size_t i = 0; i < std::min<size_t>(taken, spool::kOverflowPlaces); ++i) {
    const spool::OverflowPlace& place = page->places[i];
    // the process died before it was ready
    if (place.ready.load(std::memory_order_acquire) == 0) continue;
    RTL_TRY(AddOverflowed(place, writer));
  }
  if (taken > spool::kOverflowPlaces) {
    Warn(std::to_string(taken - spool::kOverflowPlaces) +
         " more processes are not traced for want of room; their events count with process " +
         std::to_string(page->places[spool::kOverflowPlaces - 1].process.pid));
  }
  return Status::Ok();
}

void TraceSummary::Gather(CollectResult* result) const {
  for (const ProcessResult& process : overflowed_) {
    result->processes.push_back(process);
    for (size_t k = 0; k < kEventKindCount; ++k) result->kinds[k].Add(process.kinds[k]);
  }
  result->warnings = warnings_;
}

Status TraceSummary::Complete(TraceWriter* writer, const spool::ProcessInfo* first,
                              const std::string& output, const ExitStatus& exit,
                              CollectResult* result) {
  RTL_TRY(WriteMetadata(writer, {.first = first,
                                 .tool_version = options_.tool_version,
                                 .command = options_.command,
                                 .started = started_,
                                 .ended = ended_,
                                 .exit = exit,
                                 .kinds = result->kinds,
                                 .most_backlog = MostBacklog(*result),
                                 .not_counted = result->not_counted,
                                 .warnings = &result->warnings}));
  if (RecordedNothing(*result) && HoldsEvents(output)) {
    writer->Drop();
    result->left_earlier = true;
    for (ProcessResult& process : result->processes) process.output.clear();
    Warn(std::string(kLeftEarlierWarning) + " in " + output + " stays");
    return Status::Ok();
  }
  std::string note;
  RTL_TRY(writer->Commit(&result->output, &note));
  if (result->output == output) return Status::Ok();
  for (ProcessResult& process : result->processes) process.output = result->output;
  Warn(note);
  return Status::Ok();
}

}  // namespace rtl::store
