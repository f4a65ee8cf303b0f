// SPDX-License-Identifier: MIT
// offer.h: passes a library's tables to a library that may replace its functions. The second
// library is librocprofiler-register, if it is in the process and has a listener. Otherwise it is a
// library with `rocprofiler_set_api_table`: the one whose function is visible in the process, or
// librocprofiler-sdk.so.1 if it is loaded. If there is none of these, the library is loaded that
// librocprofiler-register would load: ROCPROFILER_REGISTER_LIBRARY, or else, if a tool is
// requested, librocprofiler-sdk.so.1 beside this library.
//
// Threads    any, one at a time
// Blocking   loads libraries and initialises tools
// Errors     none: a library that cannot be called is treated as missing. A program with the rights
//            of another user loads no library that its environment names
#pragma once

#include <stdint.h>

namespace rtl {

// Encoded as librocprofiler-register does: 10000 * major + 100 * minor + patch.
inline constexpr uint32_t kRoctxVersion = 40100;

void OfferTables(void** tables, uint64_t count);

}  // namespace rtl
