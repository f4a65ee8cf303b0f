// SPDX-License-Identifier: MIT
// attach.h: traces a running program, which goes on running (docs/adr/0080-attaching.md,
// docs/adr/0177-attach-to-any-process.md).
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
  // What is recorded, of a program that was not prepared; empty: the default.
  std::string mode = {};
  std::string events = {};
  bool takes_others = false;  // a program that was prepared may record other events
  std::string version = {};   // for the metadata
  std::function<void(const std::string&)> say = {};  // called when tracing has begun
};

// The program was started with RTL_ATTACH=1 and the tracer; or the tracer is loaded into it now and
// leaves it again. `written`: the path of the trace.
Status TraceRunning(const AttachRequest& request, std::string* written);

}  // namespace rtl::cli
