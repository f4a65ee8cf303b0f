// SPDX-License-Identifier: MIT
#include "capture/clr/clr_records.h"

#include <gtest/gtest.h>
#include <string.h>

#include <vector>

#include "tests/support/memory_sink.h"

namespace rtl::capture {
namespace {

class ClrRecordsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(records_.Open({&sink_, &submitted_, nullptr, &library_}).ok());
    const ClrClockSample start = SampleClrClocks();
    records_.BeginClock(start, start, 1);
  }
  // A slab of calls that were made just now, without operations.
  size_t Add(size_t calls) {
    static constexpr char kName[] = "hipMalloc";
    slab_.assign(calls * kMaxClrCallBytes, 0);
    for (size_t i = 0; i < calls; ++i) {
      uint8_t* const call = slab_.data() + i * kMaxClrCallBytes;
      const uint64_t now = SampleClrClocks().at[0];
      const uint64_t words[] = {reinterpret_cast<uint64_t>(kName), 0, 1, now, now};
      memcpy(call, words, sizeof words);
    }
    return records_.AddSlab(ClrForm::kChunks, reinterpret_cast<uint64_t>(slab_.data()), calls);
  }
  uint64_t Lost(Loss why) { return sink_.loss(why, EventKind::kHipCall); }

  support::MemorySink sink_;
  std::atomic<uint64_t> submitted_{0};
  ClrLibrary library_;
  ClrRecords records_;
  std::vector<uint8_t> slab_;
};

TEST_F(ClrRecordsTest, CountsWatchedCallsWithoutARecordAsLost) {
  EXPECT_EQ(Add(10), 10u);
  records_.Close(25, 3);
  EXPECT_EQ(sink_.calls().size(), 10u);
  EXPECT_EQ(submitted_, 25u);
  EXPECT_EQ(Lost(Loss::kShutdown), 3u);
  EXPECT_EQ(Lost(Loss::kProfilerOff), 12u);
}

TEST_F(ClrRecordsTest, IgnoresRecordsThatAreReadAfterTheEnd) {
  EXPECT_EQ(Add(10), 10u);
  records_.Close(25, 0);
  EXPECT_EQ(Add(15), 0u) << "a late reader";
  records_.CountLost(Loss::kProfilerLost, 2);
  records_.Close(30, 0);
  EXPECT_EQ(sink_.calls().size(), 10u);
  EXPECT_EQ(submitted_, 25u);
  EXPECT_EQ(sink_.lost(EventKind::kHipCall), 15u);
}

}  // namespace
}  // namespace rtl::capture
