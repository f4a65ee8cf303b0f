// SPDX-License-Identifier: MIT
#include "base/demand.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace rtl {
namespace {

TEST(DemandTest, IsThereUntilAnAnswerIsNo) {
  Demand demand;
  EXPECT_FALSE(demand.Quiet());
  demand.Update([] { return false; });
  EXPECT_TRUE(demand.Quiet());
  demand.Update([] { return false; });
  EXPECT_TRUE(demand.Quiet());
  demand.Update([] { return true; });
  EXPECT_FALSE(demand.Quiet());
}

// An answer from before the other one's change must not come out on top.
TEST(DemandTest, KeepsTheLaterAnswerOfTwo) {
  Demand demand;
  bool wanted = false;
  demand.Update([&] {
    const bool before = wanted;
    if (!wanted) {
      wanted = true;
      demand.Update([&] { return wanted; });
    }
    return before;
  });
  EXPECT_FALSE(demand.Quiet());
}

TEST(DemandTest, FollowsThreadsThatChangeTheirWishes) {
  Demand demand;
  std::atomic<int> wishes{0};
  const auto change = [&](int by) {
    wishes.fetch_add(by);
    demand.Update([&] { return wishes.load() != 0; });
  };
  std::atomic<bool> missed{false};
  const auto run = [&] {
    for (int i = 0; i < 20'000; ++i) {
      change(1);
      if (demand.Quiet()) missed = true;
      change(-1);
    }
  };
  std::thread first(run), second(run);
  first.join();
  second.join();
  EXPECT_FALSE(missed) << "a wish of one's own";
  EXPECT_TRUE(demand.Quiet());
}

}  // namespace
}  // namespace rtl
