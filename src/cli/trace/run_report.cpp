// SPDX-License-Identifier: MIT
#include "cli/trace/run_report.h"

#include <unistd.h>

#include <algorithm>
#include <memory>
#include <set>

#include "cli/base/colours.h"
#include "cli/base/print.h"
#include "cli/base/table.h"
#include "cli/hot/hot_report.h"
#include "cli/info/in_flight_report.h"
#include "trace/read/trace_reader.h"

namespace rtl::cli {
namespace {

constexpr size_t kRowsOfATrace = 10;

// Prints the lines with the most samples.
void ReportHot(const std::string& path) {
  constexpr size_t kLines = 5;
  std::unique_ptr<query::TraceReader> trace;
  analysis::HotReport hot;
  Status read = query::TraceReader::Open(path, &trace);
  if (read.ok()) read = analysis::FindHot(*trace, "", &hot);
  if (!read.ok()) return PrintNote(read.message());
  if (hot.kernels.empty()) return;  // the reason has been printed
  for (const std::string& problem : hot.problems) PrintNote(problem);
  PrintAside("\n" +
             HotAsText(path, {}, hot, {.rows = kLines, .width = TerminalWidth(STDERR_FILENO)}));
}

// Prints the mode of the first process with a runtime. The other processes have the same runtime.
void ReportMode(const store::CollectResult& result) {
  for (const store::ProcessResult& process : result.processes) {
    if (process.mode_reason.empty()) continue;
    return PrintNote("mode " + process.mode + ": " + process.mode_reason);
  }
}

void ReportCompleteness(const store::CollectResult& result) {
  for (size_t i = 0; i < kEventKindCount; ++i) {
    const EventKind kind = static_cast<EventKind>(i);
    const store::KindTotals& totals = result.kind(kind);
    if (totals.submitted == 0) continue;
    analysis::KindCompleteness each;
    each.kind = EventKindName(kind);
    each.submitted = totals.submitted;
    each.recorded = totals.recorded;
    each.not_counted = result.not_counted[i];
    for (size_t why = 0; why < kLossCount; ++why) {
      if (totals.losses[why] == 0) continue;
      const Loss loss = static_cast<Loss>(why);
      each.losses.push_back({LossName(loss), LossText(loss), totals.losses[why], IsLeftOut(loss)});
    }
    const bool wrong = each.lost() != 0 || !each.balanced();
    // Batches are left out only if intercept queues were requested.
    const bool batches = kind == EventKind::kKernel && totals.loss(Loss::kBatch) != 0;
    PrintAside(
        "rtl: " +
        PaintedFor(TerminalWidth(STDERR_FILENO), wrong ? Paint::kBad : Paint::kPlain,
                   analysis::CompletenessLine(each)) +
        (batches ? "; RTL_QUEUE_METHOD=auto records kernels of graphs and batches, too\n" : "\n"));
  }
}

// Prints a line if the choice of kernels or GPUs left nothing to count.
void ReportFilter(const TraceOptions& options, const store::CollectResult& result) {
  if (options.counters.empty() || result.kind(EventKind::kKernel).submitted == 0) return;
  if (result.kind(EventKind::kCounter).submitted != 0 || result.CountingFailed()) return;
  const CounterKernels& chosen = options.counter_kernels;
  if (!chosen.include.empty() || !chosen.exclude.empty() || !chosen.launches.empty()) {
    PrintNote(
        "nothing was counted: none of the kernels passed --pmc-kernels, --pmc-not-kernels and "
        "--pmc-launches");
    return;
  }
  const auto names_gpu = [](const std::string& words) {
    return words.find(":device=") != std::string::npos;
  };
  if (std::any_of(options.counters.begin(), options.counters.end(), names_gpu))
    PrintNote("nothing was counted: none of the kernels ran on a GPU that :device= names");
}

// Prints the kernels in flight at the end of every process that was killed.
void ReportInFlight(const store::CollectResult& result) {
  std::set<std::string> databases;
  for (const store::ProcessResult& process : result.processes) {
    if (process.in_flight + process.faults != 0 && !process.output.empty())
      databases.insert(process.output);
  }
  for (const std::string& database : databases) {
    std::unique_ptr<query::TraceReader> trace;
    std::vector<query::InFlightRow> kernels;
    std::vector<query::FaultRow> faults;
    Status read = query::TraceReader::Open(database, &trace);
    if (read.ok()) read = trace->InFlight(&kernels);
    if (read.ok()) read = trace->tables().Faults(&faults);
    query::RequestedEvents requested;
    if (read.ok()) read = requested.Load(*trace);
    if (!read.ok()) {
      PrintNote(read.message());
      continue;
    }
    PrintAside(FaultsAsText(faults, requested) +
               InFlightAsText(kernels, kRowsOfATrace, TerminalWidth(STDERR_FILENO),
                              "rtl info --in-flight " + database));
  }
}

}  // namespace

Status ReadTables(const std::string& trace, SummaryTables* out) {
  std::unique_ptr<query::TraceReader> reader;
  RTL_TRY(query::TraceReader::Open(trace, &reader));
  out->all = "rtl summary -n 0 " + trace;
  return ReadSummaryTables(*reader, out);
}

void ReportTables(const TraceOptions& options, const std::string& trace) {
  SummaryTables tables;
  if (const Status read = ReadTables(trace, &tables); !read.ok()) return PrintNote(read.message());
  tables.completeness.clear();  // ReportCounts prints it
  PrintAside("\n" + SummaryAsText(tables, kRowsOfATrace, TerminalWidth(STDERR_FILENO)));
  if (options.pc_sampling_us != 0) ReportHot(trace);
}

void ReportCounts(const TraceOptions& options, const store::CollectResult& result) {
  ReportMode(result);
  ReportCompleteness(result);
  ReportFilter(options, result);
  ReportInFlight(result);
}

}  // namespace rtl::cli
