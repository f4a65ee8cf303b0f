// SPDX-License-Identifier: MIT
#include <unistd.h>

#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "analysis/text.h"
#include "cli/print.h"
#include "cli/verbs.h"
#include "query/error.h"
#include "spool/directory.h"
#include "spool/process_stat.h"
#include "spool/sharing.h"
#include "store/collector.h"

namespace rtl::cli {

namespace {

// The memory for the last events of an attachable process: some two million kernels.
constexpr size_t kAttachedBytes = size_t{256} << 20;

// Of two collectors of one database, the later one continues where the earlier one ended.
void WaitForEarlierCollectors(const CollectCommand& options) {
  constexpr auto kPause = std::chrono::milliseconds(20);
  constexpr auto kLimit = std::chrono::minutes(10);
  const auto deadline = std::chrono::steady_clock::now() + kLimit;
  spool::CollectorProcess self;
  spool::ProcessStat stat;
  self.pid = static_cast<uint32_t>(getpid());
  if (!spool::ReadProcessStat(0, &stat)) return;
  self.start_ticks = stat.start_ticks;
  while (spool::EarlierCollects(options.output.c_str(), options.spool.c_str(), self) &&
         std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(kPause);
  }
}

// A wrong name would become an empty trace.
Status HoldsATrace(const std::string& spool) {
  std::vector<std::string> processes;
  RTL_TRY(spool::ListProcesses(spool, &processes));
  if (!processes.empty()) return Status::Ok();
  return query::FileError(spool, "no traced process has left anything in this directory");
}

}  // namespace

int RunCollect(const CollectCommand& options) {
  const bool shared = options.pid != 0;
  const Status found = shared ? Status::Ok() : HoldsATrace(options.spool);
  if (!found.ok()) return Fail(found);
  if (shared) WaitForEarlierCollectors(options);
  store::Collector collector;
  const Status started = collector.Start({.spool = options.spool,
                                          .output = options.output,
                                          .tool_version = RTL_VERSION,
                                          .command = {},
                                          .keep_spool = options.keep_spool,
                                          .shared = shared,
                                          .ring_bytes = options.attachable ? kAttachedBytes : 0,
                                          .attachable = options.attachable});
  if (!started.ok()) return Fail(started);
  if (shared) {
    collector.WaitForProcess(options.pid);
    collector.WaitForAll();
  }
  store::CollectResult result;
  const Status stopped = collector.Stop({}, &result);
  if (!stopped.ok()) return Fail(stopped);
  if (options.attachable) return 0;  // the attached program has had its answer
  for (const std::string& warning : result.warnings) PrintNote(warning);
  return PrintResult(result.output + ": " + analysis::Grouped(result.rows) + " rows of " +
                     analysis::Grouped(result.processes.size()) +
                     (result.processes.size() == 1 ? " process\n" : " processes\n"));
}

}  // namespace rtl::cli
