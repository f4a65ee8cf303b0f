// SPDX-License-Identifier: MIT
// event_sources.h: reads the events of all span kinds that are shown on thread tracks, merged by
// their start.
//
// Threads    one
// Memory     one row per kind
// Errors     those of the trace
#pragma once

#include <memory>
#include <vector>

#include "base/status.h"
#include "trace/read/trace_reader.h"

namespace rtl::exporting {

// The rows of one kind, and the next row of this kind.
struct EventSource {
  query::EventCursor cursor;
  query::EventRow row;
};

class EventSources {
 public:
  Status Open(query::TraceReader& trace);
  // The source whose row starts first; null if no rows are left.
  EventSource* First() const;
  // Moves to the next row of the source. A source without further rows is dropped.
  Status Advance(EventSource* source);

 private:
  std::vector<std::unique_ptr<EventSource>> sources_;
};

}  // namespace rtl::exporting
