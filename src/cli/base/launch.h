// SPDX-License-Identifier: MIT
// launch.h: runs the program to trace as if it had been started directly.
//
// The program inherits standard streams, process group, terminal, signal mask and dispositions.
// Signals to rtl are passed on. Signals of the terminal to the whole foreground group reach the
// program directly. So it gets each signal exactly once. rtl survives them to finish the trace.
//
// Threads    Start and Wait: the main thread. All others block the signals above, which would be
//            lost there while Start has no program yet. Handlers touch one atomic and call kill(2)
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

// Keeps files that this process opens away from the numbers of standard streams that it was started
// without: a line for standard error would be written into them. Reading and writing still fail
// there, and launched programs find these streams closed.
void OccupyStandardStreams();

// From now on, a file that reaches its size limit (SIGXFSZ) makes the write fail and no longer
// kills this process. Launched programs do not inherit that.
void SurviveFileSizeLimit();

class Launch {
 public:
  // `environment`: "NAME=value" each. On failure *exit_code is a shell's exit code for it.
  Status Start(const std::vector<std::string>& command, const std::vector<std::string>& environment,
               int* exit_code);
  Status Wait(Ending* ending);
  pid_t pid() const { return pid_; }
  // The number of SIGINTs so far; any thread.
  static uint32_t Interrupts();
  // Whether SIGTERM was passed on to the last program; any thread.
  static bool Terminated();
  // From now on rtl handles SIGUSR2 and does not pass it on; before Start. Returns the number so
  // far; any thread.
  static void KeepDumpSignal();
  static uint32_t DumpSignals();

 private:
  pid_t pid_ = -1;
};

}  // namespace rtl::cli
