// SPDX-License-Identifier: MIT
#include "capture/roctx/markers.h"

#include <gtest/gtest.h>
#include <string.h>
#include <unistd.h>

#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "capture/roctx/omitted_ranges.h"
#include "capture/roctx/pause.h"

namespace rtl::capture {
namespace {

class MarkerSink final : public RecordSink {
 public:
  bool Write(const void* record, size_t bytes, const char* text, size_t text_bytes) override {
    const std::lock_guard lock(mutex_);
    if (refuse) return false;
    RecordHeader head;
    memcpy(&head, record, sizeof head);
    const std::string message(text_bytes == 0 ? "" : text, text_bytes);
    switch (head.type) {
      case RecordType::kMark: {
        MarkRecord mark;
        EXPECT_EQ(bytes, sizeof mark);
        memcpy(&mark, record, sizeof mark);
        Add(head, mark.time, "mark " + message);
        flags = mark.flags;
        break;
      }
      case RecordType::kRangePush:
      case RecordType::kRangeStart: {
        RangeBeginRecord begin;
        EXPECT_EQ(bytes, sizeof begin);
        memcpy(&begin, record, sizeof begin);
        const bool push = head.type == RecordType::kRangePush;
        Add(head, begin.time,
            (push ? "push " : "start " + std::to_string(begin.range) + " ") + message,
            IsPart(begin.range));
        flags = begin.flags;
        break;
      }
      case RecordType::kRangePop:
      case RecordType::kRangeStop: {
        RangeEndRecord end;
        EXPECT_EQ(bytes, sizeof end);
        memcpy(&end, record, sizeof end);
        const bool pop = head.type == RecordType::kRangePop;
        Add(head, end.time, pop ? "pop" : "stop " + std::to_string(end.range), IsPart(end.range));
        break;
      }
      default:
        ADD_FAILURE() << "record of type " << static_cast<int>(head.type);
    }
    return true;
  }
  void CountSubmitted(EventKind kind, uint64_t events) override { Count(kind, &submitted, events); }
  void CountRecorded(EventKind kind, uint64_t events) override { Count(kind, &recorded, events); }
  void CountLoss(EventKind kind, Loss why, uint64_t events) override {
    EXPECT_EQ(why, loss);
    Count(kind, &lost, events);
  }

  std::vector<std::string> calls;
  std::vector<uint64_t> times;
  std::vector<uint32_t> threads;
  uint64_t submitted = 0, recorded = 0, lost = 0;
  uint32_t flags = 0;
  Loss loss = Loss::kSpoolFull;  // the only loss that may be counted
  bool refuse = false;

 private:
  static bool IsPart(uint64_t range) { return range >> 61 == 1; }
  // A part of a range is written later than it began or ended.
  void Add(const RecordHeader& head, uint64_t time, std::string call, bool part = false) {
    uint64_t& last = last_time_[head.thread];
    EXPECT_TRUE(part || time >= last) << "a thread's records go back in time";
    EXPECT_LE(time, BootTimeNs());
    if (!part) last = time;
    calls.push_back(std::move(call));
    times.push_back(time);
    threads.push_back(head.thread);
  }
  void Count(EventKind kind, uint64_t* counter, uint64_t events) {
    EXPECT_EQ(kind, EventKind::kMarker);
    const std::lock_guard lock(mutex_);
    *counter += events;
  }

  std::mutex mutex_;
  std::map<uint32_t, uint64_t> last_time_;
};

using Calls = std::vector<std::string>;

class MarkersTest : public ::testing::Test {
 protected:
  void TearDown() override {
    EXPECT_EQ(sink_.submitted, sink_.recorded + sink_.lost);
    sink_.refuse = false;
    while (markers_.Pop(&sink_) >= 0) {
    }
  }

