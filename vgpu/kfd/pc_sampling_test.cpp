// SPDX-License-Identifier: MIT
#include "vgpu/kfd/pc_sampling.h"

#include <gtest/gtest.h>

#include <cerrno>

#include "vgpu/kfd/ioctls.h"

namespace vgpu {
namespace {

constexpr PcSampleInfo Wanted(uint64_t interval_us, uint32_t method = 1, uint32_t type = 0) {
  return {interval_us, 0, 0, 0, method, type};
}

class PcSamplingTest : public ::testing::Test {
 protected:
  uint32_t Create(uint64_t interval_us) {
    uint32_t session = 0;
    EXPECT_EQ(sampling_.Create(0, Wanted(interval_us), &session), 0);
    return session;
  }

  PcSampling sampling_{true};
};

TEST_F(PcSamplingTest, OffersHostTrapsByTime) {
  PcSampleInfo info = {};
  uint32_t count = 0;
  EXPECT_EQ(sampling_.Query(0, false, nullptr, &count), 0);
  ASSERT_EQ(count, 1u);
  EXPECT_EQ(sampling_.Query(0, false, &info, &count), 0);
  EXPECT_EQ(info.method, 1u);
  EXPECT_EQ(info.type, 0u);
  EXPECT_EQ(info.interval, 0u);
  EXPECT_EQ(info.interval_min, 1u);
}

TEST_F(PcSamplingTest, OffersNothingUnlessAsked) {
  PcSampling without(false);
  uint32_t count = 1;
  uint32_t session = 0;
  EXPECT_EQ(without.Query(0, false, nullptr, &count), -EOPNOTSUPP);
  EXPECT_EQ(without.Create(0, Wanted(10), &session), -EOPNOTSUPP);
}

TEST_F(PcSamplingTest, RefusesOtherMethodsUnitsAndNoInterval) {
  uint32_t session = 0;
  EXPECT_EQ(sampling_.Create(0, Wanted(256, 2, 1), &session), -EOPNOTSUPP);
  EXPECT_EQ(sampling_.Create(0, Wanted(256, 1, 1), &session), -EOPNOTSUPP);
  EXPECT_EQ(sampling_.Create(0, Wanted(0), &session), -EOPNOTSUPP);
}

TEST_F(PcSamplingTest, SessionsOfAGpuShareTheirInterval) {
  const uint32_t first = Create(10);
  uint32_t second = 0;
  EXPECT_EQ(sampling_.Create(0, Wanted(20), &second), -EEXIST);
  EXPECT_NE(Create(10), first);
  EXPECT_EQ(sampling_.Create(1, Wanted(20), &second), 0);  // another GPU
  PcSampleInfo info = {};
  uint32_t count = 1;
  EXPECT_EQ(sampling_.Query(0, false, &info, &count), 0);
  EXPECT_EQ(info.interval, 10u);
  EXPECT_EQ(sampling_.Query(0, true, &info, &count), 0);
  EXPECT_EQ(info.interval, 0u);
}

TEST_F(PcSamplingTest, StartsAndStopsInOrderOnly) {
  const uint32_t session = Create(10);
  EXPECT_EQ(sampling_.Stop(0, session), -EALREADY);
  EXPECT_EQ(sampling_.Start(0, session), 0);
  EXPECT_EQ(sampling_.Start(0, session), -EALREADY);
  EXPECT_EQ(sampling_.Destroy(0, session), -EBUSY);
  EXPECT_EQ(sampling_.Stop(0, session), 0);
  EXPECT_EQ(sampling_.Destroy(0, session), 0);
  EXPECT_EQ(sampling_.Start(0, session), -EINVAL);
  EXPECT_EQ(sampling_.Stop(1, session), -EINVAL);
}

}  // namespace
}  // namespace vgpu
