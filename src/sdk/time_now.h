// SPDX-License-Identifier: MIT
// time_now.h: the clock of all timestamps that this library takes. One clock for all: a later event
// has no earlier time, within the accuracy of that clock.
//
// Threads    any
#pragma once

#include <stdint.h>

#include "base/self_kept_clock.h"

namespace rtl::sdk {

inline constinit SelfKeptClock the_clock;

// HOT.
inline uint64_t TimeNow() { return the_clock.NowNs(); }

}  // namespace rtl::sdk
