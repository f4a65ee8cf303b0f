// SPDX-License-Identifier: MIT
#include <memory>
#include <vector>

#include "cli/base/open_trace.h"
#include "cli/base/print.h"
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
  return PrintReport(
      options, kUsualRows,
      [&](size_t rows, size_t width) {
        return LaunchesAsText(trace.path(), requested, launches, rows, width);
      },
      [&](size_t rows) { return LaunchesAsCsv(launches, rows); },
      [&](size_t rows) { return LaunchesAsJson(trace.path(), launches, rows); });
}

int PrintCounters(const SummaryOptions& options, query::TraceReader& trace) {
  std::vector<analysis::CounterSummary> counters;
  if (const Status read = analysis::SummarizeCounters(trace, &counters); !read.ok())
    return Fail(read);
  analysis::Sort(options.order, &counters);
  query::RequestedEvents requested;
  if (const Status loaded = requested.Load(trace); !loaded.ok()) return Fail(loaded);
  return PrintReport(
      options, kUsualRows,
      [&](size_t rows, size_t width) {
        return CountersAsText(trace.path(), requested, counters, rows, width);
      },
      [&](size_t rows) { return CountersAsCsv(counters, rows); },
      [&](size_t rows) { return CountersAsJson(trace.path(), counters, rows); });
}

int PrintOperators(const SummaryOptions& options, query::TraceReader& trace) {
  analysis::KernelCategories categories;
  if (!options.categories.empty()) {
    if (const Status read = categories.ReadRules(options.categories); !read.ok()) return Fail(read);
  }
  analysis::OperatorTimes times;
  const Status read = analysis::TimeByOperator(trace, *options.by, categories, &times);
  if (!read.ok()) return Fail(read);
  return PrintReport(
      options, kUsualRows,
      [&](size_t rows, size_t width) {
        return OperatorsAsText(trace.path(), query::SourceOf(trace.metadata()), *options.by, times,
                               rows, width);
      },
      [&](size_t rows) { return OperatorsAsCsv(times, rows); },
      [&](size_t rows) { return OperatorsAsJson(trace.path(), times, rows); });
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
  return PrintReport(
      options, kUsualRows,
      [&](size_t rows, size_t width) { return SummaryAsText(tables, rows, width); },
      [&](size_t rows) { return SummaryAsCsv(tables, rows, options.table); },
      [&](size_t rows) { return SummaryAsJson(tables, rows); });
}

}  // namespace rtl::cli
