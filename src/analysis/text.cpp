// SPDX-License-Identifier: MIT
#include "analysis/text.h"

#include <fmt/format.h>

namespace rtl::analysis {

std::string Grouped(uint64_t value) {
  std::string digits = std::to_string(value);
  for (size_t at = digits.size(); at > 3;) {
    at -= 3;
    digits.insert(at, 1, ',');
  }
  return digits;
}

std::string Duration(uint64_t nanoseconds) {
  // The limits are where rounding to two decimals would reach the next unit.
  if (nanoseconds < 1000) return fmt::format("{} ns", nanoseconds);
  const double value = static_cast<double>(nanoseconds);
  if (nanoseconds < 999'995) return fmt::format("{:.2f} us", value / 1e3);
  if (nanoseconds < 999'995'000) return fmt::format("{:.2f} ms", value / 1e6);
  return fmt::format("{:.3f} s", value / 1e9);
}

std::string Percent(double share) { return fmt::format("{:.1f} %", share * 100); }

}  // namespace rtl::analysis
