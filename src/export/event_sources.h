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
  Status Open(query::TraceReader& trace) {
    for (size_t i = 0; i < kEventKindCount; ++i) {
      const auto kind = static_cast<EventKind>(i);
      const SpanKind* const span = FindSpanKind(kind);
      if (span == nullptr || span->track != SpanTrack::kThread) continue;
      auto source = std::make_unique<EventSource>();
      RTL_TRY(trace.EventsByStart(kind, &source->cursor));
      sources_.push_back(std::move(source));
      RTL_TRY(Advance(sources_.back().get()));
    }
    return Status::Ok();
  }

  // The source whose row starts first; null if no rows are left.
  EventSource* First() const {
    EventSource* first = nullptr;
    for (const auto& source : sources_) {
      if (first == nullptr || source->row.start < first->row.start) first = source.get();
    }
    return first;
  }

  // Moves to the next row of the source. A source without further rows is dropped.
  Status Advance(EventSource* source) {
    bool has_row = false;
    RTL_TRY(source->cursor.Next(&source->row, &has_row));
    if (!has_row) std::erase_if(sources_, [&](const auto& s) { return s.get() == source; });
    return Status::Ok();
  }

 private:
  std::vector<std::unique_ptr<EventSource>> sources_;
};

}  // namespace rtl::exporting
