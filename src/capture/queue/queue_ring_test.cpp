// SPDX-License-Identifier: MIT
#include "capture/queue/queue_ring.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/support/fake_hsa.h"

namespace rtl::capture {
namespace {

using support::FakeHsa;

class QueueRingTest : public ::testing::Test {
 protected:
  static constexpr uint64_t kSize = 8;

  void SetUp() override {
    for (uint64_t i = 0; i < kSize; ++i) packets_.push_back(FakeHsa::Kernel(i + 1));
    hsa_queue_t queue = {};
    queue.base_address = packets_.data();
    queue.size = kSize;
    ring_.Serve(queue);
  }
  static std::vector<uint64_t> Kernels(const AqlPacket* packets, uint64_t count) {
    std::vector<uint64_t> kernels;
    for (uint64_t i = 0; i < count; ++i) kernels.push_back(packets[i].dispatch.kernel_object);
    return kernels;
  }

  std::vector<AqlPacket> packets_;
  QueueRing ring_;
};

TEST_F(QueueRingTest, ContinuesABatchAtTheBeginningOfTheRing) {
  EXPECT_EQ(ring_.BeforeWrap(&packets_[6], 5), 2u);
  std::vector<uint64_t> kernels;
  ring_.ForEach(&packets_[6], 5,
                [&](const AqlPacket& packet) { kernels.push_back(packet.dispatch.kernel_object); });
  EXPECT_EQ(kernels, (std::vector<uint64_t>{7, 8, 1, 2, 3}));
  EXPECT_EQ(Kernels(ring_.Copy(&packets_[6], 5), 5), kernels);
}

TEST_F(QueueRingTest, TakesPacketsInOtherMemoryAsTheyAre) {
  std::vector<AqlPacket> own;
  for (uint64_t i = 0; i < 2 * kSize; ++i) own.push_back(FakeHsa::Kernel(100 + i));
  EXPECT_EQ(ring_.BeforeWrap(own.data(), own.size()), own.size());
  EXPECT_EQ(Kernels(ring_.Copy(own.data(), own.size()), own.size()),
            Kernels(own.data(), own.size()));
}

TEST_F(QueueRingTest, KeepsASlotInFrontOfTheCopyOfEachLength) {
  for (const uint64_t count : {1, 300, 5000, 2}) {
    const std::vector<AqlPacket> own(count, FakeHsa::Kernel(9));
    AqlPacket* const copy = ring_.Copy(own.data(), count);
    ASSERT_NE(copy, nullptr) << count;
    copy[-1] = FakeHsa::Barrier();
    EXPECT_EQ(Kernels(copy, count), std::vector<uint64_t>(count, 9)) << count;
  }
}

TEST_F(QueueRingTest, CountsKernelsAtIndicesThatHaveGoneRoundTheRing) {
  packets_[1] = FakeHsa::Barrier();
  EXPECT_EQ(ring_.CountKernels(5 * kSize + 6, 6 * kSize + 3), 4u);
  EXPECT_EQ(ring_.CountKernels(3, 3), 0u);
  EXPECT_EQ(ring_.CountKernels(5, 3), 0u);
}

}  // namespace
}  // namespace rtl::capture
