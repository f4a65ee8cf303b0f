// SPDX-License-Identifier: MIT
#include "analysis/places.h"

#include <gtest/gtest.h>

namespace rtl::analysis {
namespace {

constexpr char kPair[] = "Cijk -> nvjet";

// A place with kernels of these names, each of this duration.
KernelsOfPlace Place(const std::map<std::string, std::vector<uint64_t>>& kernels) {
  KernelsOfPlace place;
  place.operation = "aten::mm";
  for (const auto& [name, durations] : kernels) {
    for (const uint64_t duration : durations) place.kernels[name].Add(duration);
  }
  return place;
}

Timings Of(const std::map<std::string, Timing>& kernels) {
  Timings timings;
  for (const auto& [name, timing] : kernels) timings[{Subject::kKernel, name}] = timing;
  return timings;
}

TEST(Places, PairsWhatEachSideAloneHasAtTheSamePlace) {
  std::vector<Timings> before = {Of({{"Cijk", {.calls = 3, .total = 60, .median = 20}}})};
  std::vector<Timings> after = {Of({{"nvjet", {.calls = 2, .total = 20, .median = 10}}})};
  const auto operations = PairByPlace({{{"mm 0", Place({{"Cijk", {20, 20}}})}}},
                                      {{{"mm 0", Place({{"nvjet", {10, 10}}})}}}, &before, &after);
  EXPECT_EQ(operations, (std::map<std::string, std::string>{{kPair, "aten::mm"}}));
  ASSERT_EQ(before[0].size(), 2u) << "one call was elsewhere";
  EXPECT_EQ((before[0][{Subject::kKernel, "Cijk"}].calls), 1u);
  EXPECT_EQ((before[0][{Subject::kKernel, "Cijk"}].total), 20u);
  EXPECT_EQ((before[0][{Subject::kKernel, kPair}].median), 20u);
  ASSERT_EQ(after[0].size(), 1u);
  EXPECT_EQ((after[0][{Subject::kKernel, kPair}].total), 20u);
}

TEST(Places, LeavesKernelsThatBothSidesHave) {
  std::vector<Timings> before = {Of({{"Cijk", {.calls = 1, .total = 5}}, {"add", {.calls = 1}}})};
  std::vector<Timings> after = {Of({{"add", {.calls = 1, .total = 7}}})};
  const auto operations = PairByPlace({{{"mm 0", Place({{"Cijk", {5}}})}}},
                                      {{{"mm 0", Place({{"add", {7}}})}}}, &before, &after);
  EXPECT_TRUE(operations.empty());
  EXPECT_EQ(before[0].size(), 2u);
}

TEST(Places, TakesTheKernelThatRunsMostOften) {
  std::vector<Timings> before = {
      Of({{"Cijk", {.calls = 2, .total = 10}}, {"rare", {.calls = 1, .total = 5}}})};
  std::vector<Timings> after = {Of({{"nvjet", {.calls = 3, .total = 9}}})};
  const auto operations = PairByPlace({{{"mm 0", Place({{"Cijk", {5, 5}}, {"rare", {5}}})}}},
                                      {{{"mm 0", Place({{"nvjet", {3, 3, 3}}})}}}, &before, &after);
  EXPECT_EQ(operations.size(), 1u);
  EXPECT_EQ((before[0].count({Subject::kKernel, "rare"})), 1u);
  EXPECT_EQ((after[0][{Subject::kKernel, kPair}].calls), 3u);
}

}  // namespace
}  // namespace rtl::analysis
