// SPDX-License-Identifier: MIT
// offer.h: hands a library's tables to who wants to put functions in front of its own: to
// librocprofiler-register where it is in the process and has a taker, else to a library with
// `rocprofiler_set_api_table`: the one that is visible in the process, and librocprofiler-sdk.so.1
// where it is loaded. When there is neither, what librocprofiler-register would load:
// ROCPROFILER_REGISTER_LIBRARY, else, when a tool is asked for, librocprofiler-sdk.so.1 beside this
// library.
//
// Threads    any, one at a time
// Blocking   loads libraries and initialises tools
// Errors     none: whoever cannot be asked is not there. A program with the rights of another user
//            loads nothing that its environment names
#pragma once

#include <stdint.h>

namespace rtl {

// As librocprofiler-register has it: 10000 * major + 100 * minor + patch.
inline constexpr uint32_t kRoctxVersion = 40100;

void OfferTables(void** tables, uint64_t count);

}  // namespace rtl
