// SPDX-License-Identifier: MIT
#include "vgpu/config/fault_plan.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace vgpu {
namespace {

std::vector<FaultPoint> ParsedPlan(const char* text) {
  std::vector<FaultPoint> plan;
  std::string why;
  EXPECT_TRUE(ParseFaultPlan(text, &plan, &why)) << why;
  return plan;
}

std::string Refusal(const char* text) {
  std::vector<FaultPoint> plan(1);
  std::string why;
  EXPECT_FALSE(ParseFaultPlan(text, &plan, &why)) << text;
  EXPECT_EQ(plan.size(), 1u) << "a refused text changed the plan";
  return why;
}

TEST(FaultPlan, IsEmptyForAnEmptyText) { EXPECT_TRUE(ParsedPlan("").empty()); }

TEST(FaultPlan, ReadsEveryFault) {
  const std::vector<FaultPoint> plan = ParsedPlan(
      "stall:queue=2:packet=5:us=300,delay:us=7,queue-error:packet=1:bits=0x40,"
      "page-fault:address=0x1000,interrupt:us=500,ioctl:call=0x16:nth=3:errno=11");
  ASSERT_EQ(plan.size(), 6u);
  EXPECT_EQ(plan[0].kind, FaultKind::kStall);
  EXPECT_EQ(plan[0].queue, 2u);
  EXPECT_EQ(plan[0].packet, 5u);
  EXPECT_EQ(plan[0].us, 300u);
  EXPECT_EQ(plan[1].kind, FaultKind::kDelay);
  EXPECT_EQ(plan[1].queue, FaultPoint::kAny);
  EXPECT_EQ(plan[2].kind, FaultKind::kQueueError);
  EXPECT_EQ(plan[2].bits, 0x40u);
  EXPECT_EQ(plan[3].kind, FaultKind::kPageFault);
  EXPECT_EQ(plan[3].address, 0x1000u);
  EXPECT_EQ(plan[4].kind, FaultKind::kInterrupt);
  EXPECT_EQ(plan[5].kind, FaultKind::kCall);
  EXPECT_EQ(plan[5].call, 0x16u);
  EXPECT_EQ(plan[5].nth, 3u);
  EXPECT_EQ(plan[5].error, 11u);
}

TEST(FaultPlan, ExplainsWhatItRefuses) {
  EXPECT_EQ(Refusal("explode"), "there is no fault named explode");
  EXPECT_EQ(Refusal("stall:packet=1"), "stall needs us=N");
  EXPECT_EQ(Refusal("ioctl:errno=5"), "ioctl needs nth=N");
  EXPECT_EQ(Refusal("interrupt:us=5:queue=1"), "interrupt has no field queue");
  EXPECT_EQ(Refusal("stall:us=soon"), "us=soon: not a number that stall takes");
  EXPECT_EQ(Refusal("stall:us=0"), "us=0: not a number that stall takes");
  EXPECT_EQ(Refusal("delay:us=5,"
                    "delay:us=99999999999"),
            "us=99999999999: not a number that delay takes");
}

}  // namespace
}  // namespace vgpu
