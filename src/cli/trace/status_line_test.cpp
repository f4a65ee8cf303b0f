// SPDX-License-Identifier: MIT
#include "cli/trace/status_line.h"

#include <gtest/gtest.h>

namespace rtl::cli {
namespace {

constexpr uint64_t kSecond = 1'000'000'000;

TEST(StatusText, HasTheTimeTheCountsTheRateAndTheLosses) {
  EXPECT_EQ(
      StatusText(12 * kSecond, {.kernels = 1'234'567, .events = 2'000'000, .lost = 3}, 45'678, 80),
      "rtl  12 s  1,234,567 kernels  45,678 events/s  3 lost");
  EXPECT_EQ(StatusText(61 * kSecond, {.kernels = 1, .events = 1}, 0, 80),
            "rtl  1 min 1 s  1 kernel  0 events/s  0 lost");
  EXPECT_EQ(StatusText(3'720 * kSecond, {}, 0, 80),
            "rtl  1 h 2 min  0 kernels  0 events/s  0 lost");
}

TEST(StatusText, IsNeverWiderThanTheTerminal) {
  const Counts progress = {.kernels = 1'234'567, .events = 2'000'000, .lost = 3};
  for (size_t width = 1; width < 80; ++width) {
    EXPECT_LE(StatusText(12 * kSecond, progress, 45'678, width).size(), width);
  }
  EXPECT_EQ(StatusText(12 * kSecond, progress, 45'678, 40), "rtl  12 s  1,234,567 kernels  3 lost");
  EXPECT_EQ(StatusText(12 * kSecond, progress, 45'678, 30), "rtl  1,234,567 kernels  3 lost");
}

}  // namespace
}  // namespace rtl::cli
