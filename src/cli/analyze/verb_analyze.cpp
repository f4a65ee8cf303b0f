// SPDX-License-Identifier: MIT
#include <algorithm>
#include <memory>

#include "cli/analyze/analyze_report.h"
#include "cli/base/open_trace.h"
#include "cli/base/print.h"
#include "cli/base/verbs.h"
#include "trace/read/gpu_names.h"
#include "trace/schema/schema.h"

namespace rtl::cli {
namespace {

constexpr uint32_t kUsualCauses = 10;

Status ReadAnalysis(query::TraceReader& trace, const AnalyzeOptions& options,
                    AnalyzeReport* report) {
  report->file = trace.path();
  report->selection = options.selection;
  report->sql = options.sql;
  RTL_TRY(query::NameGpus(trace, &report->gpu_names));
  std::vector<query::Process> processes;
  RTL_TRY(trace.tables().Processes(&processes));
  report->origin = UINT64_MAX;
  for (const query::Process& process : processes)
    report->origin = std::min(report->origin, process.started);
  query::Selection selection;
  RTL_TRY(query::Selection::Apply(trace, options.selection, &selection));
  RTL_TRY(analysis::AnalyzeIdleTime(trace, &report->idle));
  RTL_TRY(analysis::FindHostLines(trace, &report->host_lines));
  RTL_TRY(trace.tables().Has("gpu_gap", &report->has_gap_view));
  report->has_gap_view &= trace.version().schema() >= store::kGapPartsSchemaVersion;
  query::SelectionRequest others = options.selection;
  others.gpu.reset();
  // The selection may leave the first work out, so the time before it is not known.
  if (!others.empty()) {
    for (analysis::GpuTime& gpu : report->idle.gpus) gpu.start = {};
  }
  analysis::KernelCategories categories;
  if (!options.categories.empty()) RTL_TRY(categories.ReadRules(options.categories));
  RTL_TRY(analysis::TimeByCategory(trace, categories, &report->shares));
  if (options.selection.gpu) {  // a copy to another GPU is work of both
    const auto is_other = [&](const auto& each) { return each.gpu != *options.selection.gpu; };
    std::erase_if(report->idle.gpus, is_other);
    std::erase_if(report->shares, is_other);
  }
  std::vector<analysis::RankTail> tails;
  RTL_TRY(analysis::FindRankTails(trace, &tails));
  report->findings = analysis::Findings(report->idle.gpus, tails);
  RTL_TRY(analysis::FindSteps(trace, &report->steps));
  RTL_TRY(analysis::ProjectWork(trace, &report->work));
  return Status::Ok();
}

}  // namespace

int RunVerb(const AnalyzeOptions& options) {
  std::unique_ptr<query::TraceReader> trace;
  const Status opened = OpenTrace(options.file, &trace);
  if (!opened.ok()) return Fail(opened);
  AnalyzeReport report;
  const Status read = ReadAnalysis(*trace, options, &report);
  if (!read.ok()) return Fail(read);
  return PrintReport(
      options, kUsualCauses,
      [&](size_t rows, size_t width) { return AnalyzeAsText(report, rows, width); },
      [&](size_t rows) { return AnalyzeAsCsv(report, rows, options.table); },
      [&](size_t rows) { return AnalyzeAsJson(report, rows); });
}

}  // namespace rtl::cli
