// SPDX-License-Identifier: MIT
#include "capture/worker/harvester.h"

#include <gtest/gtest.h>

#include <memory>

#include "tests/support/traced_hsa.h"

namespace rtl::capture {
namespace {

// A queue with a hook that takes signals and gives none back.
class SupplyTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(tables_.Open(hsa_.root_table()).ok());
    pool_->Init(&tables_.api(), 16 * 1024);
    (void)pool_->Grow(64);
    services_.state = &state_;
    services_.api = &tables_.api();
    services_.kernels = &kernels_;
    services_.pool = pool_.get();
    services_.pending_limit = 1024;
    ASSERT_TRUE(queue_->Open(&services_, &submitted_, 1024));
    Harvester::Services services;
    services.pool = pool_.get();
    harvester_->Init(services, {});
  }
  void TearDown() override { queue_->ReleaseSignals(pool_.get()); }

  uint32_t Ready() { return queue_->signals().cache().Level(); }
  uint32_t Target() { return queue_->signals().target().load(); }
  void Take(uint32_t signals) {
    hsa_signal_t signal;
    for (uint32_t i = 0; i < signals; ++i)
      ASSERT_TRUE(queue_->signals().cache().TryTake(&signal)) << i;
  }

  support::FakeHsa hsa_;
  support::FakeKernels kernels_;
  HsaTables tables_;
  QueueCounter submitted_;
  HookState state_;
  QueueServices services_;
  const std::unique_ptr<SignalPool> pool_ = std::make_unique<SignalPool>();
  const std::unique_ptr<TracedQueue> queue_ = std::make_unique<TracedQueue>();
  const std::unique_ptr<Harvester> harvester_ = std::make_unique<Harvester>();
};

// The hook wakes the worker when less than a quarter of the target is left. A target of twice
// the number that the hook takes between two passes prevents that.
TEST_F(SupplyTest, SuppliesTwiceTheNumberTakenEvenAfterAnEarlyWake) {
  for (uint32_t looks = 0; Target() < SignalCache::kCapacity && looks < 32; ++looks) {
    Take(Ready() - Target() / 4 + 1);  // until the hook would wake the worker
    harvester_->Supply(queue_.get(), 1);
    ASSERT_EQ(Ready(), Target()) << "after " << looks << " looks";
  }
  EXPECT_EQ(Target(), SignalCache::kCapacity);
}

TEST_F(SupplyTest, SuppliesNothingToAQueueThatTakesNothing) {
  const uint64_t before = pool_->created();
  harvester_->Supply(queue_.get(), 1);
  EXPECT_EQ(Ready(), Target());
  EXPECT_EQ(pool_->created(), before);
}

}  // namespace
}  // namespace rtl::capture
