// SPDX-License-Identifier: MIT
// time_now.h: the clock of all timestamps that this library takes. It is the clock of the process,
// which the trace uses, too.
//
// Threads    any
#pragma once

#include <stdint.h>

#include "base/self_kept_clock.h"

namespace rtl::sdk {

// HOT.
inline uint64_t TimeNow() { return process_clock.NowNs(); }

}  // namespace rtl::sdk
