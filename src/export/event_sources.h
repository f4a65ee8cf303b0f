// SPDX-License-Identifier: MIT
// event_sources.h: the events of all span kinds on thread tracks, merged by start.
//
// Threads    one
// Memory     one row per kind
// Errors     of the trace
#pragma once

#include <memory>
#include <vector>

#include "base/status.h"
#include "trace/read/trace_reader.h"

namespace rtl::exporting {

// The rows of one kind, with its next row.
struct EventSource {
  query::EventCursor cursor;
  query::EventRow row;
};

class EventSources {
 public:
  Status Open(query::TraceReader& trace);
  // The source whose row starts first; null: none is left.
  EventSource* First() const;
  // Moves past a used row. A source without rows is dropped.
  Status Advance(EventSource* source);

 private:
  std::vector<std::unique_ptr<EventSource>> sources_;
};

}  // namespace rtl::exporting
