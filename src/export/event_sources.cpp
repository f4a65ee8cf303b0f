// SPDX-License-Identifier: MIT
#include "export/event_sources.h"

namespace rtl::exporting {

Status EventSources::Open(query::TraceReader& trace) {
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

EventSource* EventSources::First() const {
  EventSource* first = nullptr;
  for (const auto& source : sources_) {
    if (first == nullptr || source->row.start < first->row.start) first = source.get();
  }
  return first;
}

Status EventSources::Advance(EventSource* source) {
  bool has_row = false;
  RTL_TRY(source->cursor.Next(&source->row, &has_row));
  if (!has_row) std::erase_if(sources_, [&](const auto& s) { return s.get() == source; });
  return Status::Ok();
}

}  // namespace rtl::exporting
