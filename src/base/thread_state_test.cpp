// SPDX-License-Identifier: MIT
#include "base/thread_state.h"

#include <gtest/gtest.h>

#include <thread>

namespace rtl {
namespace {

TEST(ThreadState, GuardNestsAndBelongsToOneThread) {
  EXPECT_FALSE(ReentryGuard::Active());
  {
    const ReentryGuard outer;
    {
      const ReentryGuard inner;
      EXPECT_TRUE(ReentryGuard::Active());
    }
    EXPECT_TRUE(ReentryGuard::Active());
    bool active_elsewhere = true;
    std::thread([&] { active_elsewhere = ReentryGuard::Active(); }).join();
    EXPECT_FALSE(active_elsewhere);
  }
  EXPECT_FALSE(ReentryGuard::Active());
}

TEST(ThreadState, ThreadIdEqualsTheKernelsId) {
  EXPECT_EQ(ThreadId::Current(), static_cast<uint32_t>(getpid()));
  uint32_t theirs = 0;
  uint32_t expected = 0;
  std::thread([&] {
    theirs = ThreadId::Current();
    expected = static_cast<uint32_t>(gettid());
  }).join();
  EXPECT_EQ(theirs, expected);
  EXPECT_NE(theirs, ThreadId::Current());
}

}  // namespace
}  // namespace rtl
