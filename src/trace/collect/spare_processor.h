// SPDX-License-Identifier: MIT
// spare_processor.h: whether the machine has an idle processor at this moment.
//
// Threads    any
// Errors     without an answer from the system: true
#pragma once

#include <string_view>

namespace rtl::store {

// The caller itself does not count as busy.
bool ProcessorToSpare();

// For `loadavg`, the text of /proc/loadavg ("0.11 0.20 0.15 2/345 6789": two threads run or want to
// run, the reader of the file among them), on `processors`.
bool ProcessorToSpare(std::string_view loadavg, int processors);

}  // namespace rtl::store
