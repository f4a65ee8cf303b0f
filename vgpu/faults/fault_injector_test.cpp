// SPDX-License-Identifier: MIT
#include "vgpu/faults/fault_injector.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "vgpu/clock/clock.h"

namespace vgpu {
namespace {

std::vector<FaultPoint> Plan(const char* text) {
  std::vector<FaultPoint> plan;
  std::string why;
  EXPECT_TRUE(ParseFaultPlan(text, &plan, &why)) << why;
  return plan;
}

TEST(FaultInjector, HoldsThePlannedPacket) {
  FaultInjector injector(Plan("stall:queue=2:packet=5:us=3000"));
  Queue queue;
  queue.id = 2;
  EXPECT_TRUE(injector.Stall(queue, 4));
  EXPECT_EQ(injector.count(FaultKind::kStall), 0u);
  const uint64_t before = HostRawNs();
  EXPECT_TRUE(injector.Stall(queue, 5));
  EXPECT_GE(HostRawNs() - before, 3'000'000u);
  EXPECT_EQ(injector.count(FaultKind::kStall), 1u);
  queue.id = 1;
  EXPECT_TRUE(injector.Stall(queue, 5));
  EXPECT_EQ(injector.count(FaultKind::kStall), 1u);
}

TEST(FaultInjector, ReleasesAQueueThatIsToStop) {
  FaultInjector injector(Plan("delay:us=60000000"));
  Queue queue;
  queue.stop = true;
  EXPECT_FALSE(injector.Delay(queue, 0));
}

TEST(FaultInjector, AnswersWithAnErrorAndWithAnAddress) {
  FaultInjector injector(Plan("queue-error:packet=1,page-fault:packet=2:address=0x77000"));
  const Queue queue;
  EXPECT_EQ(injector.QueueError(queue, 0), 0u);
  EXPECT_EQ(injector.QueueError(queue, 1), 32u);
  EXPECT_EQ(injector.PageFault(queue, 1), 0u);
  EXPECT_EQ(injector.PageFault(queue, 2), 0x77000u);
  EXPECT_EQ(injector.count(FaultKind::kQueueError), 1u);
  EXPECT_EQ(injector.count(FaultKind::kPageFault), 1u);
}

TEST(FaultInjector, FailsThePlannedCall) {
  FaultInjector injector(Plan("ioctl:nth=2:errno=5,ioctl:call=3:nth=2"));
  EXPECT_EQ(injector.FailCall(3), 0);
  EXPECT_EQ(injector.FailCall(4), 5);   // the second of all
  EXPECT_EQ(injector.FailCall(3), 12);  // the second of its number
  EXPECT_EQ(injector.FailCall(3), 0);
  EXPECT_EQ(injector.calls(), 4u);
  EXPECT_EQ(injector.count(FaultKind::kCall), 2u);
}

TEST(FaultInjector, DoesNothingWithoutAPlan) {
  FaultInjector injector({});
  EXPECT_EQ(injector.InterruptDelay(), 0u);
  EXPECT_EQ(injector.FailCall(1), 0);
}

}  // namespace
}  // namespace vgpu
