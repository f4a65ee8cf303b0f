// SPDX-License-Identifier: MIT
// own_values.h: reads values that this project's exports to Chrome's JSON and to Perfetto write in
// the same form.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/status.h"
#include "import/chrome_json.h"
#include "import/imported_trace.h"
#include "model/event_kinds.h"

namespace rtl::import {

// A link in an export is the id of the row of a call: the process in the upper bits, the call's
// number in the process in these lower ones.
inline constexpr uint64_t kNumberInProcess = (uint64_t{1} << 40) - 1;

// A kernel without its device, grid, submission and correlation. `kernel`: the argument with its
// name.
ImportedKernel OwnKernel(const ChromeEvent& event, std::string_view kernel, int64_t end);

// `link`: the call's id, see kNumberInProcess.
Status AddOwnCall(const ChromeEvent& event, std::string_view thread, int64_t end, uint64_t link,
                  ImportedTrace* trace);

// Adds an operator or a Python function.
Status AddOwnOperator(const ChromeEvent& event, std::string_view thread, int64_t end,
                      ImportedTrace* trace);

// Adds an event of a span kind, made from the event's arguments (export/event_arguments.h).
// `correlation`: of the call that it belongs to; zero: none.
Status AddOwnSpan(const SpanKind& kind, const ChromeEvent& event, std::string_view thread,
                  int64_t end, uint64_t correlation, ImportedTrace* trace);

}  // namespace rtl::import
