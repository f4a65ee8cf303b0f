// SPDX-License-Identifier: MIT
#include <unistd.h>

#include <memory>

#include "cli/print.h"
#include "cli/report.h"
#include "cli/table.h"
#include "cli/verbs.h"
#include "query/trace_reader.h"

namespace rtl::cli {
namespace {

constexpr uint32_t kUsualRows = 20;

}  // namespace

int RunSummary(const SummaryOptions& options) {
  std::unique_ptr<query::TraceReader> trace;
  const Status opened = query::TraceReader::Open(options.file, &trace);
  if (!opened.ok()) return Fail(opened);
  Report report;
  const Status read = ReadReport(*trace, &report);
  if (!read.ok()) return Fail(read);
  analysis::Sort(options.order, &report.summary.kernels);
  switch (options.format) {
    case TableFormat::kText:
      return PrintResult(
          ReportAsText(report, options.rows.value_or(kUsualRows), TerminalWidth(STDOUT_FILENO)));
    case TableFormat::kCsv:  // for programs: everything, unless told otherwise
      return PrintResult(ReportAsCsv(report, options.rows.value_or(0)));
    case TableFormat::kJson:
      return PrintResult(ReportAsJson(report, options.rows.value_or(0)));
  }
  return kExitFailed;
}

}  // namespace rtl::cli