  MarkerSink sink_;
  Markers markers_;
};

TEST_F(MarkersTest, RecordsAMark) {
  markers_.Mark(&sink_, "here");
  EXPECT_EQ(sink_.calls, Calls{"mark here"});
  EXPECT_EQ(sink_.threads[0], static_cast<uint32_t>(gettid()));
  EXPECT_EQ(sink_.recorded, 1u);
}

TEST_F(MarkersTest, ReturnsTheLevelFromPushAndPop) {
  EXPECT_EQ(markers_.Push(&sink_, "outer"), 0);
  EXPECT_EQ(markers_.Push(&sink_, "inner"), 1);
  EXPECT_EQ(markers_.Pop(&sink_), 1);
  EXPECT_EQ(markers_.Pop(&sink_), 0);
  EXPECT_EQ(markers_.Pop(&sink_), -1);
  EXPECT_EQ(sink_.calls, (Calls{"push outer", "push inner", "pop", "pop"}));
  EXPECT_EQ(sink_.recorded, 2u);
}

TEST_F(MarkersTest, ReturnsTheSameWithoutASink) {
  EXPECT_EQ(markers_.Push(nullptr, "outer"), 0);
  EXPECT_EQ(markers_.Push(nullptr, "inner"), 1);
  EXPECT_EQ(markers_.Pop(nullptr), 1);
  EXPECT_EQ(markers_.Pop(nullptr), 0);
  EXPECT_EQ(markers_.Pop(nullptr), -1);
  markers_.Mark(nullptr, "nobody listens");
  const uint64_t range = markers_.Start(nullptr, "x");
  EXPECT_NE(range, 0u);
  EXPECT_NE(markers_.Start(nullptr, "y"), range);
  markers_.Stop(nullptr, range);
}

// The ids of parts become letters, in the order of their beginnings.
Calls WithParts(Calls calls) {
  std::map<std::string, std::string> letters;
  for (std::string& call : calls) {
    const size_t at = call.find(' ');
    if (at == std::string::npos) continue;
    const std::string id = call.substr(at + 1, 19);
    if (id.size() < 19 || id.find_first_not_of("0123456789") != std::string::npos) continue;
    letters.try_emplace(id, 1, static_cast<char>('A' + letters.size()));
    call.replace(at + 1, 19, letters[id]);
  }
  return calls;
}

TEST_F(MarkersTest, RecordsThePartsOfARangeThatAreNotPaused) {
  sink_.loss = Loss::kPaused;
  EXPECT_EQ(markers_.Push(&sink_, "outer"), 0);
  ASSERT_TRUE(Pause::Begin(Pause::kAllThreads));
  EXPECT_EQ(markers_.Push(&sink_, "paused"), 1);
  const uint64_t range = markers_.Start(&sink_, "started");
  markers_.Mark(&sink_, "lost");
  Pause::End(Pause::kAllThreads);
  EXPECT_EQ(markers_.Push(&sink_, "inner"), 2);
  EXPECT_EQ(sink_.flags, 0u);
  EXPECT_EQ(markers_.Pop(&sink_), 2);
  markers_.Stop(&sink_, range);
  EXPECT_EQ(markers_.Pop(&sink_), 1);
  EXPECT_EQ(markers_.Push(&sink_, "last"), 1);
  ASSERT_TRUE(Pause::Begin(Pause::kAllThreads));
  EXPECT_EQ(markers_.Push(&sink_, "lost"), 2);
  EXPECT_EQ(markers_.Pop(&sink_), 2);
  EXPECT_EQ(markers_.Pop(&sink_), 1);
  EXPECT_EQ(markers_.Pop(&sink_), 0);
  Pause::TEST_Reset();
  EXPECT_EQ(WithParts(sink_.calls),
            (Calls{"push outer", "start A paused", "push inner", "pop", "start B started", "stop B",
                   "stop A", "push last", "pop", "pop"}));
  EXPECT_EQ(sink_.lost, 2u);
  EXPECT_EQ(sink_.recorded, 5u);
}

// A part needs no further call of its thread, because the worker looks at all ranges.
TEST_F(MarkersTest, BeginsAndEndsPartsWithoutACallOfTheirThread) {
  sink_.loss = Loss::kPaused;
  ASSERT_TRUE(Pause::Begin(Pause::kAllThreads));
  EXPECT_EQ(markers_.Push(&sink_, "outer"), 0);
  EXPECT_EQ(markers_.Push(&sink_, "inner"), 1);
  OmittedRanges::Follow(&sink_);
  EXPECT_EQ(sink_.calls, Calls{});
  Pause::End(Pause::kAllThreads);
  std::thread([&] { OmittedRanges::Follow(&sink_); }).join();
  EXPECT_EQ(sink_.flags, kRangeFlagPushed);
  ASSERT_TRUE(Pause::Begin(Pause::kAllThreads));
  OmittedRanges::Follow(&sink_);
  Pause::End(Pause::kAllThreads);
  EXPECT_EQ(markers_.Pop(&sink_), 1);
  EXPECT_EQ(markers_.Pop(&sink_), 0);
  Pause::TEST_Reset();
  EXPECT_EQ(WithParts(sink_.calls), (Calls{"start A outer", "start B inner", "stop A", "stop B",
                                           "start C inner", "stop C", "start D outer", "stop D"}));
  for (const uint32_t thread : sink_.threads) EXPECT_EQ(thread, static_cast<uint32_t>(gettid()));
  EXPECT_EQ(sink_.submitted, 4u);
  EXPECT_EQ(sink_.lost, 0u);
}

TEST_F(MarkersTest, RecordsARangeAroundAPeriodThatHasPassed) {
  sink_.loss = Loss::kPaused;
  const uint64_t from = BootTimeNs();
  Pause::RecordBetween(from + 2'000'000, from + 3'000'000);
  EXPECT_EQ(markers_.Push(&sink_, "outer"), 0);
  while (BootTimeNs() < from + 4'000'000) {
  }
  EXPECT_EQ(markers_.Push(&sink_, "too late"), 1);
  EXPECT_EQ(markers_.Pop(&sink_), 1);
  EXPECT_EQ(markers_.Pop(&sink_), 0);
  Pause::TEST_Reset();
  EXPECT_EQ(WithParts(sink_.calls), (Calls{"start A outer", "stop A"}));
  EXPECT_EQ(sink_.times, (std::vector<uint64_t>{from + 2'000'000, from + 3'000'000}));
  EXPECT_EQ(sink_.lost, 1u);
}

TEST_F(MarkersTest, LeavesTheRangesOfTheParentAlone) {
  sink_.loss = Loss::kPaused;
  ASSERT_TRUE(Pause::Begin(Pause::kAllThreads));
  EXPECT_EQ(markers_.Push(&sink_, "outer"), 0);
  const uint64_t range = markers_.Start(&sink_, "started");
  Markers::ForgetOmitted();
  Pause::End(Pause::kAllThreads);
  OmittedRanges::Follow(&sink_);
  markers_.Stop(&sink_, range);
  EXPECT_EQ(markers_.Push(&sink_, "inner"), 1);
  EXPECT_EQ(markers_.Pop(&sink_), 1);
  EXPECT_EQ(sink_.calls, (Calls{"push inner", "pop"}));
}

TEST_F(MarkersTest, NamesRangesBeyondItsMemory) {
  sink_.loss = Loss::kPaused;
  ASSERT_TRUE(Pause::Begin(Pause::kAllThreads));
  for (uint32_t i = 0; i < OmittedRanges::kRanges + 3; ++i) (void)markers_.Push(&sink_, "x");
  Pause::End(Pause::kAllThreads);
  EXPECT_EQ(markers_.Push(&sink_, "inside a lost one"), 1027);
  for (uint32_t i = 0; i < OmittedRanges::kRanges + 4; ++i) (void)markers_.Pop(&sink_);
  EXPECT_EQ(sink_.recorded, OmittedRanges::kRanges);
  EXPECT_EQ(sink_.lost, 4u);
  EXPECT_EQ(markers_.Push(&sink_, "next"), 0);
  EXPECT_EQ(sink_.calls.back(), "push next");
  Pause::TEST_Reset();
}

TEST_F(MarkersTest, RecordsTheAwaitedRangeItsContentsAndThePartAroundIt) {
  sink_.loss = Loss::kPaused;
  Pause::RecordDuring("step");
  EXPECT_EQ(markers_.Push(&sink_, "outer"), 0);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(markers_.Push(&sink_, "step"), 1);
    EXPECT_EQ(markers_.Push(&sink_, "step"), 2);
    EXPECT_EQ(markers_.Pop(&sink_), 2);
    markers_.Mark(&sink_, "inside");
    EXPECT_EQ(markers_.Pop(&sink_), 1);
    markers_.Mark(&sink_, "outside");
  }
  const uint64_t range = markers_.Start(&sink_, "step");
  markers_.Mark(&sink_, "inside");
  markers_.Stop(&sink_, range);
  EXPECT_TRUE(Pause::Active());
  EXPECT_EQ(markers_.Pop(&sink_), 0);
  Pause::TEST_Reset();
  EXPECT_EQ(WithParts(sink_.calls),
            (Calls{"start A outer", "push step", "push step", "pop", "mark inside", "pop", "stop A",
                   "start B outer", "push step", "push step", "pop", "mark inside", "pop",
                   "start 1 step", "mark inside", "stop 1", "stop B", "start C outer", "stop C"}));
  EXPECT_EQ(sink_.lost, 2u);
  EXPECT_EQ(sink_.recorded, 11u);
}

TEST_F(MarkersTest, CountsLevelsPerThread) {
  EXPECT_EQ(markers_.Push(&sink_, "main"), 0);
  std::thread([&] {
    EXPECT_EQ(markers_.Pop(&sink_), -1);
    EXPECT_EQ(markers_.Push(&sink_, "other"), 0);
    EXPECT_EQ(markers_.Pop(&sink_), 0);
  }).join();
  EXPECT_EQ(markers_.Pop(&sink_), 0);
  EXPECT_EQ(sink_.calls, (Calls{"push main", "push other", "pop", "pop"}));
  EXPECT_NE(sink_.threads[0], sink_.threads[1]);
  EXPECT_EQ(sink_.threads[0], sink_.threads[3]);
}

TEST_F(MarkersTest, StopsARangeOnAnotherThreadAndInAnyOrder) {
  const uint64_t first = markers_.Start(&sink_, "first");
  const uint64_t second = markers_.Start(&sink_, "second");
  EXPECT_NE(first, second);
  std::thread([&] { markers_.Stop(&sink_, first); }).join();
  markers_.Stop(&sink_, second);
  const std::string a = std::to_string(first);
  const std::string b = std::to_string(second);
  EXPECT_EQ(sink_.calls,
            (Calls{"start " + a + " first", "start " + b + " second", "stop " + a, "stop " + b}));
  EXPECT_EQ(sink_.recorded, 2u);
}

TEST_F(MarkersTest, TreatsANullMessageAsEmpty) {
  markers_.Mark(&sink_, nullptr);
  EXPECT_EQ(markers_.Push(&sink_, nullptr), 0);
  const std::string range = std::to_string(markers_.Start(&sink_, nullptr));
  EXPECT_EQ(sink_.calls, (Calls{"mark ", "push ", "start " + range + " "}));
}

TEST_F(MarkersTest, TruncatesAndFlagsALongMessage) {
  const std::string message(kMaxTextBytes + 1, 'm');
  markers_.Mark(&sink_, message.c_str());
  EXPECT_EQ(sink_.calls[0], "mark " + message.substr(0, kMaxTextBytes));
  EXPECT_EQ(sink_.flags, kTextFlagTruncated);
  markers_.Mark(&sink_, message.c_str() + 1);
  EXPECT_EQ(sink_.calls[1], sink_.calls[0]);
  EXPECT_EQ(sink_.flags, 0u);
}

TEST_F(MarkersTest, CountsRefusedRecords) {
  sink_.refuse = true;
  markers_.Mark(&sink_, "x");
  (void)markers_.Start(&sink_, "y");
  EXPECT_EQ(sink_.submitted, 2u);
  EXPECT_EQ(sink_.lost, 2u);
}

TEST_F(MarkersTest, DoesNotEndAnotherRangeAtTheEndOfALostPush) {
  EXPECT_EQ(markers_.Push(&sink_, "outer"), 0);
  sink_.refuse = true;
  EXPECT_EQ(markers_.Push(&sink_, "lost"), 1);
  sink_.refuse = false;
  EXPECT_EQ(markers_.Push(&sink_, "inside lost"), 2);
  EXPECT_EQ(markers_.Pop(&sink_), 2);
  EXPECT_EQ(markers_.Pop(&sink_), 1);
  EXPECT_EQ(sink_.calls, Calls{"push outer"});
  EXPECT_EQ(markers_.Push(&sink_, "next"), 1);
  EXPECT_EQ(markers_.Pop(&sink_), 1);
  EXPECT_EQ(markers_.Pop(&sink_), 0);
  EXPECT_EQ(sink_.calls, (Calls{"push outer", "push next", "pop", "pop"}));
  EXPECT_EQ(sink_.lost, 2u);
  EXPECT_EQ(sink_.recorded, 2u);
}

TEST_F(MarkersTest, WritesARefusedEndBeforeTheNextPair) {
  EXPECT_EQ(markers_.Push(&sink_, "outer"), 0);
  EXPECT_EQ(markers_.Push(&sink_, "inner"), 1);
  sink_.refuse = true;
  EXPECT_EQ(markers_.Pop(&sink_), 1);
  EXPECT_EQ(markers_.Push(&sink_, "lost"), 1);
  EXPECT_EQ(markers_.Pop(&sink_), 1);
  sink_.refuse = false;
  EXPECT_EQ(markers_.Pop(&sink_), 0);
  EXPECT_EQ(sink_.calls, (Calls{"push outer", "push inner", "pop", "pop"}));
}

}  // namespace
}  // namespace rtl::capture
