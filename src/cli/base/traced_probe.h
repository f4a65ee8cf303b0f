// SPDX-License-Identifier: MIT
// traced_probe.h: traces a process that only starts and stops the HSA runtime. Its trace shows what
// can be recorded on this machine, before the user's program runs.
//
// Threads    the main thread
// Blocking   runs a process that starts the runtime
// Errors     one line
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "cli/base/launch.h"
#include "cli/base/temporary_folder.h"
#include "cli/base/traced_environment.h"
#include "trace/collect/collector.h"

namespace rtl::cli {

inline constexpr char kRuntime[] = "libhsa-runtime64.so.1";

// Exit codes of the probe.
inline constexpr int kNoRuntime = 3;
inline constexpr int kInitFailed = 4;
// The runtime starts, and has hsa_amd_queue_create.
inline constexpr int kMakesQueuesByDescription = 5;

// What the probed process does: `PROGRAM doctor --probe`. `quiet`: lines of the runtime are not
// printed. Returns the exit code.
int RunProbe(bool quiet);

class TracedProbe {
 public:
  // `traced`: what the user requested; the spool is replaced by a private one. `variables`: those
  // of this process.
  Status Run(TracedEnvironment traced, const std::vector<std::string>& variables, bool quiet);
  const Ending& ending() const { return ending_; }
  // The database of this result exists as long as this object.
  const store::CollectResult& result() const { return result_; }

 private:
  TemporaryFolder folder_;
  Ending ending_;
  store::CollectResult result_;
};

}  // namespace rtl::cli
