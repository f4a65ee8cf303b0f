// SPDX-License-Identifier: MIT
#include <unistd.h>

#include <memory>
#include <vector>

#include "cli/base/open_trace.h"
#include "cli/base/print.h"
#include "cli/base/report_json.h"
#include "cli/base/table.h"
#include "cli/base/verbs.h"
#include "cli/summary/counter_tables.h"
#include "cli/summary/launch_tables.h"
#include "cli/summary/operator_tables.h"
#include "cli/summary/summary_tables.h"
#include "trace/read/trace_reader.h"

namespace rtl::cli {
namespace {

int PrintLaunches(const SummaryOptions& options, query::TraceReader& trace) {
  std::vector<analysis::LaunchSummary> launches;
  const Status read = analysis::SummarizeLaunches(trace, &launches);
  if (!read.ok()) return Fail(read);
  analysis::Sort(options.order, &launches);
  query::RequestedEvents requested;
  if (const Status loaded = requested.Load(trace); !loaded.ok()) return Fail(loaded);
  switch (options.format) {
    case TableFormat::kText:
      return PrintResult(SelectionLine(options.selection) +
                         LaunchesAsText(trace.path(), requested, launches,
                                        options.rows.value_or(kUsualRows),
                                        TerminalWidth(STDOUT_FILENO)));
    case TableFormat::kCsv:
      return PrintResult(LaunchesAsCsv(launches, options.rows.value_or(0)));
    case TableFormat::kJson:
      return PrintResult(LaunchesAsJson(trace.path(), launches, options.rows.value_or(0)));
  }
  return kExitFailed;
}

int PrintCounters(const SummaryOptions& options, query::TraceReader& trace) {
  std::vector<analysis::CounterSummary> counters;
  if (const Status read = analysis::SummarizeCounters(trace, &counters); !read.ok())
    return Fail(read);
  analysis::Sort(options.order, &counters);
  const size_t rows = options.rows.value_or(options.format == TableFormat::kText ? kUsualRows : 0);
  query::RequestedEvents requested;
  if (const Status loaded = requested.Load(trace); !loaded.ok()) return Fail(loaded);
  switch (options.format) {
    case TableFormat::kText:
      return PrintResult(
          SelectionLine(options.selection) +
          CountersAsText(trace.path(), requested, counters, rows, TerminalWidth(STDOUT_FILENO)));
    case TableFormat::kCsv:
      return PrintResult(CountersAsCsv(counters, rows));
    case TableFormat::kJson:
      return PrintResult(CountersAsJson(trace.path(), counters, rows));
  }
  return kExitFailed;
}

int PrintOperators(const SummaryOptions& options, query::TraceReader& trace) {
  analysis::KernelCategories categories;
  if (!options.categories.empty()) {
    if (const Status read = categories.ReadRules(options.categories); !read.ok()) return Fail(read);
  }
  analysis::OperatorTimes times;
  const Status read = analysis::TimeByOperator(trace, *options.by, categories, &times);
  if (!read.ok()) return Fail(read);
  switch (options.format) {
    case TableFormat::kText:
      return PrintResult(SelectionLine(options.selection) +
                         OperatorsAsText(trace.path(), query::SourceOf(trace.metadata()),
                                         *options.by, times, options.rows.value_or(kUsualRows),
                                         TerminalWidth(STDOUT_FILENO)));
    case TableFormat::kCsv:
      return PrintResult(OperatorsAsCsv(times, options.rows.value_or(0)));
    case TableFormat::kJson:
      return PrintResult(OperatorsAsJson(trace.path(), times, options.rows.value_or(0)));
  }
  return kExitFailed;
}

}  // namespace

int RunVerb(const SummaryOptions& options) {
  std::unique_ptr<query::TraceReader> trace;
  const Status opened = OpenTrace(options.file, &trace);
  if (!opened.ok()) return Fail(opened);
  query::Selection selection;
  const Status selected = query::Selection::Apply(*trace, options.selection, &selection);
  if (!selected.ok()) return Fail(selected);
  if (options.launch) return PrintLaunches(options, *trace);
  if (options.counters) return PrintCounters(options, *trace);
  if (options.by) return PrintOperators(options, *trace);
  SummaryTables tables;
  const Status read = ReadSummaryTables(*trace, &tables);
  if (!read.ok()) return Fail(read);
  analysis::Sort(options.order, &tables.summary.kernels);
  analysis::Sort(options.order, &tables.apis);
  analysis::Sort(options.order, &tables.copies);
  analysis::Sort(options.order, &tables.markers);
  analysis::Sort(options.order, &tables.events);
  analysis::Sort(options.order, &tables.counters);
  switch (options.format) {
    case TableFormat::kText:
      return PrintResult(
          SelectionLine(options.selection) +
          SummaryAsText(tables, options.rows.value_or(kUsualRows), TerminalWidth(STDOUT_FILENO)));
    case TableFormat::kCsv:  // programs read CSV, so all rows are printed unless there is a limit
      return PrintResult(SummaryAsCsv(tables, options.rows.value_or(0), options.table));
    case TableFormat::kJson:
      return PrintResult(SummaryAsJson(tables, options.rows.value_or(0)));
  }
  return kExitFailed;
}

}  // namespace rtl::cli
