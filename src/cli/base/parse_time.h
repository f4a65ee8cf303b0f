// SPDX-License-Identifier: MIT
// parse_time.h: reads durations from the command line.
#pragma once

#include <cstdint>
#include <string>

namespace rtl::cli {

// "60s", "1.5m", "500ms", "10us", "60" (seconds); false: invalid, or less than a nanosecond.
bool ParseTime(const std::string& text, uint64_t* ns);

// As ParseTime, and also "0" and "0s".
bool ParseTimeOrZero(const std::string& text, uint64_t* ns);

}  // namespace rtl::cli
