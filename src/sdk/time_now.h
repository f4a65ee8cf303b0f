// SPDX-License-Identifier: MIT
// time_now.h: the clock of all that this library stamps itself. One for all: what comes later has no
// earlier time, but for the accuracy of that clock.
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
