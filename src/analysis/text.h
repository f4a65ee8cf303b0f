// SPDX-License-Identifier: MIT
// text.h: numbers in readable form.
#pragma once

#include <cstdint>
#include <string>

namespace rtl::analysis {

// "1,234,567"
std::string Grouped(uint64_t value);

// Three to four significant digits and a unit: "843 ns", "12.30 us", "4.56 ms", "1.234 s".
std::string Duration(uint64_t nanoseconds);

// 0..1 as "45.1 %".
std::string Percent(double share);

}  // namespace rtl::analysis
