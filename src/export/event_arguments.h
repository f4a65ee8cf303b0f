// SPDX-License-Identifier: MIT
// event_arguments.h: the values of an event of a span kind, as exports show them. They follow from
// the kind's description (model/event_kinds.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "trace/read/trace_reader.h"

namespace rtl::exporting {

struct EventArgument {
  // An argument of a kind: one of its fields, or the GPU of an agent or a queue.
  static constexpr uint32_t kDevice = kMostEventFields;
  static constexpr uint32_t kMost = kMostEventFields + 1;

  uint32_t number = 0;  // its number
  const char* name = "";
  bool is_text = false;
  uint64_t value = 0;
  std::string text;  // may be invalid UTF-8
};

// The name of a kind's argument; null when it has none of this number.
const char* EventArgumentName(const SpanKind& kind, uint32_t number);

// The known values of the event. `out` is cleared first.
Status EventArguments(query::TraceReader& trace, const query::EventRow& row,
                      std::vector<EventArgument>* out);

}  // namespace rtl::exporting
