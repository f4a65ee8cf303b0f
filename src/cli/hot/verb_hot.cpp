// SPDX-License-Identifier: MIT
#include <unistd.h>

#include <memory>

#include "cli/base/open_trace.h"
#include "cli/base/print.h"
#include "cli/base/table.h"
#include "cli/base/verbs.h"
#include "cli/hot/hot_report.h"

namespace rtl::cli {

int RunVerb(const HotOptions& options) {
  std::unique_ptr<query::TraceReader> trace;
  const Status opened = OpenTrace(options.file, &trace);
  if (!opened.ok()) return Fail(opened);
  analysis::HotReport report;
  const Status found = analysis::FindHot(*trace, options.kernel, &report);
  if (!found.ok()) return Fail(found);
  query::RequestedEvents requested;
  if (const Status loaded = requested.Load(*trace); !loaded.ok()) return Fail(loaded);
  for (const std::string& problem : report.problems) PrintNote(problem);
  switch (options.format) {
    case TableFormat::kText:
      return PrintResult(HotAsText(trace->path(), requested, report,
                                   {.rows = options.rows,
                                    .instructions = options.instructions,
                                    .width = TerminalWidth(STDOUT_FILENO)}));
    case TableFormat::kCsv:
      return PrintResult(HotAsCsv(report));
    case TableFormat::kJson:
      return PrintResult(HotAsJson(trace->path(), report, 0));
  }
  return kExitFailed;
}

}  // namespace rtl::cli
