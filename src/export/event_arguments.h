// SPDX-License-Identifier: MIT
// event_arguments.h: the values of an event of a span kind, in the form in which exports show them.
// The form follows from the description of the kind (model/event_kinds.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "trace/read/trace_reader.h"

namespace rtl::exporting {

struct EventArgument {
  // The arguments of a kind are its fields, and the GPU of an agent or a queue, which has this
  // number.
  static constexpr uint32_t kDevice = kMostEventFields;
  static constexpr uint32_t kMost = kMostEventFields + 1;

  uint32_t number = 0;  // number of the argument
  const char* name = "";
  bool is_text = false;
  uint64_t value = 0;
  std::string text;  // may be invalid UTF-8
};

// The name of an argument of a kind; null if the kind has no argument with this number.
const char* EventArgumentName(const SpanKind& kind, uint32_t number);

// Sets `out` to the known values of the event.
Status EventArguments(query::TraceReader& trace, const query::EventRow& row,
                      std::vector<EventArgument>* out);

}  // namespace rtl::exporting
