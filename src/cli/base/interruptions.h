// SPDX-License-Identifier: MIT
// interruptions.h: keeps a verb that writes a file from leaving half of it after an interruption.
//
// Threads    the main thread
// Signals    CatchInterruptions installs handlers for the rest of the process's life
#pragma once

#include <atomic>

#include "base/status.h"

namespace rtl::cli {

// From now on SIGINT, SIGTERM and SIGHUP set *Interrupted(), unless they are ignored. The second signal
// has its default action. `always`: also an ignored SIGINT, as of a script's background job, and
// SIGTERM, where only they end the command.
void CatchInterruptions(bool always = false);
// For what is written after the traced program has ended. `terminated`: SIGTERM has come, and often
// SIGKILL follows soon; so *Interrupted() is set after eight seconds at the latest.
void CatchLateInterruptions(bool terminated);
// All is written: another program may be started.
void EndLateInterruptions();
const std::atomic<bool>* Interrupted();

// The exit code: 0, that of the interruption, or 1 after printing the error.
int FinishOrFail(const Status& status);

}  // namespace rtl::cli
