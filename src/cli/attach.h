// SPDX-License-Identifier: MIT
// attach.h: a trace of a program that runs already, and goes on running (docs/adr/0080-attaching.md).
//
// Threads    one
// Blocking   until the time is over, the program has ended, or the user has interrupted it
// Signals    CatchInterruptions has to be called before
// Errors     one line; no file appears then
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/status.h"

namespace rtl::cli {

struct AttachRequest {
  std::string process;                               // its pid
  std::string output;                                // a database
  uint64_t duration_ns = 0;                          // 0: until somebody interrupts, or it ends
  std::function<void(const std::string&)> say = {};  // told when it has begun
};

// The program was started with RTL_ATTACH=1. `written`: where the trace is.
Status TraceRunning(const AttachRequest& request, std::string* written);

}  // namespace rtl::cli
