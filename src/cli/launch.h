// SPDX-License-Identifier: MIT
// launch.h: runs the program to trace as if it had been started directly.
//
// It inherits standard streams, process group, terminal, signal mask and dispositions. Signals that
// somebody sends to rtl are passed on; those that the terminal sends to the whole foreground group
// reach it by themselves, so it sees each exactly once. rtl survives them to finish the trace.
//
// Threads    Start and Wait: the main thread. Every other blocks the signals above: there they
//            would be lost while Start has nobody yet to pass them on to. Handlers touch one atomic
//            and call kill(2)
// Blocking   Start until the program's exec; Wait until it ended
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "base/status.h"

namespace rtl::cli {

struct Ending {
  bool signalled = false;
  int number = 0;  // exit code, or signal

  int ExitCode() const { return signalled ? 128 + number : number; }
};

inline constexpr int kExitNotExecutable = 126;
inline constexpr int kExitNotFound = 127;

// From now on a file that reaches the limit of its size (SIGXFSZ) is an error of the write and no
// longer the end of this process. Programs that are launched do not inherit that.
void SurviveFileSizeLimit();

class Launch {
 public:
  // `environment`: "NAME=value" each. On failure *exit_code is what a shell would return.
  Status Start(const std::vector<std::string>& command, const std::vector<std::string>& environment,
               int* exit_code);
  Status Wait(Ending* ending);
  pid_t pid() const { return pid_; }
  // How often SIGINT has come so far; any thread.
  static uint32_t Interrupts();
  // From now on SIGUSR2 is ours and not passed on; before Start. How often it has come; any thread.
  static void KeepDumpSignal();
  static uint32_t DumpSignals();

 private:
  pid_t pid_ = -1;
};

}  // namespace rtl::cli
