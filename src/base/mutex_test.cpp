// SPDX-License-Identifier: MIT
#include "base/mutex.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "base/log.h"

namespace rtl {
namespace {

TEST(Mutex, KeepsThreadsApart) {
  Mutex mutex(Rank::kSession);
  int count = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int k = 0; k < 10'000; ++k) {
        const MutexLock lock(mutex);
        ++count;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(count, 40'000);
}

TEST(Mutex, TryLockFailsWhileAnotherThreadHoldsIt) {
  Mutex mutex(Rank::kSession);
  mutex.Lock();
  bool taken = true;
  std::thread([&] { taken = mutex.TryLock(); }).join();
  EXPECT_FALSE(taken);
  mutex.Unlock();
  ASSERT_TRUE(mutex.TryLock());
  mutex.Unlock();
}

TEST(Mutex, AcceptsNeighbouringRanks) {
  Mutex queues(Rank::kQueues), doorbell(Rank::kDoorbell), signals(Rank::kSignals);
  testing::internal::CaptureStderr();
  {
    const MutexLock first(queues);
    const MutexLock second(doorbell);
    const MutexLock third(signals);
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(Mutex, AcceptsAscendingRanks) {
  Mutex outer(Rank::kSession);
  Mutex inner(Rank::kSpool);
  testing::internal::CaptureStderr();
  {
    const MutexLock first(outer);
    const MutexLock second(inner);
  }
  const MutexLock again(outer);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

#ifndef NDEBUG
TEST(MutexDeathTest, DebugBuildsReportALockTakenOutOfOrder) {
  EXPECT_DEATH(
      {
        SetStrict(true);
        Mutex outer(Rank::kSession);
        Mutex inner(Rank::kSpool);
        const MutexLock first(inner);
        const MutexLock second(outer);
      },
      "a lock of rank 10 was taken under one of at least that rank");
}
#endif

}  // namespace
}  // namespace rtl
