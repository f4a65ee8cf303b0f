// SPDX-License-Identifier: MIT
#include "capture/signal/signal_pool.h"

#include <gtest/gtest.h>

#include <vector>

#include "capture/signal/signal_times.h"
#include "tests/support/fake_hsa.h"

namespace rtl::capture {
namespace {

using support::FakeHsa;

class SignalPoolTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(tables_.Open(hsa_.root_table()).ok());
    pool_.Init(&tables_.api(), 128);
  }
  FakeHsa hsa_;
  HsaTables tables_;
  SignalPool pool_;
};

TEST_F(SignalPoolTest, CreatesTheFirstSignalsAndNoMore) {
  EXPECT_EQ(pool_.Grow(64), 64u);
  EXPECT_EQ(hsa_.Calls(HsaSlot::amd_signal_create), 64u);
  EXPECT_EQ(pool_.free_count(), 64u);
  EXPECT_EQ(pool_.alive(), 64u);
}

TEST_F(SignalPoolTest, ReturnsTheSignalsThatItHasAndTheirNumber) {
  (void)pool_.Grow(10);
  std::vector<hsa_signal_t> signals(16);
  EXPECT_EQ(pool_.Take(signals.data(), 16), 10u);
  EXPECT_EQ(pool_.Take(signals.data(), 16), 0u);
  EXPECT_EQ(pool_.TryTake(signals.data(), 16), 0u);
}

TEST_F(SignalPoolTest, ResetsAUsedSignalToOneWithoutTimes) {
  hsa_signal_t signal;
  ASSERT_TRUE(pool_.Create(&signal));
  EXPECT_EQ(FakeHsa::Value(signal), 1);
  StoreTimes(signal, {5, 6});
  FakeHsa::SetValue(signal, 0);
  pool_.Reset(signal);
  EXPECT_EQ(FakeHsa::Value(signal), 1);
  EXPECT_EQ(FakeHsa::StartOf(signal), 0u);
  EXPECT_EQ(FakeHsa::EndOf(signal), 0u);
}

TEST_F(SignalPoolTest, KeepsAllUnderLoadAndTrimsTheSurplusAfterwards) {
  std::vector<hsa_signal_t> signals(200);
  for (hsa_signal_t& signal : signals) {
    ASSERT_TRUE(pool_.Create(&signal));
  }
  pool_.Put(signals.data(), 200);
  EXPECT_EQ(pool_.free_count(), 200u);
  EXPECT_EQ(pool_.Trim(50), 50u);
  EXPECT_EQ(pool_.Trim(50), 22u);
  EXPECT_EQ(pool_.Trim(50), 0u);
  EXPECT_EQ(pool_.alive(), 128u);
  EXPECT_EQ(hsa_.live_signals(), 128u);
}

TEST_F(SignalPoolTest, TrimsNoSignalInUse) {
  std::vector<hsa_signal_t> signals(200);
  for (hsa_signal_t& signal : signals) {
    ASSERT_TRUE(pool_.Create(&signal));
  }
  EXPECT_EQ(pool_.Trim(200), 0u);
}

TEST_F(SignalPoolTest, GrowsOnlyToTheNumberToKeep) {
  EXPECT_EQ(pool_.Grow(1000), 128u);
  EXPECT_EQ(pool_.Grow(1), 0u);
}

TEST_F(SignalPoolTest, ReturnsFalseWhenTheRuntimeRefusesASignal) {
  hsa_.FailNth(HsaSlot::amd_signal_create, 3);
  EXPECT_EQ(pool_.Grow(64), 2u);
  hsa_.FailAll(HsaSlot::amd_signal_create);
  hsa_signal_t signal;
  EXPECT_FALSE(pool_.Create(&signal));
  EXPECT_EQ(pool_.alive(), 2u);
}

TEST_F(SignalPoolTest, DestroysAllFreeSignals) {
  (void)pool_.Grow(100);
  pool_.DestroyFree();
  EXPECT_EQ(hsa_.live_signals(), 0u);
  EXPECT_EQ(pool_.destroyed(), 100u);
  EXPECT_EQ(hsa_.bad_uses(), 0u);
}

}  // namespace
}  // namespace rtl::capture
