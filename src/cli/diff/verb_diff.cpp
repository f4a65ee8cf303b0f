// SPDX-License-Identifier: MIT
#include <unistd.h>

#include <memory>
#include <string>
#include <vector>

#include "cli/base/open_trace.h"
#include "cli/base/print.h"
#include "cli/base/report_json.h"
#include "cli/base/table.h"
#include "cli/base/verbs.h"
#include "cli/diff/diff_report.h"
#include "trace/read/trace_reader.h"

namespace rtl::cli {
namespace {

Status ReadSide(const std::vector<std::string>& files, const query::SelectionRequest& request,
                std::vector<analysis::Timings>* out) {
  for (const std::string& file : files) {
    std::unique_ptr<query::TraceReader> trace;
    RTL_TRY(OpenTrace(file, &trace));
    query::Selection selection;
    RTL_TRY(query::Selection::Apply(*trace, request, &selection));
    RTL_TRY(analysis::ReadTimings(*trace, &out->emplace_back()));
  }
  return Status::Ok();
}

int Print(const DiffOptions& options, const DiffReport& report) {
  switch (options.format) {
    case TableFormat::kText:
      return PrintResult(
          SelectionLine(options.selection) +
          DiffAsText(report, options.rows.value_or(kUsualRows), TerminalWidth(STDOUT_FILENO)));
    case TableFormat::kCsv:  // for programs: all rows, unless limited
      return PrintResult(DiffAsCsv(report, options.rows.value_or(0)));
    case TableFormat::kJson:
      return PrintResult(DiffAsJson(report, options.rows.value_or(0)));
  }
  return kExitFailed;
}

}  // namespace

int RunDiff(const DiffOptions& options) {
  std::vector<analysis::Timings> before;
  std::vector<analysis::Timings> after;
  Status read = ReadSide(options.before, options.selection, &before);
  if (read.ok()) read = ReadSide(options.after, options.selection, &after);
  if (!read.ok()) return Fail(read);
  const DiffReport report = {options.before, options.after, analysis::Compare(before, after)};
  const int printed = Print(options, report);
  if (printed != 0) return printed;
  const std::string unjudged = UnjudgedLimits(report, options.limits);
  if (!unjudged.empty()) PrintAside(unjudged);
  const std::string broken = BrokenLimits(report, options.limits);
  if (broken.empty()) return 0;
  PrintAside(broken);
  return kExitLimit;
}

}  // namespace rtl::cli
