// SPDX-License-Identifier: MIT
// interruptions.h: makes an interrupted verb stop cleanly, so that it leaves no incomplete file.
//
// Threads    the main thread
// Signals    CatchInterruptions installs handlers for the rest of the process's life
#pragma once

#include <atomic>

#include "base/status.h"

namespace rtl::cli {

// After this call SIGINT, SIGTERM and SIGHUP set *Interrupted(), unless they are ignored. A second
// signal has its default action. `always`: also catches SIGINT and SIGTERM if they are ignored, as
// SIGINT is in a script's background job. Use it for verbs that only such a signal ends.
void CatchInterruptions(bool always = false);
// Catches interruptions of the writing after the traced program has ended. `terminated`: SIGTERM
// came before. SIGKILL often follows soon, so *Interrupted() is set after eight seconds.
void CatchLateInterruptions(bool terminated);
// Call it when everything is written. Then another program may be started.
void EndLateInterruptions();
const std::atomic<bool>* Interrupted();

// The exit code: 0, that of the interruption, or 1 after printing the error.
int FinishOrFail(const Status& status);

}  // namespace rtl::cli
