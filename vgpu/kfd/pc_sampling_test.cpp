// SPDX-License-Identifier: MIT
#include "vgpu/kfd/pc_sampling.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string>

namespace vgpu {
namespace {

class PcSamplingTest : public ::testing::Test {
 protected:
  static int TryCreate(PcSampling& sampling, uint64_t interval_us, uint32_t* session,
                       uint32_t method = 1, uint32_t type = 0, int gpu = 0) {
    PcSampleInfo wanted = {interval_us, 0, 0, 0, method, type};
    return sampling.Create(gpu, &wanted, session);
  }
  uint32_t Create(uint64_t interval_us) {
    uint32_t session = 0;
    EXPECT_EQ(TryCreate(sampling_, interval_us, &session), 0);
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

TEST_F(PcSamplingTest, OffersNothingUnlessItIsOn) {
  PcSampling without(false);
  uint32_t count = 1;
  uint32_t session = 0;
  EXPECT_EQ(without.Query(0, false, nullptr, &count), -EOPNOTSUPP);
  EXPECT_EQ(TryCreate(without, 10, &session), -EOPNOTSUPP);
}

TEST_F(PcSamplingTest, RefusesOtherMethodsUnitsAndNoInterval) {
  uint32_t session = 0;
  EXPECT_EQ(TryCreate(sampling_, 256, &session, 2, 1), -EOPNOTSUPP);
  EXPECT_EQ(TryCreate(sampling_, 256, &session, 1, 1), -EOPNOTSUPP);
  EXPECT_EQ(TryCreate(sampling_, 0, &session), -EOPNOTSUPP);
}

TEST_F(PcSamplingTest, SessionsOfAGpuShareTheirInterval) {
  const uint32_t first = Create(10);
  uint32_t second = 0;
  EXPECT_EQ(TryCreate(sampling_, 20, &second), -EEXIST);
  EXPECT_NE(Create(10), first);
  EXPECT_EQ(TryCreate(sampling_, 20, &second, 1, 0, 1), 0);  // another GPU
  PcSampleInfo info = {};
  uint32_t count = 1;
  EXPECT_EQ(sampling_.Query(0, false, &info, &count), 0);
  EXPECT_EQ(info.interval, 10u);
  EXPECT_EQ(sampling_.Query(0, true, &info, &count), 0);
  EXPECT_EQ(info.interval, 0u);
}

TEST_F(PcSamplingTest, ARefusalReturnsTheConfigurationInUse) {
  Create(10);
  PcSampleInfo wanted = {20, 0, 0, 0, 1, 0};
  uint32_t session = 0;
  EXPECT_EQ(sampling_.Create(0, &wanted, &session), -EEXIST);
  EXPECT_EQ(wanted.interval, 10u);
}

// Two drivers with one table of sessions are two processes of a machine.
class PcSamplingProcesses : public PcSamplingTest {
 protected:
  PcSamplingProcesses() { static_cast<void>(std::remove(path_.c_str())); }
  ~PcSamplingProcesses() override { static_cast<void>(std::remove(path_.c_str())); }
  static uint64_t IntervalSeenBy(PcSampling& sampling) {
    PcSampleInfo info = {};
    uint32_t count = 1;
    EXPECT_EQ(sampling.Query(0, false, &info, &count), 0);
    return info.interval;
  }

  const std::string path_ = ::testing::TempDir() + "sessions." + std::to_string(getpid());
  PcSampling one_{true, path_}, other_{true, path_};
  uint32_t session_ = 0, second_ = 0;
};

TEST_F(PcSamplingProcesses, AGpuHasOneConfigurationForAll) {
  ASSERT_EQ(TryCreate(one_, 10, &session_), 0);
  EXPECT_EQ(IntervalSeenBy(other_), 10u);
  EXPECT_EQ(TryCreate(other_, 20, &second_), -EEXIST);
  EXPECT_EQ(TryCreate(other_, 10, &second_), 0);
  EXPECT_EQ(one_.Destroy(0, session_), 0);
  EXPECT_EQ(IntervalSeenBy(one_), 10u);  // that of the other process
  EXPECT_EQ(TryCreate(one_, 20, &session_), -EEXIST);
  EXPECT_EQ(other_.Destroy(0, second_), 0);
  EXPECT_EQ(IntervalSeenBy(one_), 0u);
  EXPECT_EQ(TryCreate(one_, 20, &session_), 0);
}

TEST_F(PcSamplingProcesses, ASessionBelongsToItsProcess) {
  ASSERT_EQ(TryCreate(one_, 10, &session_), 0);
  EXPECT_EQ(other_.Start(0, session_), -EINVAL);
  EXPECT_EQ(other_.Destroy(0, session_), -EINVAL);
}

TEST_F(PcSamplingProcesses, AProcessThatEndedHoldsNoSession) {
  const pid_t child = fork();
  if (child == 0) {
    PcSampling forked(true, path_);
    _exit(TryCreate(forked, 10, &session_) == 0 && IntervalSeenBy(other_) == 10 ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(IntervalSeenBy(other_), 0u);
  EXPECT_EQ(TryCreate(other_, 20, &session_), 0);
}

TEST_F(PcSamplingProcesses, WithoutAFileEachProcessIsAlone) {
  PcSampling alone(true, "/nonexistent/sessions");
  ASSERT_EQ(TryCreate(alone, 10, &session_), 0);
  EXPECT_EQ(IntervalSeenBy(alone), 10u);
  EXPECT_EQ(TryCreate(alone, 20, &second_), -EEXIST);
  EXPECT_EQ(alone.Destroy(0, session_), 0);
  EXPECT_EQ(IntervalSeenBy(alone), 0u);
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
