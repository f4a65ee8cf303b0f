// SPDX-License-Identifier: MIT
// Handles the end of a process, and the end of the trace.
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "spool/directory.h"
#include "spool/overflow.h"
#include "spool/process_stat.h"
#include "spool/sharing.h"
#include "trace/collect/accounting.h"
#include "trace/collect/collector_impl.h"
#include "trace/collect/trace_metadata.h"
#include "trace/write/asks.h"
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

// The number of events of this kind that have no row because the process, or its trace, ended.
uint64_t LostByEnd(const ProcessResult& result, EventKind kind) {
  const KindTotals& totals = result.kinds[static_cast<size_t>(kind)];
  uint64_t events = 0;
  for (const Loss why : {Loss::kKilled, Loss::kExec, Loss::kShutdown}) {
    events += totals.losses[static_cast<size_t>(why)];
  }
  return events;
}

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

// Sets the identity of the process as it last reported it.
void Collector::Impl::Identify(const spool::ProcessInfo& info, ProcessResult* result) {
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

void Collector::Impl::ListGpus(const Process& process, ProcessResult* result) const {
  for (const auto& [number, agent] : process.writer->process(process.number).agents) {
    if (agent.is_gpu == 0) continue;
    result->gpus.push_back({agent.gpu, agent.bdf, CleanField(agent.name), CleanField(agent.uuid)});
  }
  std::sort(result->gpus.begin(), result->gpus.end(),
            [](const Gpu& a, const Gpu& b) { return a.gpu < b.gpu; });
}

// Called after the last Poll of a process.
Status Collector::Impl::EndProcess(Process& process, ProcessEnd end) {
  if (process.parts != nullptr) {
    RTL_TRY(WritePart(process, end, true));
    process.parts.reset();
  } else if (window_ == nullptr) {
    RTL_TRY(CloseProcess(process, end));
  } else {
    process.result.end = end;  // the events of the process stay in the ring
    window_->End(static_cast<uint32_t>(process.order));
    if (end == ProcessEnd::kKilled && processes_.size() > 1 && !options_.attachable)
      window_->Ask("process " + std::to_string(process.result.pid) + " died");
  }
  MarkEnded(process);
  return Status::Ok();
}

void Collector::Impl::MarkEnded(Process& process) {
  process.ended = true;
  requests_.NoteEnded(process.result.pid);
}

// The events of the process that have left the window, or the part. Null if events cannot leave.
const LeftOut* Collector::Impl::LeftOutOf(const Process& process) const {
  if (process.parts != nullptr) return &process.parts->events().left_out(0);
  if (window_ == nullptr) return nullptr;
  return &window_->ring().left_out(static_cast<uint32_t>(process.order));
}

Reading Collector::Impl::ReadingOf(const Process& process) const {
  const spool::ControlPage& page = process.reader->control();
  Reading reading;
  reading.torn = process.torn + process.reader->torn();
  reading.fell_behind = process.result.fell_behind;
  reading.most_backlog = process.result.most_backlog;
  reading.full_because = page.full_because.load(std::memory_order_relaxed);
  reading.lossless = page.lossless.load(std::memory_order_relaxed) != 0;
  if (const LeftOut* const old = LeftOutOf(process))
    std::copy(std::begin(old->events), std::end(old->events), reading.out_of_window);
  return reading;
}

// When the process, or its part in this database, ended.
uint64_t Collector::Impl::EndOf(const Process& process, ProcessEnd end) {
  const uint64_t last = process.writer->process(process.number).last_time;
  // Records that were written before now may still be unread: they are in the next part.
  if (process.goes_on) return last;
  uint64_t ended = 0;
  if (end == ProcessEnd::kFinished)
    ended = process.reader->control().finished.load(std::memory_order_relaxed);
  if (end == ProcessEnd::kAbandoned) ended = BootTimeNs();
  // The process may have recorded more after it had reported its end.
  return ended > static_cast<uint64_t>(INT64_MAX) ? last : std::max(ended, last);
}

// Warns about the process. Warnings that the process recorded itself are separate.
void Collector::Impl::WarnOfProcess(Process& process, ProcessEnd end) {
  const ProcessResult& result = process.result;
  const std::string name = "process " + std::to_string(result.pid);
  if (!result.refusal.empty()) Warn(process, name + " is not traced: " + result.refusal);
  if (const std::string why = MissingCalls(result.loaded_by);
      end == ProcessEnd::kKilled && !why.empty()) {
    Warn(process, "HIP calls are not recorded in " + name + ": " + why);
  }
  if (end == ProcessEnd::kAbandoned) {
    Warn(process, name +
                      " was still running when collecting ended; its later events are not in the "
                      "trace");
  }
}

// Writes the last facts of a process that has ended, or whose part in this database ends.
Status Collector::Impl::CloseProcess(Process& process, ProcessEnd end) {
  const spool::ControlPage& page = process.reader->control();
  TraceWriter& writer = *process.writer;
  TracedProcess& traced = writer.process(process.number);
  const bool said = end == ProcessEnd::kFinished || end == ProcessEnd::kAbandoned;
  const uint64_t ended = EndOf(process, end);
  process.reader->RefreshProcess();
  Reading reading = ReadingOf(process);
  reading.rejected = traced.rejected;
  std::copy(std::begin(traced.duplicates), std::end(traced.duplicates), reading.duplicates);
  if (const LeftOut* const old = LeftOutOf(process)) traced.SetOutOfWindow(old->kernels);
  traced.events = page.events.load(std::memory_order_relaxed);
  traced.ending = ProcessEndName(end);
  Unsaid unsaid;
  if (LostByItsEnd(page, end, reading)) unsaid.page = &page;
  if (reading.torn + reading.rejected == 0) unsaid.why = CauseOf(end);
  RTL_TRY(writer.EndProcess(process.number, process.reader->process(), ended, unsaid));
  ended_at_ = std::max(ended_at_, ended);

  ProcessResult& result = process.result;
  Identify(process.reader->process(), &result);
  ListGpus(process, &result);
  result.end = end;
  result.not_counted = FindNotCounted(result.mode, end);
  result.ended = ended;
  result.faults = traced.faults;
  result.rows = traced.rows;
  result.refusal = CleanText(process.reader->Refusal());
  WarnOfProcess(process, end);
  for (const std::string& sentence : traced.warnings) Warn(process, sentence);
  reading.rejected = traced.rejected;  // records that were held have been written meanwhile
  std::copy(std::begin(traced.left_out), std::end(traced.left_out), reading.left_out);
  for (size_t k = 0; k < kEventKindCount; ++k) result.kinds[k].recorded = traced.recorded[k];
  if (const ProcessParts* const parts = process.parts.get(); parts != nullptr) {
    // Events that have left a part are in earlier parts.
    std::fill(std::begin(reading.out_of_window), std::end(reading.out_of_window), 0);
    parts->AddEarlier(&reading);
    for (size_t k = 0; k < kEventKindCount; ++k) result.kinds[k].recorded += parts->recorded(k);
  }
  std::vector<std::string> warnings;
  CompleteCounts(page, result.pid, end, reading, result.kinds, &warnings);
  for (const std::string& sentence : warnings) Warn(process, sentence);
  RTL_TRY(writer.WriteInFlight(
      process.number, *process.reader, said ? ended : std::max(ended, process.alive_at),
      {LostByEnd(result, EventKind::kKernel), LostByEnd(result, EventKind::kBarrier), !said},
      &result.in_flight));
  RTL_TRY(WriteCounters(&writer, process.number, page, result));
  RTL_TRY(WriteClocks(process));
  return process.own == nullptr ? Status::Ok() : CompleteOwn(process);
}

// Writes the readings of the clocks from the last one before the process on, and a new one. Writes
// none for a process that ended before this collector began, perhaps long ago and on another host.
Status Collector::Impl::WriteClocks(const Process& process) const {
  const spool::ProcessInfo& info = process.reader->process();
  spool::ProcessInfo self;
  spool::DescribeThisProcess(&self);
  const bool is_new = info.opened >= started_ && std::string_view(info.boot_id) == self.boot_id;
  if (!is_new && process.alive_at == 0) return Status::Ok();
  for (const ClockTable& clock : clocks_.Since(info.opened)) {
    RTL_TRY(process.writer->AddClock(process.number, clock));
  }
  return Status::Ok();
}

// Completes the database of one process that has ended.
Status Collector::Impl::CompleteOwn(Process& process) {
  ProcessResult& result = process.result;
  RTL_TRY(WriteMetadata(process.own.get(), {.first = &process.reader->process(),
                                            .tool_version = options_.tool_version,
                                            .command = {},
                                            .ended = result.ended,
                                            .exit = {},
                                            .kinds = result.kinds,
                                            .most_backlog = result.most_backlog,
                                            .not_counted = result.not_counted,
                                            .warnings = &result.warnings}));
  std::string note;
  const std::string wanted = result.output;
  RTL_TRY(process.own->Commit(&result.output, &note));
  if (result.output != wanted) Warn(note);
  completed_rows_ += process.own->rows();
  process.own.reset();
  process.writer = nullptr;
  return Status::Ok();
}

// Ends the processes that still run: only the records that they have written so far are read.
Status Collector::Impl::AbandonTheRest() {
  for (auto& [stem, process] : processes_) {
    if (process.ended) continue;
    if (EndsNow(*process.reader)) {
      uint64_t last = 0;
      RTL_TRY(PollProcess(process, &last));
      RTL_TRY(EndProcess(process, HowItEnded(stem, process)));
      continue;
    }
    // A kept spool is read again later, with the records that follow.
    if (!options_.keep_spool) process.reader->SetCollectorState(spool::CollectorState::kAbandoned);
    uint64_t records = 0;
    RTL_TRY(PollProcess(process, &records));
    RTL_TRY(EndProcess(process, ProcessEnd::kAbandoned));
  }
  for (const auto& [stem, why] : unreadable_) Warn("process " + stem + " was not read: " + why);
  return Status::Ok();
}

std::vector<Collector::Impl::Process*> Collector::Impl::InOrder() {
  std::vector<Process*> in_order;
  for (auto& [stem, process] : processes_) in_order.push_back(&process);
  std::sort(in_order.begin(), in_order.end(),
            [](const Process* a, const Process* b) { return a->order < b->order; });
  return in_order;
}

void Collector::Impl::GatherResult(CollectResult* result) {
  CountRows();
  result->rows = rows();
  if (window_ != nullptr)
    std::copy_n(window_->left_kinds(), size_t{kEventKindCount}, result->kinds);
  for (const Process* process : InOrder()) {
    result->processes.push_back(process->result);
    for (size_t k = 0; k < kEventKindCount; ++k) {
      result->kinds[k].Add(process->result.kinds[k]);
      if (result->not_counted[k].empty()) result->not_counted[k] = process->result.not_counted[k];
    }
  }
  for (const ProcessResult& process : overflowed_) {
    result->processes.push_back(process);
    for (size_t k = 0; k < kEventKindCount; ++k) result->kinds[k].Add(process.kinds[k]);
  }
  result->warnings = warnings_;
}

Status Collector::Impl::Finish(const ExitStatus& exit, CollectResult* result) {
  RTL_TRY(failure_);
  if (Cancelled()) return Status::Error("interrupted");
  (void)Round();  // a failure is kept in failure_
  RTL_TRY(failure_);
  RTL_TRY(AbandonTheRest());
  if (window_ != nullptr) RTL_TRY(FillWindow(&writer_));
  RTL_TRY(AddOverflow());
  result->spool_lost = !spool_.HasItsName();
  if (result->spool_lost) {
    Warn("the spool " + options_.spool +
         " was removed or renamed, or a disk was mounted over it, while the program ran: processes "
         "that began afterwards are not in the trace");
  }
  GatherResult(result);
  if (options_.parts_end != nullptr) return options_.parts_end(*result);
  return WritesOne() ? CompleteOne(&writer_, options_.output, exit, result) : Status::Ok();
}

// Completes the database of all processes.
Status Collector::Impl::CompleteOne(TraceWriter* writer, const std::string& output,
                                    const ExitStatus& exit, CollectResult* result) {
  const spool::ProcessInfo* first = first_.has_value() ? &*first_ : nullptr;
  for (const auto& [stem, process] : processes_) {
    if (process.order == 0 && process.reader != nullptr) first = &process.reader->process();
  }
  RTL_TRY(WriteMetadata(writer, {.first = first,
                                 .tool_version = options_.tool_version,
                                 .command = options_.command,
                                 .started = started_,
                                 .ended = ended_at_,
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

bool Collector::Impl::RecordedNothing(const CollectResult& result) const {
  for (const KindTotals& kind : result.kinds) {
    if (kind.recorded != 0) return false;
  }
  for (const ProcessResult& process : result.processes) {
    if (process.in_flight + process.faults != 0) return false;
  }
  return true;
}

Status Collector::Impl::Complete(const ExitStatus& exit, CollectResult* result) {
  if (options_.attachable) return CompleteAttachable();
  const Status finished = Finish(exit, result);
  if (!finished.ok()) DropDatabases();
  // After a failure the spool stays, because it still has the unread records.
  if (finished.ok() && !options_.keep_spool) RemoveSpool();
  if (finished.ok()) result->warnings = warnings_;
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
                [this](std::string sentence) { Warn(std::move(sentence)); });
}

}  // namespace rtl::store
