// SPDX-License-Identifier: MIT
// attach.h: traces a running program, which goes on running (docs/adr/0080-attaching.md).
//
// Threads    one
// Blocking   until the time is over, the program has ended, or the user has interrupted it
// Signals    call CatchInterruptions first
// Errors     one line; then no file appears
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/status.h"

namespace rtl::cli {

struct AttachRequest {
  std::string process;       // its pid
  std::string output;        // a database
  uint64_t duration_ns = 0;  // 0: until an interruption, or the program's end
  std::function<void(const std::string&)> say = {};  // called when tracing has begun
};

// The program was started with RTL_ATTACH=1. `written`: the path of the trace.
Status TraceRunning(const AttachRequest& request, std::string* written);

}  // namespace rtl::cli
