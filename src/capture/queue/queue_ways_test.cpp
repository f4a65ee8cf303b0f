// SPDX-License-Identifier: MIT
// Every way to create a queue, and packets that are not plain kernel dispatches.
#include <gtest/gtest.h>
#include <string.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/traced_hsa.h"

namespace rtl::capture {
namespace {

using support::FakeHsa;
using support::TracedHsa;
using support::WaitUntil;

constexpr uint8_t kSdma = 1, kAie = 2;

QueueDescriptor Describe(uint8_t engine, uint32_t ring_bytes = 64 * sizeof(AqlPacket)) {
  QueueDescriptor descriptor = {};
  descriptor.version = QueueDescriptor::kVersion;
  descriptor.engine = engine;
  descriptor.ring_bytes = ring_bytes;
  return descriptor;
}

class QueueWaysTest : public ::testing::Test {
 protected:
  explicit QueueWaysTest(const support::TableLayout& layout = support::kRocm10)
      : t_(layout, FakeHsa::Gpu::kAtOnce) {
    t_.options.mode = Mode::kFull;
  }
  // Writes kernels into the queue's own ring and rings for them.
  void Launch(hsa_queue_t* queue, uint64_t kernels) {
    for (uint64_t i = 0; i < kernels; ++i) {
      const uint64_t index = t_.hsa.Reserve(queue, 1);
      FakeHsa::WriteAt(queue, index, FakeHsa::Kernel(1));
      t_.hsa.Ring(queue, index);
    }
  }
  void ExpectAllRecorded(uint64_t kernels) {
    t_.capture.Stop();
    EXPECT_EQ(t_.sink.recorded(), kernels);
    EXPECT_TRUE(t_.Conserved());
    EXPECT_EQ(t_.Submitted(), kernels);
  }
  bool Warned(const std::string& words) {
    for (const std::string& text : t_.sink.warnings()) {
      if (text.find(words) != std::string::npos) return true;
    }
    return false;
  }

