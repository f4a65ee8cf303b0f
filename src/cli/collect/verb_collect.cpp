// SPDX-License-Identifier: MIT
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "analysis/text.h"
#include "cli/base/print.h"
#include "cli/base/verbs.h"
#include "export/earlier_file.h"
#include "spool/directory.h"
#include "spool/process_stat.h"
#include "spool/sharing.h"
#include "trace/collect/collector.h"
#include "trace/read/error.h"
#include "trace/write/claim.h"

namespace rtl::cli {

namespace {

// Memory for the last events of an attachable process. It holds about two million kernels.
constexpr size_t kAttachedBytes = size_t{256} << 20;

// If several collectors write to the same database, each one continues where the one before ended.
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

// An error if the folder has no spool, because a mistyped name would otherwise become an empty
// trace.
Status HoldsATrace(const std::string& spool) {
  std::vector<std::string> processes;
  RTL_TRY(spool::ListProcesses(spool, &processes));
  if (!processes.empty()) return Status::Ok();
  return query::FileError(spool, "no traced process has left anything in this directory");
}

// Makes databases from spools that earlier collectors of this database left when they were killed
// with their programs. The output of this process is discarded, so it cannot print the command for
// that. It makes the databases itself: "trace.left.db".
void FinishLeft(const std::string& database) {
  for (const std::string& spool : store::LeftBeside(database)) {
    const std::filesystem::path path(database);
    std::filesystem::path free = path;
    std::error_code error;
    for (int n = 1; n == 1 || std::filesystem::exists(free, error); ++n) {
      free = path;
      free.replace_extension((n == 1 ? ".left" : ".left-" + std::to_string(n)) +
                             path.extension().string());
    }
    store::Collector collector;
    store::CollectResult result;
    const Status started = collector.Start({.spool = spool,
                                            .output = free.string(),
                                            .tool_version = RTL_VERSION,
                                            .command = {},
                                            .kept_bytes = UINT64_MAX});
    if (started.ok()) (void)collector.Stop({}, &result);  // if this fails, the spool is kept
  }
}

}  // namespace

int RunVerb(const CollectCommand& options) {
  const bool shared = options.pid != 0;
  const Status found = shared ? Status::Ok() : HoldsATrace(options.spool);
  if (!found.ok()) return Fail(found);
  const Status free =
      options.force || options.attachable
          ? Status::Ok()
          : exporting::CheckReplaceable(exporting::FileKind::kTrace, options.output);
  if (!free.ok()) return Fail(free);
  if (shared) WaitForEarlierCollectors(options);
  // The spool is of a tool that was killed while the program goes on, so it must not be removed.
  const bool goes_on = !shared && store::HasWriter(options.spool);
  store::Collector collector;
  const Status started = collector.Start({.spool = options.spool,
                                          .output = options.output,
                                          .tool_version = RTL_VERSION,
                                          .command = {},
                                          .keep_spool = options.keep_spool || goes_on,
                                          // A complete spool does not grow, so it may be kept
                                          // whatever its size.
                                          .kept_bytes = shared ? store::kKeptBytes : UINT64_MAX,
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
  if (options.attachable) return 0;  // rtl trace --pid has had its answer
  if (shared) FinishLeft(options.output);
  for (const std::string& warning : result.warnings) PrintNote(warning);
  if (goes_on)
    PrintNote(
        "the spool stays, because a process writes into it still; collect it again when the "
        "process has ended");
  return PrintResult(result.output + ": " + analysis::Grouped(result.rows) + " rows of " +
                     Counted(result.processes.size(), "process", "processes") + "\n");
}

}  // namespace rtl::cli
