// SPDX-License-Identifier: MIT
// attach.h: traces a program that already runs and goes on running (docs/adr/0080-attaching.md,
// docs/adr/0177-attach-to-any-process.md).
//
// Threads    one
// Blocking   until the time is over, the program has ended, or the user has interrupted it
// Signals    call CatchInterruptions first
// Errors     one line; after an error there is no file
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/status.h"

namespace rtl::cli {

struct AttachRequest {
  std::string process;       // pid of the process
  std::string output;        // path of the database
  uint64_t duration_ns = 0;  // 0: until an interruption, or the program's end
  // The events to record in a program that was not prepared for tracing. Empty: the default.
  std::string mode = {};
  std::string events = {};
  bool takes_others = false;  // whether it is no error if a prepared program records other events
  std::string version = {};   // version of the tool, for the metadata
  std::function<void(const std::string&)> say = {};  // called when tracing has begun
};

// Either the program was started with RTL_ATTACH=1 and the tracer, or the tracer is loaded into it
// now and leaves it at the end. `written`: the path of the trace.
Status TraceRunning(const AttachRequest& request, std::string* written);

}  // namespace rtl::cli
