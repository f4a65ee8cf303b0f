// SPDX-License-Identifier: MIT
// launch.h: runs the program to trace as if it had been started directly.
//
// The program inherits standard streams, process group, terminal, signal mask and dispositions.
// Signals that are sent to rtl are passed on. Signals that the terminal sends to the whole
// foreground group reach the program directly. So the program gets each signal exactly once. rtl
// survives these signals to finish the trace.
//
// Threads    Start and Wait: the main thread. All other threads block the signals above, because a
//            signal would be lost there while there is no program yet. Handlers only use an atomic
//            and call kill(2)
// Blocking   Start: until the program's exec; Wait: until the program has ended
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

// If this process was started without a standard stream, keeps the stream's number occupied, so
// that no other file gets it: otherwise a line for standard error would be written into that file.
// Reading and writing the stream still fail, and launched programs find it closed.
void OccupyStandardStreams();

// After this call, a write to a file that has reached its size limit fails instead of killing this
// process (SIGXFSZ). Launched programs do not inherit that.
void SurviveFileSizeLimit();

// As execve takes them: with a null at the end. They point into `strings`.
std::vector<char*> Pointers(const std::vector<std::string>& strings);

class Launch {
 public:
  // `environment`: each is "NAME=value". On failure *exit_code is what a shell would return.
  Status Start(const std::vector<std::string>& command, const std::vector<std::string>& environment,
               int* exit_code);
  Status Wait(Ending* ending);
  pid_t pid() const { return pid_; }
  // The number of SIGINTs so far; any thread.
  static uint32_t Interrupts();
  // Whether SIGTERM was passed on to the last program; any thread.
  static bool Terminated();
  // KeepDumpSignal: after this call rtl handles SIGUSR2 and does not pass it on. Call it before
  // Start. DumpSignals: the number of SIGUSR2s so far. May be called from any thread.
  static void KeepDumpSignal();
  static uint32_t DumpSignals();

 private:
  pid_t pid_ = -1;
};

}  // namespace rtl::cli
