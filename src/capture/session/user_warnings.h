// SPDX-License-Identifier: MIT
// user_warnings.h: warns the user of the traced program, by a record in the trace or on stderr.
//
// Threads    under the session's lock
// Errors     a text without room in the trace goes to stderr
#pragma once

#include "capture/session/event_plan.h"
#include "capture/session/lifecycle.h"
#include "capture/session/trace_output.h"

namespace rtl::capture {

class UserWarnings {
 public:
  UserWarnings(const Lifecycle* life, const EventPlan* plan, TraceOutput* output)
      : life_(life), plan_(plan), output_(output) {}

  // At most 511 bytes are kept.
  void Add(const char* format, ...) __attribute__((format(printf, 2, 3)));

 private:
  bool Write(const char* text);

  const Lifecycle* const life_;
  const EventPlan* const plan_;
  TraceOutput* const output_;
};

}  // namespace rtl::capture
