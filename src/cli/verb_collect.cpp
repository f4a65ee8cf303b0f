// SPDX-License-Identifier: MIT
#include "analysis/text.h"
#include "cli/print.h"
#include "cli/verbs.h"
#include "store/collector.h"

namespace rtl::cli {

int RunCollect(const CollectCommand& options) {
  store::Collector collector;
  const Status started = collector.Start({.spool = options.spool,
                                          .output = options.output,
                                          .tool_version = RTL_VERSION,
                                          .command = {},
                                          .keep_spool = options.keep_spool});
  if (!started.ok()) return Fail(started);
  if (options.pid != 0) collector.WaitForProcess(options.pid);
  store::CollectResult result;
  const Status stopped = collector.Stop({}, &result);
  if (!stopped.ok()) return Fail(stopped);
  for (const std::string& warning : result.warnings) PrintNote(warning);
  return PrintResult(result.output + ": " + analysis::Grouped(result.rows) + " rows of " +
                     analysis::Grouped(result.processes.size()) +
                     (result.processes.size() == 1 ? " process\n" : " processes\n"));
}

}  // namespace rtl::cli
