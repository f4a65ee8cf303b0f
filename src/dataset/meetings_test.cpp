// SPDX-License-Identifier: MIT
#include "dataset/meetings.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>

#include "tests/support/temp_dir.h"
#include "tests/support/trace_builder.h"

namespace rtl::dataset {
namespace {

using test::TempDir;
using test::TraceBuilder;

constexpr uint64_t kSecond = 1'000'000'000;

// The second host's clock.
uint64_t Second(uint64_t time) {
  return 5 * kSecond + time + static_cast<uint64_t>(std::llround(3e-6 * static_cast<double>(time)));
}

class MeetingsTest : public testing::Test {
 protected:
  // Two ranks a host; every half second an all-reduce of 1 ms, to which rank 1 comes last.
  std::string WriteRank(int32_t rank, const char* kernel = "ncclDevKernel_AllReduce_Sum_f32",
                        uint64_t missing = 0) {
    TraceBuilder trace;
    trace.Rank(rank, 4, "");
    const uint32_t queue = trace.Queue(trace.Gpu("gfx906"));
    const uint32_t name = trace.Kernel(kernel);
    for (uint64_t i = 1; i <= 60; ++i) {
      if (i <= missing) continue;
      const uint64_t end = 100 * kSecond + i * kSecond / 2 + static_cast<uint64_t>(rank) * 300;
      const uint64_t start = end - 1'000'000 - (rank == 1 ? 0 : 200'000);
      const bool is_other = rank > 1;
      trace.Dispatch(queue, name,
                     {.start = is_other ? Second(start) : start,
                      .end = is_other ? Second(end) : end,
                      .correlation = i});
    }
    if (missing > 0) trace.Lose(EventKind::kKernel, Loss::kSpoolFull, missing);
    const std::string path = directory_.File("rank" + std::to_string(rank) + ".db");
    EXPECT_TRUE(trace.WriteDatabase(path).ok());
    return path;
  }

  uint32_t Add(const std::string& path, const char* boot) {
    std::unique_ptr<query::TraceReader> trace;
    uint32_t clock = 99;
    Status status = query::TraceReader::Open(path, &trace);
    if (status.ok()) status = meetings_.Add(*trace, boot, &clock);
    EXPECT_TRUE(status.ok()) << status.message();
    return clock;
  }

  TempDir directory_;
  Meetings meetings_;
};

TEST_F(MeetingsTest, AlignsTheSecondHostWithTheFirst) {
  EXPECT_EQ(Add(WriteRank(0), "a"), 0u);
  EXPECT_EQ(Add(WriteRank(2), "b"), 1u);
  EXPECT_EQ(Add(WriteRank(1), "a"), 0u);
  EXPECT_EQ(Add(WriteRank(3), "b"), 1u);
  const auto clocks = meetings_.Align();
  ASSERT_EQ(clocks.size(), 2u);
  EXPECT_EQ(clocks[0].source, analysis::ClockSource::kReference);
  EXPECT_EQ(clocks[1].source, analysis::ClockSource::kCollectives);
  EXPECT_EQ(clocks[1].meetings, 60u);
  for (const uint64_t time : {101 * kSecond, 115 * kSecond, 129 * kSecond}) {
    const auto own = static_cast<int64_t>(Second(time));
    const auto truth = static_cast<int64_t>(Second(time) - time);
    const analysis::ClockKnot found = clocks[1].At(own);
    EXPECT_NEAR(static_cast<double>(found.offset - truth), 600, 20);  // ranks 2 and 3 end later
    EXPECT_LE(std::abs(found.offset - truth), found.bar.value_or(0));
    EXPECT_LE(found.lower.value_or(truth + 1), truth);
    EXPECT_GE(found.upper.value_or(truth - 1), truth);
  }
}

TEST_F(MeetingsTest, LeavesOutWhatIsNoMeeting) {
  Add(WriteRank(0), "a");
  Add(WriteRank(2, "ncclDevKernel_AllReduce_Sum_f32", 3), "b");  // its ordinals are wrong
  EXPECT_EQ(meetings_.Align()[1].source, analysis::ClockSource::kNone);
  Meetings others;
  std::swap(meetings_, others);
  Add(WriteRank(0, "ncclDevKernel_Broadcast_RING"), "a");
  Add(WriteRank(2, "ncclDevKernel_Broadcast_RING"), "b");
  EXPECT_EQ(meetings_.Align()[1].source, analysis::ClockSource::kNone);
}

}  // namespace
}  // namespace rtl::dataset
