// SPDX-License-Identifier: MIT
// requested_events.h: the kinds of events that the user has requested for a trace, so that no hint
// advises the user to request them.
//
// Threads    as the given reader
// Errors     those of the reader
#pragma once

#include "base/status.h"
#include "model/event_kinds.h"
#include "trace/read/trace_reader.h"

namespace rtl::query {

class RequestedEvents {
 public:
  Status Load(TraceReader& trace);

  // True if the events were recorded in every process, or if such events are in the trace.
  bool Made(EventKind kind) const { return made_.Has(kind); }
  // True if another trace with these events would have more. False for traces of other tools.
  bool ToAdvise(EventKind kind) const { return !foreign_ && !Made(kind); }

 private:
  EventSet made_;
  bool foreign_ = false;
};

}  // namespace rtl::query
