// SPDX-License-Identifier: MIT
#include "trace/collect/collected_process.h"

#include <algorithm>

#include "base/clock.h"
#include "spool/process_stat.h"
#include "trace/collect/trace_metadata.h"

namespace rtl::store {
namespace {

// The number of events of this kind that have no row because the process, or its trace, ended.
uint64_t LostByEnd(const ProcessResult& result, EventKind kind) {
  const KindTotals& totals = result.kinds[static_cast<size_t>(kind)];
  uint64_t events = 0;
  for (const Loss why : {Loss::kKilled, Loss::kExec, Loss::kShutdown}) {
    events += totals.losses[static_cast<size_t>(why)];
  }
  return events;
}

void ListGpus(const TracedProcess& process, ProcessResult* result) {
  for (const auto& [number, agent] : process.agents) {
    if (agent.is_gpu == 0) continue;
    result->gpus.push_back({agent.gpu, agent.bdf, CleanField(agent.name), CleanField(agent.uuid)});
  }
  std::sort(result->gpus.begin(), result->gpus.end(),
            [](const Gpu& a, const Gpu& b) { return a.gpu < b.gpu; });
}

// When the process, or its part in this database, ended.
uint64_t EndOf(const CollectedProcess& process, ProcessEnd end, bool goes_on) {
  const uint64_t last = process.writer->process(process.number).last_time;
  // Records that were written before now may still be unread: they are in the next part.
  if (goes_on) return last;
  uint64_t ended = 0;
  if (end == ProcessEnd::kFinished)
    ended = process.reader->control().finished.load(std::memory_order_relaxed);
  if (end == ProcessEnd::kAbandoned) ended = BootTimeNs();
  // The process may have recorded more after it had reported its end.
  return ended > static_cast<uint64_t>(INT64_MAX) ? last : std::max(ended, last);
}

// Warns about the process. Warnings that the process recorded itself are separate.
void WarnOf(ProcessResult* process, ProcessEnd end, TraceSummary* summary) {
  const std::string name = "process " + std::to_string(process->pid);
  if (!process->refusal.empty())
    summary->Warn(process, name + " is not traced: " + process->refusal);
  if (const std::string why = MissingCalls(process->loaded_by);
      end == ProcessEnd::kKilled && !why.empty()) {
    summary->Warn(process, "HIP calls are not recorded in " + name + ": " + why);
  }
  if (end == ProcessEnd::kAbandoned) {
    summary->Warn(process,
                  name +
                      " was still running when collecting ended; its later events are not in the "
                      "trace");
  }
}

// Writes the readings of the clocks from the last one before the process on, and a new one. Writes
// none for a process that ended before this collector began, perhaps long ago and on another host.
Status WriteClocks(const CollectedProcess& process, const ClockHistory& clocks, uint64_t started) {
  const spool::ProcessInfo& info = process.reader->process();
  spool::ProcessInfo self;
  spool::DescribeThisProcess(&self);
  const bool is_new = info.opened >= started && std::string_view(info.boot_id) == self.boot_id;
  if (!is_new && process.alive_at == 0) return Status::Ok();
  for (const ClockTable& clock : clocks.Since(info.opened)) {
    RTL_TRY(process.writer->AddClock(process.number, clock));
  }
  return Status::Ok();
}

}  // namespace

Status CollectedProcess::Replay(TraceWriter* into, size_t as) const {
  return events->Replay(events_key,
                        [&](const spool::RecordView& record) { return into->Add(as, record); });
}

Reading CollectedProcess::ReadingNow() const {
  const spool::ControlPage& page = reader->control();
  Reading reading;
  reading.torn = torn + reader->torn();
  reading.fell_behind = result.fell_behind;
  reading.most_backlog = result.most_backlog;
  reading.full_because = page.full_because.load(std::memory_order_relaxed);
  reading.lossless = page.lossless.load(std::memory_order_relaxed) != 0;
  if (events != nullptr) {
    const LeftOut& old = events->left_out(events_key);
    std::copy(std::begin(old.events), std::end(old.events), reading.out_of_window);
  }
  return reading;
}

Status CollectedProcess::Close(ProcessEnd end, bool goes_on, const ClockHistory& clocks,
                               TraceSummary* summary) {
  const spool::ControlPage& page = reader->control();
  TracedProcess& traced = writer->process(number);
  const bool said = end == ProcessEnd::kFinished || end == ProcessEnd::kAbandoned;
  const uint64_t ended = EndOf(*this, end, goes_on);
  reader->RefreshProcess();
  Reading reading = ReadingNow();
  reading.rejected = traced.rejected;
  std::copy(std::begin(traced.duplicates), std::end(traced.duplicates), reading.duplicates);
  if (events != nullptr) traced.SetOutOfWindow(events->left_out(events_key).kernels);
  traced.events = page.events.load(std::memory_order_relaxed);
  traced.ending = ProcessEndName(end);
  Unsaid unsaid;
  if (LostByItsEnd(page, end, reading)) unsaid.page = &page;
  if (reading.torn + reading.rejected == 0) unsaid.why = CauseOf(end);
  RTL_TRY(writer->EndProcess(number, reader->process(), ended, unsaid));
  summary->NoteEnd(ended);

  Identify(reader->process(), &result);
  ListGpus(traced, &result);
  result.end = end;
  result.not_counted = FindNotCounted(result.mode, end);
  result.ended = ended;
  result.faults = traced.faults;
  result.rows = traced.rows;
  result.refusal = CleanText(reader->Refusal());
  WarnOf(&result, end, summary);
  for (const std::string& sentence : traced.warnings) summary->Warn(&result, sentence);
  reading.rejected = traced.rejected;  // records that were held have been written meanwhile
  std::copy(std::begin(traced.left_out), std::end(traced.left_out), reading.left_out);
  for (size_t k = 0; k < kEventKindCount; ++k) result.kinds[k].recorded = traced.recorded[k];
  if (parts != nullptr) {
    // Events that have left a part are in earlier parts.
    std::fill(std::begin(reading.out_of_window), std::end(reading.out_of_window), 0);
    parts->AddEarlier(&reading);
    for (size_t k = 0; k < kEventKindCount; ++k) result.kinds[k].recorded += parts->recorded(k);
  }
  std::vector<std::string> warnings;
  CompleteCounts(page, result.pid, end, reading, result.kinds, &warnings);
  for (const std::string& sentence : warnings) summary->Warn(&result, sentence);
  RTL_TRY(writer->WriteInFlight(
      number, *reader, said ? ended : std::max(ended, alive_at),
      {LostByEnd(result, EventKind::kKernel), LostByEnd(result, EventKind::kBarrier), !said},
      &result.in_flight));
  RTL_TRY(WriteCounters(writer, number, page, result));
  return WriteClocks(*this, clocks, summary->started());
}

Status CollectedProcess::WriteMetadataOf(TraceWriter* database,
                                         const std::string& tool_version) const {
  return WriteMetadata(database, {.first = &reader->process(),
                                  .tool_version = tool_version,
                                  .command = {},
                                  .ended = result.ended,
                                  .exit = {},
                                  .kinds = result.kinds,
                                  .most_backlog = result.most_backlog,
                                  .not_counted = result.not_counted,
                                  .warnings = &result.warnings});
}

Status CollectedProcess::CompleteOwn(const std::string& tool_version, TraceSummary* summary) {
  RTL_TRY(WriteMetadataOf(own.get(), tool_version));
  std::string note;
  const std::string wanted = result.output;
  RTL_TRY(own->Commit(&result.output, &note));
  if (result.output != wanted) summary->Warn(note);
  completed_rows += own->rows();
  own.reset();
  writer = nullptr;
  return Status::Ok();
}

uint64_t CollectedProcess::rows() const {
  return completed_rows + (own == nullptr ? 0 : own->rows()) +
         (parts == nullptr ? 0 : parts->events().events());
}

}  // namespace rtl::store
