// SPDX-License-Identifier: MIT
#include <unistd.h>

#include <algorithm>
#include <memory>

#include "cli/analyze_report.h"
#include "cli/print.h"
#include "cli/table.h"
#include "cli/verbs.h"

namespace rtl::cli {
namespace {

constexpr uint32_t kUsualCauses = 10;

Status ReadAnalysis(query::TraceReader& trace, AnalyzeReport* report) {
  report->file = trace.path();
  std::vector<query::Agent> agents;
  RTL_TRY(trace.Agents(&agents));
  for (const query::Agent& agent : agents) {
    if (!agent.is_gpu || agent.gpu < 0) continue;
    const auto index = static_cast<size_t>(agent.gpu);
    if (report->gpu_names.size() <= index) report->gpu_names.resize(index + 1);
    report->gpu_names[index] = agent.name;
  }
  std::vector<query::Process> processes;
  RTL_TRY(trace.Processes(&processes));
  report->origin = UINT64_MAX;
  for (const query::Process& process : processes)
    report->origin = std::min(report->origin, process.started);
  return analysis::AnalyzeIdleTime(trace, &report->idle);
}

}  // namespace

int RunAnalyze(const AnalyzeOptions& options) {
  std::unique_ptr<query::TraceReader> trace;
  const Status opened = query::TraceReader::Open(options.file, &trace);
  if (!opened.ok()) return Fail(opened);
  AnalyzeReport report;
  const Status read = ReadAnalysis(*trace, &report);
  if (!read.ok()) return Fail(read);
  switch (options.format) {
    case TableFormat::kText:
      return PrintResult(
          AnalyzeAsText(report, options.rows.value_or(kUsualCauses), TerminalWidth(STDOUT_FILENO)));
    case TableFormat::kCsv:
      return PrintResult(AnalyzeAsCsv(report, options.rows.value_or(0)));
    case TableFormat::kJson:
      return PrintResult(AnalyzeAsJson(report, options.rows.value_or(0)));
  }
  return kExitFailed;
}

}  // namespace rtl::cli
