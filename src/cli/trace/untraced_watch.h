// SPDX-License-Identifier: MIT
// untraced_watch.h: looks, while the program runs, for processes that have an HSA runtime mapped or
// the GPU's device open, so that those without the tracer can be reported. The tracer is missing if
// a wrapper (env -i, a job script) has removed its variables, or if the program uses the driver
// without the runtime. A process that begins and ends between two looks is not seen.
//
// Threads    one of its own between Start and Stop
// Blocking   Stop: until the thread has ended, at most one look
// Memory     one entry for each process with a runtime or the device
#pragma once

#include <sys/types.h>

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/trace/background_thread.h"
#include "trace/collect/collector.h"

namespace rtl::cli {

// The sentence for a trace in which no process has a runtime, if there is no other explanation.
std::string NoRuntimeSentence(const std::string& program, const store::CollectResult& result);

class UntracedWatch {
 public:
  // `librtl`, `spool`: the paths in HSA_TOOLS_LIB and RTL_SPOOL. `proc`: another folder for tests.
  UntracedWatch(std::string librtl, std::string spool, std::string proc = "/proc")
      : librtl_(std::move(librtl)), spool_(std::move(spool)), proc_(std::move(proc)) {}

  // If the thread cannot be started, no process is seen, and tracing works without it.
  void Start(pid_t program) {
    (void)thread_.Start([this, program] { Run(program); });
  }
  void Stop() { thread_.Stop(); }

  // One look at the program and its descendants. Tests call it without Start.
  void Look(pid_t program);
  // Call it after Stop: a sentence for each process that used a GPU, or could, and is not in the
  // trace.
  std::vector<std::string> Untraced(const std::vector<store::ProcessResult>& traced) const;
  // A sentence about processes with our variables that still run, except those that the collector
  // names (kAbandoned). Empty: there are none. Waits up to `grace_ns` for helper processes that end
  // with the program.
  std::string StillRunning(const std::vector<store::ProcessResult>& traced,
                           uint64_t grace_ns = 200'000'000) const;

 private:
  // The tracer's variables in the environment of a process: unchanged, removed or replaced.
  enum class Tool : uint8_t { kUnknown, kOurs, kGone, kReplaced, kNoTrace, kOtherTrace };
  struct Seen {
    std::string name;
    pid_t parent = 0;
    pid_t own_pid = 0;     // its pid in its own PID namespace; zero: not known
    bool runtime = false;  // an HSA runtime is mapped
    bool device = false;   // the driver's device is open
    Tool tool = Tool::kUnknown;
    std::string replaced_by;
    std::optional<uid_t> other_user;
  };
  // Identifies a program in a process. After exec, the same process runs another program.
  struct Identity {
    pid_t pid = 0;
    uint64_t start_ticks = 0;  // since boot
    uint64_t stack = 0;        // address of the stack; zero: not known
    auto operator<=>(const Identity&) const = default;
  };

  void Run(pid_t program);
  void LookAt(const Identity& identity, pid_t parent, const std::string& name);
  void ReadEnvironment(const std::string& path, Seen* seen) const;
  std::string RunningNow(const std::vector<store::ProcessResult>& traced) const;
  static bool IsIn(const store::ProcessResult& traced, const Identity& identity, const Seen& seen);
  bool Inherited(const Seen& seen) const;
  std::string Sentence(pid_t pid, const Seen& seen) const;

  const std::string librtl_;
  const std::string spool_;
  const std::string proc_;
  std::map<Identity, Seen> seen_;         // only those that have a runtime or the device
  std::map<pid_t, uint64_t> of_program_;  // descendants of the program, with their start times
  BackgroundThread thread_;
};

}  // namespace rtl::cli
