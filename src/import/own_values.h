// SPDX-License-Identifier: MIT
// own_values.h: values that this project's exports to Chrome's JSON and to Perfetto have in the same
// form.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/status.h"
#include "import/chrome_json.h"
#include "import/imported_trace.h"
#include "model/event_kinds.h"

namespace rtl::import {

// A link is the id of a call's row: its number in the process, and the process.
inline constexpr uint64_t kNumberInProcess = (uint64_t{1} << 40) - 1;

// Of a call of HIP: "hipErrorInvalidValue", or a number.
int32_t OwnResult(std::string_view text);

// An event of a span kind, from its arguments (export/event_arguments.h). `correlation`: of its
// call; zero: none.
Status AddOwnSpan(const SpanKind& kind, const ChromeEvent& event, std::string_view thread,
                  int64_t end, uint64_t correlation, ImportedTrace* trace);

}  // namespace rtl::import