  TracedHsa t_;
};

TEST_F(QueueWaysTest, RecordsKernelsOfAQueueThatWasMadeFromADescriptor) {
  ASSERT_TRUE(t_.Install().ok());
  std::vector<QueueDescriptor> descriptors = {Describe(QueueDescriptor::kCompute),
                                              Describe(QueueDescriptor::kCompute, 4096)};
  const uint32_t mask[2] = {0xF, 0};
  descriptors[0].priority = 2;
  descriptors[0].flags = 1;  // its ring on the device
  descriptors[0].engine_parameters[0] = reinterpret_cast<uint64_t>(mask);
  std::vector<QueueDescriptor> expected = descriptors;
  ASSERT_EQ(t_.hsa.CreateDescribed(&descriptors), HSA_STATUS_SUCCESS);
  for (size_t i = 0; i < descriptors.size(); ++i) {
    ASSERT_NE(descriptors[i].queue, nullptr);
    EXPECT_FALSE(FakeHsa::Intercepted(descriptors[i].queue)) << "the runtime's own queue";
    expected[i].queue = descriptors[i].queue;
    EXPECT_EQ(memcmp(&descriptors[i], &expected[i], sizeof(QueueDescriptor)), 0);
    Launch(descriptors[i].queue, 100);
  }
  EXPECT_EQ(t_.sink.queues().size(), 2u);
  EXPECT_TRUE(t_.sink.warnings().empty());
  ExpectAllRecorded(200);
}

TEST_F(QueueWaysTest, TracesTheCreatedQueuesOfABatchWithFailures) {
  ASSERT_TRUE(t_.Install().ok());
  std::vector<QueueDescriptor> descriptors = {Describe(QueueDescriptor::kCompute), Describe(kAie),
                                              Describe(QueueDescriptor::kCompute)};
  EXPECT_EQ(t_.hsa.CreateDescribed(&descriptors), HSA_STATUS_ERROR_INVALID_QUEUE_CREATION);
  EXPECT_EQ(descriptors[1].queue, nullptr);
  Launch(descriptors[0].queue, 3);
  Launch(descriptors[2].queue, 4);
  ExpectAllRecorded(7);
}

TEST_F(QueueWaysTest, ReportsAQueueOfAnotherEngineAndDoesNotTraceIt) {
  ASSERT_TRUE(t_.Install().ok());
  std::vector<QueueDescriptor> descriptors = {Describe(kSdma, 65536),
                                              Describe(QueueDescriptor::kCompute)};
  ASSERT_EQ(t_.hsa.CreateDescribed(&descriptors), HSA_STATUS_SUCCESS);
  EXPECT_FALSE(FakeHsa::Profiling(descriptors[0].queue));
  EXPECT_TRUE(Warned("is not traced: engine 1 runs no kernels"));
  Launch(descriptors[1].queue, 2);
  EXPECT_EQ(t_.hsa.DestroyQueue(descriptors[0].queue), HSA_STATUS_SUCCESS);
  ExpectAllRecorded(2);
}

TEST_F(QueueWaysTest, ReportsADescriptorOfAnotherVersion) {
  ASSERT_TRUE(t_.Install().ok());
  std::vector<QueueDescriptor> descriptors = {Describe(QueueDescriptor::kCompute)};
  descriptors[0].version = 2;
  ASSERT_EQ(t_.hsa.CreateDescribed(&descriptors), HSA_STATUS_SUCCESS);
  EXPECT_TRUE(Warned("their descriptor has version 2, known is 1"));
  EXPECT_TRUE(t_.sink.queues().empty());
}

TEST_F(QueueWaysTest, DoesNotTraceDescribedQueuesAfterStop) {
  ASSERT_TRUE(t_.Install().ok());
  t_.capture.Stop();
  std::vector<QueueDescriptor> descriptors = {Describe(QueueDescriptor::kCompute)};
  ASSERT_EQ(t_.hsa.CreateDescribed(&descriptors), HSA_STATUS_SUCCESS);
  EXPECT_TRUE(t_.sink.queues().empty());
  EXPECT_EQ(t_.hsa.DestroyQueue(descriptors[0].queue), HSA_STATUS_SUCCESS);
}

TEST_F(QueueWaysTest, DestroysADescribedQueueWithWorkInFlight) {
  TracedHsa t(support::kRocm10);
  ASSERT_TRUE(t.Install().ok());
  std::vector<QueueDescriptor> descriptors = {Describe(QueueDescriptor::kCompute)};
  ASSERT_EQ(t.hsa.CreateDescribed(&descriptors), HSA_STATUS_SUCCESS);
  hsa_queue_t* const queue = descriptors[0].queue;
  for (uint64_t i = 0; i < 3; ++i) {
    FakeHsa::WriteAt(queue, t.hsa.Reserve(queue, 1), FakeHsa::Kernel(1));
    t.hsa.Ring(queue, i);
  }
  EXPECT_EQ(t.hsa.Complete(queue, 1), 1u);
  ASSERT_EQ(t.hsa.DestroyQueue(queue), HSA_STATUS_SUCCESS);
  ASSERT_TRUE(WaitUntil([&] { return t.sink.queue_ends().size() == 1; }));
  EXPECT_EQ(t.sink.recorded(), 1u);
  EXPECT_EQ(t.sink.loss(Loss::kQueueDestroyed), 2u);
  t.capture.Stop();
  EXPECT_TRUE(t.Conserved());
}

TEST_F(QueueWaysTest, TracesTheSharedCooperativeQueueOnce) {
  ASSERT_TRUE(t_.Install().ok());
  hsa_queue_t* const first = t_.hsa.CreateCooperative();
  hsa_queue_t* const second = t_.hsa.CreateCooperative();
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(first, second);
  EXPECT_FALSE(FakeHsa::Intercepted(first)) << "others may use it already";
  Launch(first, 5);
  EXPECT_EQ(t_.hsa.DestroyQueue(first), HSA_STATUS_SUCCESS);
  Launch(second, 5);
  EXPECT_EQ(t_.sink.queues().size(), 1u);
  EXPECT_TRUE(t_.WaitForRecords(10));
  EXPECT_EQ(t_.hsa.DestroyQueue(second), HSA_STATUS_SUCCESS);
  ASSERT_TRUE(WaitUntil([&] { return t_.sink.queue_ends().size() == 1; }));
  ExpectAllRecorded(10);
}

// Another tool's hook, which counts packets and passes them on.
void Count(const void* packets, uint64_t count, uint64_t, void* counter, PacketWriter write) {
  *static_cast<uint64_t*>(counter) += count;
  write(packets, count);
}

TEST_F(QueueWaysTest, TracesAnotherToolsInterceptQueueBehindItsHook) {
  ASSERT_TRUE(t_.Install().ok());
  hsa_queue_t* const queue = t_.hsa.CreateIntercept();
  ASSERT_NE(queue, nullptr);
  uint64_t shown = 0;
  ASSERT_EQ(t_.hsa.Intercept(queue, &Count, &shown), HSA_STATUS_SUCCESS);
  for (int i = 0; i < 50; ++i) t_.hsa.Submit(queue, FakeHsa::Kernel(1));
  EXPECT_EQ(shown, 50u);
  EXPECT_EQ(t_.hsa.History(queue).size(), 50u);
  ExpectAllRecorded(50);
}

TEST_F(QueueWaysTest, KeepsAnotherToolsQueueWhenOurHookCannotBeRegistered) {
  ASSERT_TRUE(t_.Install().ok());
  t_.hsa.FailNth(HsaSlot::amd_queue_intercept_register, 1);
  hsa_queue_t* const queue = t_.hsa.CreateIntercept();
  ASSERT_NE(queue, nullptr);
  EXPECT_TRUE(Warned("hsa_amd_queue_intercept_register failed"));
  EXPECT_EQ(t_.hsa.live_queues(), 1u);
}

TEST_F(QueueWaysTest, TracesOurOwnInterceptQueuesOnce) {
  ASSERT_TRUE(t_.Install().ok());
  t_.hsa.Submit(t_.hsa.CreateQueue(), FakeHsa::Kernel(1));
  EXPECT_EQ(t_.sink.queues().size(), 1u);
  ExpectAllRecorded(1);
}

TEST_F(QueueWaysTest, RecordsAKernelOfClusters) {
  ASSERT_TRUE(t_.Install().ok());
  hsa_queue_t* const queue = t_.hsa.CreateQueue();
  AqlPacket packet = FakeHsa::Vendor(ExtendedDispatch::kFormat);
  ExtendedDispatch extended;
  memcpy(&extended, &packet, sizeof(extended));
  extended.clusters_x = 10, extended.clusters_y = 3, extended.clusters_z = 1;
  extended.cluster_size[0] = 2, extended.cluster_size[1] = 1, extended.cluster_size[2] = 1;
  memcpy(&packet, &extended, sizeof(extended));
  t_.hsa.Submit(queue, packet);
  ASSERT_TRUE(t_.WaitForRecords(1));
  const DispatchRecord record = t_.sink.dispatches()[0];
  EXPECT_EQ(record.grid[0], 10u * 2 * 64);
  EXPECT_EQ(record.grid[1], 3u * 1 * 2);
  EXPECT_EQ(record.grid[2], 1u);
  EXPECT_EQ(record.workgroup[0], 64u);
  EXPECT_EQ(record.group_segment, 1024u);
  ExpectAllRecorded(1);
}

TEST_F(QueueWaysTest, CountsPacketsOfUnknownTypesAndLeavesThemUntouched) {
  ASSERT_TRUE(t_.Install().ok());
  hsa_queue_t* const queue = t_.hsa.CreateQueue();
  std::vector<AqlPacket> sent;
  for (const uint8_t format : {1, 2, 4, 200}) sent.push_back(FakeHsa::Vendor(format));
  for (const uint16_t type : {6, 17, 255}) {
    AqlPacket packet = FakeHsa::Barrier();
    packet.header = type;
    sent.push_back(packet);
  }
  for (const AqlPacket& packet : sent) t_.hsa.Submit(queue, packet);
  t_.hsa.SubmitBatch(queue, sent);
  const auto history = t_.hsa.History(queue);
  ASSERT_EQ(history.size(), 2 * sent.size());
  for (size_t i = 0; i < history.size(); ++i) {
    EXPECT_EQ(memcmp(&history[i], &sent[i % sent.size()], sizeof(AqlPacket)), 0) << i;
  }
  ExpectAllRecorded(0);
  EXPECT_EQ(t_.other_packets, 2 * sent.size());
}

// The runtime may take long to make a queue, and may call other hooks of ours meanwhile: the tracer
// holds no lock.
TEST_F(QueueWaysTest, AQueueIsMadeAndDestroyedWhileTheRuntimeIsMakingAnother) {
  std::atomic<int> made{0};
  std::atomic<bool> free{false};
  t_.hsa.OnQueueMade([&] {
    if (made++ == 0) {
      EXPECT_TRUE(WaitUntil([&] { return free.load(); }));
    }
  });
  hsa_queue_t* slow = nullptr;
  std::thread slow_thread([&] { slow = t_.hsa.CreateQueue(); });
  ASSERT_TRUE(WaitUntil([&] { return made == 1; }));
  hsa_queue_t* const quick = t_.hsa.CreateQueue();
  EXPECT_EQ(t_.hsa.DestroyQueue(quick), HSA_STATUS_SUCCESS);
  EXPECT_FALSE(free);
  free = true;
  slow_thread.join();
  EXPECT_EQ(t_.hsa.DestroyQueue(slow), HSA_STATUS_SUCCESS);
}

}  // namespace
}  // namespace rtl::capture
