// SPDX-License-Identifier: MIT
// parse_time.h: a span of time as people type it.
#pragma once

#include <cstdint>
#include <string>

namespace rtl::cli {

// "60s", "1.5m", "500ms", "10us", "60" (seconds); false: it is none, or less than a nanosecond.
bool ParseTime(const std::string& text, uint64_t* ns);

// As ParseTime, and no time at all: "0", "0s".
bool ParseTimeOrZero(const std::string& text, uint64_t* ns);

}  // namespace rtl::cli
