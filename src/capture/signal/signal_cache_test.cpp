// SPDX-License-Identifier: MIT
#include "capture/signal/signal_cache.h"

#include <gtest/gtest.h>

#include <memory>

namespace rtl::capture {
namespace {

class SignalCacheTest : public ::testing::Test {
 protected:
  // Put returns how many signals the worker could put, TakeAll how many the hook then finds, in
  // order.
  uint32_t Put(uint32_t signals, uint32_t limit) {
    uint32_t put = 0;
    while (put < signals && cache_->TryPut({next_put_}, limit)) {
      ++put;
      ++next_put_;
    }
    return put;
  }
  uint32_t TakeAll() {
    uint32_t taken = 0;
    for (hsa_signal_t signal; cache_->TryTake(&signal); ++taken) {
      EXPECT_EQ(signal.handle, next_taken_++);
    }
    return taken;
  }

  std::unique_ptr<SignalCache> cache_ = std::make_unique<SignalCache>();
  uint64_t next_put_ = 1, next_taken_ = 1;
};

TEST_F(SignalCacheTest, PassesBatchesOnAtOnceAndTheRestWithPublish) {
  EXPECT_EQ(Put(15, 100), 15u);
  EXPECT_EQ(TakeAll(), 0u);
  EXPECT_EQ(Put(1, 100), 1u);
  EXPECT_EQ(TakeAll(), 16u);
  EXPECT_EQ(Put(5, 100), 5u);
  cache_->Publish();
  EXPECT_EQ(TakeAll(), 5u);
  EXPECT_EQ(cache_->Taken(), 21u);
}

TEST_F(SignalCacheTest, KnowsItsLevelBeforeItPassesSignalsOn) {
  EXPECT_EQ(Put(7, 100), 7u);
  EXPECT_EQ(cache_->Level(), 7u);
}

TEST_F(SignalCacheTest, StopsAtTheLimitAndContinuesAfterSomeWereTaken) {
  EXPECT_EQ(Put(50, 32), 32u);
  EXPECT_EQ(TakeAll(), 32u);
  EXPECT_EQ(Put(50, 32), 0u) << "it reads once how many were taken";
  cache_->Publish();
  EXPECT_EQ(Put(50, 32), 32u);
}

TEST_F(SignalCacheTest, HoldsExactlyItsCapacityOverSeveralRounds) {
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(Put(2 * SignalCache::kCapacity, SignalCache::kCapacity), SignalCache::kCapacity);
    cache_->Publish();
    EXPECT_EQ(TakeAll(), SignalCache::kCapacity);
    cache_->Publish();
  }
}

}  // namespace
}  // namespace rtl::capture
