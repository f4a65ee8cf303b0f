// SPDX-License-Identifier: MIT
// untraced_watch.h: while the program runs, looks which of its processes have an HSA runtime or the
// GPU's device open, so that the trace can name those that the tracer did not get into: a wrapper
// (env -i, a job script) has taken the tracer's variables away, or the program drives the GPU by
// itself. What a short process does between two looks is not seen.
//
// Threads    one of its own between Start and Stop
// Blocking   Stop: until the thread has ended, at most one look
// Memory     one entry for each process with a runtime or the device
#pragma once

#include <sys/types.h>

#include <compare>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "trace/collect/collector.h"

namespace rtl::cli {

// For a trace in which no process has a runtime, when nothing else explains it.
std::string NoRuntimeSentence(const std::string& program, const store::CollectResult& result);

class UntracedWatch {
 public:
  // `librtl`, `spool`: as HSA_TOOLS_LIB and RTL_SPOOL name them. `proc`: for tests.
  UntracedWatch(std::string librtl, std::string spool, std::string proc = "/proc")
      : librtl_(std::move(librtl)), spool_(std::move(spool)), proc_(std::move(proc)) {}
  ~UntracedWatch() { Stop(); }
  UntracedWatch(const UntracedWatch&) = delete;
  UntracedWatch& operator=(const UntracedWatch&) = delete;

  // Without a thread nothing is seen.
  void Start(pid_t program);
  void Stop();

  // One look at the program and its descendants. Tests call it without Start.
  void Look(pid_t program);
  // After Stop: a sentence for each process that used a GPU, or could, and is not in the trace.
  std::vector<std::string> Untraced(const std::vector<store::ProcessResult>& traced) const;
  // A sentence about the processes with our variables that run still, apart from those that the
  // collector names (kAbandoned); empty: there are none. Helpers that end with the program get
  // `grace_ns` for it.
  std::string StillRunning(const std::vector<store::ProcessResult>& traced,
                           uint64_t grace_ns = 200'000'000) const;

 private:
  // What the environment of a process has in place of ours.
  enum class Tool : uint8_t { kUnknown, kOurs, kGone, kReplaced, kNoTrace, kOtherTrace };
  struct Seen {
    std::string name;
    pid_t parent = 0;
    pid_t own_pid = 0;     // in a PID namespace of its own; zero: not known
    bool runtime = false;  // an HSA runtime is mapped
    bool device = false;   // the driver's device is open
    Tool tool = Tool::kUnknown;
    std::string replaced_by;
    std::optional<uid_t> other_user;
  };
  // A program in a process: exec begins another one.
  struct Identity {
    pid_t pid = 0;
    uint64_t start_ticks = 0;  // since boot
    uint64_t stack = 0;        // its place; zero: not known
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
  std::map<Identity, Seen> seen_;         // of these, such as have something to report
  std::map<pid_t, uint64_t> of_program_;  // its descendants, and when they started
  std::thread thread_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool stop_ = false;  // under mutex_
};

}  // namespace rtl::cli
