// SPDX-License-Identifier: MIT
// traced_probe.h: a traced process that only starts and stops the HSA runtime, to know what a trace
// can have here before a program runs.
//
// Threads    the main thread
// Blocking   a process that starts the runtime
// Errors     one line
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "cli/base/launch.h"
#include "cli/base/traced_environment.h"
#include "trace/collect/collector.h"

namespace rtl::cli {

inline constexpr char kRuntime[] = "libhsa-runtime64.so.1";

// Exit codes of the probe.
inline constexpr int kNoRuntime = 3;
inline constexpr int kInitFailed = 4;
inline constexpr int kMakesQueuesByDescription = 5;  // it starts, and has hsa_amd_queue_create

// The process itself: what `PROGRAM doctor --probe` does. `quiet`: the runtime's own lines are not
// printed. Returns its exit code.
int RunProbe(bool quiet);

class TracedProbe {
 public:
  TracedProbe();
  ~TracedProbe();
  // `traced`: what is requested; its spool is a private one. `variables`: of this process.
  Status Run(TracedEnvironment traced, const std::vector<std::string>& variables, bool quiet);
  const Ending& ending() const { return ending_; }
  // Its database is there as long as this object.
  const store::CollectResult& result() const { return result_; }

 private:
  class ScratchFolder;
  std::unique_ptr<ScratchFolder> scratch_;
  Ending ending_;
  store::CollectResult result_;
};

}  // namespace rtl::cli
