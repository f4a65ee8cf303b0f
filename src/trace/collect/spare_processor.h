// SPDX-License-Identifier: MIT
// spare_processor.h: finds out whether the machine has an idle processor at this moment.
//
// Threads    any
// Errors     if the system gives no answer, the result is true
#pragma once

#include <string_view>

namespace rtl::store {

// The calling thread does not count as busy.
bool ProcessorToSpare();

// `loadavg`: the text of /proc/loadavg, such as "0.11 0.20 0.15 2/345 6789" (two threads run or
// want to run, one of them the reader of the file). `processors`: their number.
bool ProcessorToSpare(std::string_view loadavg, int processors);

}  // namespace rtl::store
