// SPDX-License-Identifier: MIT
// log_histogram.h: a histogram of durations with four bars for each doubling.
//
// Threads    one
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace rtl::report {

class LogHistogram {
 public:
  static constexpr size_t kBars = 256;

  void Add(uint64_t value) { ++counts_[BarOf(value)]; }
  const std::array<uint64_t, kBars>& counts() const { return counts_; }

  static size_t BarOf(uint64_t value) {
    if (value < 4) return value;
    const auto log = static_cast<size_t>(std::bit_width(value)) - 1;
    return log * 4 + (value >> (log - 2) & 3);
  }
  // The least value that a bar counts. Bars 4 to 7 are always empty.
  static uint64_t LeastOf(size_t bar) {
    if (bar < 8) return bar < 4 ? bar : 4;
    return uint64_t{4 + bar % 4} << (bar / 4 - 2);
  }

 private:
  std::array<uint64_t, kBars> counts_{};
};

}  // namespace rtl::report
