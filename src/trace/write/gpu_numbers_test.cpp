// SPDX-License-Identifier: MIT
#include "trace/write/gpu_numbers.h"

#include <gtest/gtest.h>

namespace rtl::store {
namespace {

GpuNumbers::Gpu At(const char* host, uint32_t bdf, uint32_t own, uint32_t of_host, bool rank) {
  return {.host = host,
          .uuid = "GPU-XX",
          .bdf = bdf,
          .node = of_host + 1,
          .own = own,
          .of_host = of_host,
          .of_a_rank = rank};
}

TEST(GpuNumbersTest, KeepsTheNumbersOfOneProcess) {
  GpuNumbers numbers;
  // The process sees its GPUs in another order.
  EXPECT_EQ(numbers.Of(At("a", 0x300, 0, 1, false)), 0u);
  EXPECT_EQ(numbers.Of(At("a", 0x100, 1, 0, false)), 1u);
  EXPECT_EQ(numbers.Of(At("a", 0x300, 0, 1, false)), 0u);
}

TEST(GpuNumbersTest, NumbersRanksAlikeInAnyOrder) {
  for (const bool swapped : {false, true}) {
    GpuNumbers numbers;
    const GpuNumbers::Gpu first = At("a", 0x100, 0, 0, true);
    const GpuNumbers::Gpu second = At("a", 0x300, 0, 1, true);
    const uint32_t one = numbers.Of(swapped ? second : first);
    const uint32_t other = numbers.Of(swapped ? first : second);
    EXPECT_EQ(one, swapped ? 1u : 0u);
    EXPECT_EQ(other, swapped ? 0u : 1u);
  }
}

TEST(GpuNumbersTest, GivesTheGpusOfAnotherHostTheNextNumbers) {
  GpuNumbers numbers;
  for (const char* host : {"a", "b"}) {
    for (uint32_t i = 0; i < 2; ++i) {
      const uint32_t number = numbers.Of(At(host, 0x100 * (i + 1), i, i, true));
      EXPECT_EQ(number, host[0] == 'a' ? i : 2 + i);
    }
  }
}

TEST(GpuNumbersTest, TellsGpusWithoutAnyIdentityApart) {
  GpuNumbers numbers;
  EXPECT_EQ(numbers.Of({.host = "a", .own = 1}), 1u);
  EXPECT_EQ(numbers.Of({.host = "a", .own = 0}), 0u);
  EXPECT_EQ(numbers.Of({.host = "a", .own = 1}), 1u);
}

TEST(GpuNumbersTest, GoesOnAfterAnEarlierPart) {
  GpuNumbers numbers;
  numbers.Know(At("a", 0x300, 0, 1, false), 0);
  EXPECT_EQ(numbers.Of(At("a", 0x100, 0, 1, false)), 1u);
  EXPECT_EQ(numbers.Of(At("a", 0x300, 0, 1, false)), 0u);
}

}  // namespace
}  // namespace rtl::store
