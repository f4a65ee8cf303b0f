// SPDX-License-Identifier: MIT
// interruptions.h: a verb that writes a file leaves no half of it when it is interrupted.
//
// Threads    the main thread
// Signals    CatchInterruptions installs handlers for the rest of the process's life
#pragma once

#include <atomic>

#include "base/status.h"

namespace rtl::cli {

// SIGINT, SIGTERM and SIGHUP set *Interrupted(). The second one finds the default.
void CatchInterruptions();
const std::atomic<bool>* Interrupted();

// The exit code: 0, that of the interruption, or 1 with a line that says why.
int FinishOrFail(const Status& status);

}  // namespace rtl::cli
