// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <linux/kfd_ioctl.h>

#include <chrono>
#include <string>
#include <vector>

#include "vgpu/cp/sdma_engine.h"
#include "vgpu/cp/sdma_test_packets.h"
#include "vgpu/cp/test_buffer.h"

namespace vgpu {
namespace {

using namespace sdma_test;

// A ring of 64 words with its indices, run by a queue thread as the driver would.
class SdmaQueueTest : public testing::Test {
 protected:
  static constexpr uint64_t kRingWords = 64;

  SdmaQueueTest() : ring_(kRingWords) {
    queue_.type = KFD_IOC_QUEUE_TYPE_SDMA;
    queue_.ring = reinterpret_cast<uint64_t>(ring_.data());
    queue_.ring_size = kRingWords * 4;
    queue_.write_index = &write_index_;
    queue_.read_index = &read_index_;
    queue_.doorbell = &doorbell_;
  }
  ~SdmaQueueTest() override { StopQueue(queue_); }

  void Start() { ASSERT_TRUE(StartQueue(queue_, RunSdmaQueue)); }
  // The queue has executed nothing and both indices stand at this word.
  void BeginAt(uint64_t word) {
    written_ = word;
    read_index_ = doorbell_ = word * 4;
  }
  void Put(const Words& packet) {
    for (const uint32_t word : packet) ring_[written_++ % kRingWords] = word;
  }
  void Ring() { __atomic_store_n(&doorbell_, written_ * 4, __ATOMIC_RELEASE); }
  uint64_t ReadIndex() const { return __atomic_load_n(&read_index_, __ATOMIC_ACQUIRE); }
  // Waits until everything written has been executed; false after ten seconds.
  bool Drained() const {
    return WaitUntil([this] { return ReadIndex() == written_ * 4; });
  }
  template <typename Predicate>
  static bool WaitUntil(Predicate pred) {
    Backoff backoff;
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (!pred()) {
      if (std::chrono::steady_clock::now() > deadline) return false;
      backoff.Pause();
    }
    return true;
  }
  // The queue's messages on stderr until its thread has ended by itself.
  std::string RunUntilItHalts() {
    testing::internal::CaptureStderr();
    Start();
    Ring();
    pthread_join(*queue_.thread, nullptr);
    queue_.thread.reset();
    return testing::internal::GetCapturedStderr();
  }

  std::vector<uint32_t> ring_;
  uint64_t written_ = 0;
  uint64_t write_index_ = 0;
  uint64_t read_index_ = 0;
  uint64_t doorbell_ = 0;
  Queue queue_;
  TestBuffer memory_{0x300000000, TestBuffer::kPage};
};

TEST_F(SdmaQueueTest, ExecutesWhatTheDoorbellAnnounces) {
  Start();
  Put(Fence(memory_.va(0), 1));
  Put(Fence(memory_.va(8), 2));
  Ring();
  ASSERT_TRUE(Drained());
  EXPECT_EQ(memory_.Get<uint32_t>(0), 1u);
  EXPECT_EQ(memory_.Get<uint32_t>(8), 2u);
  EXPECT_EQ(queue_.packets, 2u);
}

TEST_F(SdmaQueueTest, IndicesGrowWhileTheRingWraps) {
  Start();
  // 7 words do not divide 64: packets straddle the end in many ways.
  for (uint32_t i = 1; i <= 200; ++i) {
    memory_.Set<uint32_t>(0, i);
    Put(CopyLinear(memory_.va(64), memory_.va(0), 4));
    Ring();
    ASSERT_TRUE(Drained());
    ASSERT_EQ(memory_.Get<uint32_t>(64), i);
  }
  EXPECT_EQ(read_index_, 200u * 7 * 4);
}

TEST_F(SdmaQueueTest, GoesOnFromWhereTheIndicesStand) {
  BeginAt(1'000'003);
  Start();
  Put(Write(memory_.va(0), {9, 8, 7}));
  Ring();
  ASSERT_TRUE(Drained());
  EXPECT_EQ(memory_.Get<uint32_t>(8), 7u);
}

TEST_F(SdmaQueueTest, WaitsForTheRestOfAPacket) {
  Start();
  const Words packet = Fence(memory_.va(0), 1) + Fence(memory_.va(8), 2);
  Put({packet.begin(), packet.begin() + 6});
  Ring();
  ASSERT_TRUE(WaitUntil([this] { return ReadIndex() == 4 * 4; }));
  Put({packet.begin() + 6, packet.end()});
  Ring();
  ASSERT_TRUE(Drained());
  EXPECT_EQ(memory_.Get<uint32_t>(8), 2u);
}

TEST_F(SdmaQueueTest, AConditionalLeavesOutPacketsOfTheRing) {
  Start();
  Put(Conditional(memory_.va(64), 1, 4));
  Put(Fence(memory_.va(0), 1));
  Put(Fence(memory_.va(8), 2));
  Ring();
  ASSERT_TRUE(Drained());
  EXPECT_EQ(memory_.Get<uint32_t>(0), 0u);
  EXPECT_EQ(memory_.Get<uint32_t>(8), 2u);
}

TEST_F(SdmaQueueTest, APausedQueueStartsNothing) {
  queue_.paused = true;
  Start();
  Put(Fence(memory_.va(0), 1));
  Ring();
  EXPECT_EQ(ReadIndex(), 0u);
  queue_.paused = false;
  WakeQueue(queue_);
  EXPECT_TRUE(Drained());
}

TEST_F(SdmaQueueTest, StopsInTheMiddleOfAWait) {
  Start();
  Put(Fence(memory_.va(0), 1));
  Put(Poll(memory_.va(64), 3, 1, ~0u));
  Ring();
  ASSERT_TRUE(WaitUntil([this] { return ReadIndex() == 4 * 4; }));
  StopQueue(queue_);
  EXPECT_EQ(ReadIndex(), 4u * 4);
}

TEST_F(SdmaQueueTest, AnUnknownPacketIsNamedAndHaltsTheQueue) {
  Put(Fence(memory_.va(0), 1));
  Put({0x0c});
  Put(Fence(memory_.va(8), 2));
  const std::string said = RunUntilItHalts();
  EXPECT_NE(said.find("unknown packet (0000000c) at byte 16: unknown opcode"), std::string::npos)
      << said;
  EXPECT_EQ(memory_.Get<uint32_t>(0), 1u);
  EXPECT_EQ(memory_.Get<uint32_t>(8), 0u);
  EXPECT_EQ(ReadIndex(), 16u);
}

TEST_F(SdmaQueueTest, APageFaultIsNamedAndHaltsTheQueue) {
  Put(Fence(0x990000000, 1));
  Put(Fence(memory_.va(8), 2));
  const std::string said = RunUntilItHalts();
  EXPECT_NE(said.find("page fault at 0x990000000 (write) in FENCE"), std::string::npos) << said;
  EXPECT_EQ(memory_.Get<uint32_t>(8), 0u);
  EXPECT_EQ(ReadIndex(), 0u);
}

}  // namespace
}  // namespace vgpu
