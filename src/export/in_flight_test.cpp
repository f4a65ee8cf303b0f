// SPDX-License-Identifier: MIT
#include "export/in_flight.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace rtl::exporting {
namespace {

TEST(InFlight, ReturnsOrderedSlicesInOrder) {
  InFlight<int> waiting;
  int next = 0;
  for (int i = 0; i < 1000; ++i) {
    waiting.Push(i);
    if (i % 3 != 0) continue;
    EXPECT_EQ(waiting.First(), next++);
    waiting.Pop();
  }
  EXPECT_EQ(waiting.size(), 1000u - static_cast<size_t>(next));
}

TEST(InFlight, ReturnsTheEarliestInAnyOrderOfArrival) {
  std::mt19937 random(7);
  InFlight<uint32_t> waiting;
  std::multiset<uint32_t> expected;
  for (int i = 0; i < 20'000; ++i) {
    if (expected.empty() || random() % 2 == 0) {
      const uint32_t value = static_cast<uint32_t>(i) + random() % 100;
      waiting.Push(value);
      expected.insert(value);
    } else {
      ASSERT_EQ(waiting.First(), *expected.begin());
      waiting.Pop();
      expected.erase(expected.begin());
    }
    ASSERT_EQ(waiting.size(), expected.size());
    ASSERT_EQ(waiting.empty(), expected.empty());
  }
}

TEST(Pool, ReusesOnlyReturnedSlices) {
  Pool<int> pool;
  int* const first = pool.Take();
  int* const second = pool.Take();
  EXPECT_NE(first, second);
  pool.Give(first);
  EXPECT_EQ(pool.Take(), first);
}

}  // namespace
}  // namespace rtl::exporting
