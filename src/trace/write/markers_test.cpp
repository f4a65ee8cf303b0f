// SPDX-License-Identifier: MIT
#include "trace/write/markers.h"

#include <gtest/gtest.h>

#include "trace/schema/schema.h"

namespace rtl::store {
namespace {

class MarkersTest : public testing::Test {
 protected:
  MarkerSpan Begin(uint32_t thread, uint64_t time, int64_t text, uint64_t range = 0) {
    MarkerSpan span;
    span.thread = thread;
    span.start = time;
    span.text_id = text;
    span.range = range;
    return span;
  }
  // "text:start-end/flags" of every span so far.
  std::vector<std::string> Spans() const {
    std::vector<std::string> out;
    for (const MarkerSpan& s : spans_) {
      out.push_back(std::to_string(s.text_id) + ":" + std::to_string(s.start) + "-" +
                    std::to_string(s.end) + "/" + std::to_string(s.flags));
    }
    return out;
  }

  std::vector<MarkerSpan> spans_;
  Markers markers_{[this](const MarkerSpan& span) { spans_.push_back(span); }};
};
using Texts = std::vector<std::string>;

// Any thread may write the parts of a pushed range. The parts, too, are ranges of push and pop.
TEST_F(MarkersTest, PairsThePartsOfPushedRangesByTheirIds) {
  markers_.Push(Begin(1, 10, 1));
  markers_.Start(Begin(1, 11, 2, 77), true);
  markers_.Pop(1, 20);
  markers_.Stop(77, 30);
  markers_.Start(Begin(1, 12, 3, 78), true);
  markers_.End(40);
  EXPECT_EQ(Spans(),
            (Texts{"1:10-20/0", "2:11-30/0", "3:12-40/" + std::to_string(kOpFlagUnclosed)}));
  for (const MarkerSpan& span : spans_) EXPECT_EQ(span.range, 0u);
}

TEST_F(MarkersTest, NestsPushAndPopPerThread) {
  markers_.Push(Begin(1, 10, 1));
  markers_.Push(Begin(2, 11, 2));
  markers_.Push(Begin(1, 12, 3));
  markers_.Pop(1, 20);
  markers_.Pop(2, 21);
  markers_.Pop(1, 22);
  EXPECT_EQ(Spans(), (Texts{"3:12-20/0", "2:11-21/0", "1:10-22/0"}));
  EXPECT_EQ(markers_.orphans(), 0u);
}

TEST_F(MarkersTest, PairsStartAndStopByIdOnAnyThread) {
  markers_.Start(Begin(1, 10, 1, 100));
  markers_.Start(Begin(1, 11, 2, 101));
  markers_.Stop(100, 20);
  markers_.Stop(101, 21);
  EXPECT_EQ(Spans(), (Texts{"1:10-20/2", "2:11-21/2"}));
}

TEST_F(MarkersTest, TakesAStopThatIsReadBeforeItsStart) {
  markers_.Stop(100, 20);
  EXPECT_EQ(markers_.orphans(), 1u);
  markers_.Start(Begin(1, 10, 1, 100));
  EXPECT_EQ(Spans(), Texts{"1:10-20/2"});
  EXPECT_EQ(markers_.orphans(), 0u);
}

TEST_F(MarkersTest, ClosesOpenRangesAtTheEnd) {
  markers_.Start(Begin(2, 15, 3, 100));
  markers_.Push(Begin(1, 10, 1));
  markers_.Push(Begin(1, 12, 2));
  markers_.End(50);
  EXPECT_EQ(Spans(), (Texts{"1:10-50/4", "2:12-50/4", "3:15-50/6"}));
}

TEST_F(MarkersTest, NeverEndsARangeBeforeItsBeginning) {
  markers_.Push(Begin(1, 10, 1));
  markers_.Pop(1, 5);
  markers_.Push(Begin(1, 60, 2));
  markers_.End(50);
  EXPECT_EQ(Spans(), (Texts{"1:10-10/0", "2:60-60/4"}));
}

TEST_F(MarkersTest, CountsEndsWithoutABeginning) {
  markers_.Pop(1, 5);
  markers_.Push(Begin(1, 10, 1));
  markers_.Pop(1, 20);
  markers_.Pop(1, 25);
  markers_.Stop(7, 30);
  markers_.Stop(7, 31);
  EXPECT_EQ(markers_.orphans(), 4u);
  EXPECT_EQ(Spans(), Texts{"1:10-20/0"});
}

TEST_F(MarkersTest, EndsTheEarlierOfTwoRangesWithOneId) {
  markers_.Start(Begin(1, 10, 1, 100));
  markers_.Start(Begin(1, 15, 2, 100));
  markers_.Stop(100, 20);
  EXPECT_EQ(Spans(), (Texts{"1:10-15/6", "2:15-20/2"}));
}

}  // namespace
}  // namespace rtl::store
