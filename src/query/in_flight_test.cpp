// SPDX-License-Identifier: MIT
#include "query/query_test_support.h"

namespace rtl::query {
namespace {

class InFlightTest : public ::testing::Test {
 protected:
  std::vector<InFlightRow> Read() {
    ExpectOk(builder_.WriteDatabase(path_));
    std::vector<InFlightRow> rows;
    ExpectOk(OpenTrace(path_)->InFlight(&rows));
    return rows;
  }

  test::TempDir dir_;
  const std::string path_ = dir_.File("t.db");
  test::TraceBuilder builder_;
};

TEST_F(InFlightTest, ThereIsNothingWhereEverythingHasEnded) {
  builder_ = test::TraceBuilder::ThreeKernelsOnTwoQueues();
  EXPECT_TRUE(Read().empty());
}

TEST_F(InFlightTest, NamesTheKernelItsCallStreamAndRange) {
  const uint32_t queue = builder_.Queue(builder_.Gpu("gfx906"));
  const uint32_t kernel = builder_.Kernel("_Z4gemmPfS_S_i");
  builder_.Push(101, 10, "outer").Push(101, 20, "closed").Pop(101, 30).Push(101, 100, "step");
  builder_.Push(102, 10, "another thread's");
  const auto launch = test::TraceBuilder::CallNumber("hipLaunchKernel");
  builder_.Call(launch, {0xf, 8, 1, 64, 1, 0, 0, 0x50},
                {.start = 110, .end = 130, .correlation = 5});
  builder_.InFlight(
      queue, kernel, 4,
      {.submitted = 120, .correlation = 5, .grid = {512, 2, 1}, .workgroup = {64, 2, 1}});
  builder_.Killed();
  const auto rows = Read();
  ASSERT_EQ(rows.size(), 1u);
  const InFlightRow& row = rows.front();
  EXPECT_EQ(row.name, "gemm(float*, float*, float*, int)");
  EXPECT_EQ(row.call, "hipLaunchKernel");
  EXPECT_EQ(row.range, "step");
  EXPECT_EQ(row.queue, queue);
  EXPECT_EQ(row.packet, 4u);
  EXPECT_EQ(row.submitted, 120u);
  EXPECT_EQ(row.until, 130u) << "the last that is known of the process";
  EXPECT_EQ(row.tid, 101u);
  EXPECT_EQ(row.grid[1], 2u);
  EXPECT_EQ(row.workgroup[0], 64u);
  EXPECT_FALSE(row.waits);
}

TEST_F(InFlightTest, WhatHasTheBarrierBitWaitsAndSoDoesWhatComesAfter) {
  const uint32_t queue = builder_.Queue(builder_.Gpu("gfx906"));
  const uint32_t kernel = builder_.Kernel("k");
  const uint16_t flags[] = {kDispatchFlagBarrierBit, 0, kDispatchFlagBarrierBit, 0};
  for (uint64_t packet = 0; packet < 4; ++packet) {
    builder_.InFlight(queue, kernel, packet, {.submitted = 100, .flags = flags[packet]});
  }
  builder_.Killed();
  std::vector<bool> waits;
  for (const InFlightRow& row : Read()) waits.push_back(row.waits);
  EXPECT_EQ(waits, (std::vector<bool>{false, false, true, true}));
}

TEST_F(InFlightTest, WhatNamesAQueueThatNobodyHasIsLeftOut) {
  builder_.InFlight(7, builder_.Kernel("k"), 1, {.submitted = 100}).Killed();
  EXPECT_TRUE(Read().empty());
}

}  // namespace
}  // namespace rtl::query
