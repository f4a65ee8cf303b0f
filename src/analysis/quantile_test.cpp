// SPDX-License-Identifier: MIT
#include "analysis/quantile.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace rtl::analysis {
namespace {

TEST(QuantileSketch, IsZeroWithoutValues) { EXPECT_EQ(QuantileSketch().At(0.5), 0u); }

TEST(QuantileSketch, KeepsSmallValuesExactly) {
  QuantileSketch sketch;
  for (uint64_t value = 0; value <= 200; ++value) sketch.Add(value);
  EXPECT_EQ(sketch.At(0), 0u);
  EXPECT_EQ(sketch.At(0.5), 100u);
  EXPECT_EQ(sketch.At(1), 200u);
  EXPECT_EQ(sketch.count(), 201u);
}

TEST(QuantileSketch, IsWithinFourPerMilleOfTheSortedValues) {
  std::mt19937_64 random(42);
  std::vector<uint64_t> values;
  QuantileSketch sketch;
  for (int i = 0; i < 20000; ++i) {
    const uint64_t value = uint64_t{1} << (random() % 40) | (random() & 0xFFFF);
    values.push_back(value);
    sketch.Add(value);
  }
  std::sort(values.begin(), values.end());
  for (const double fraction : {0.01, 0.25, 0.5, 0.9, 0.99}) {
    const size_t rank = static_cast<size_t>(std::ceil(fraction * values.size())) - 1;
    const double exact = static_cast<double>(values[rank]);
    EXPECT_NEAR(static_cast<double>(sketch.At(fraction)), exact, exact * 0.004) << fraction;
  }
}

TEST(QuantileSketch, TakesTheLargestValue) {
  QuantileSketch sketch;
  sketch.Add(UINT64_MAX);
  EXPECT_GT(sketch.At(0.5), UINT64_MAX / 256 * 255);
}

TEST(QuantileSketch, StaysWithinTheAddedValues) {
  for (const uint64_t value : {uint64_t{1000}, uint64_t{1'234'567}, uint64_t{98'765'432'101}}) {
    QuantileSketch sketch;
    sketch.Add(value);
    for (const double fraction : {0.0, 0.5, 0.99, 1.0}) EXPECT_EQ(sketch.At(fraction), value);
    sketch.Add(value + 1);
    EXPECT_LE(sketch.At(0.99), value + 1);
    EXPECT_GE(sketch.At(0.01), value);
  }
}

}  // namespace
}  // namespace rtl::analysis
