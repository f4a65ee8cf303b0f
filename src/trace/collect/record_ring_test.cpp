// SPDX-License-Identifier: MIT
#include "trace/collect/record_ring.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "model/records.h"
#include "trace/collect/window_triggers.h"

namespace rtl::store {
namespace {

constexpr size_t kSmallest = 512 << 10;  // two chunks

// A record with its text, in the layout of a spool.
class RingRecord {
 public:
  template <typename Record>
  RingRecord(Record record, RecordType type, uint32_t thread, const std::string& text = "") {
    const size_t bytes = (sizeof record + text.size() + 7) / 8 * 8;
    record.head = {type, static_cast<uint16_t>(bytes / 8), thread};
    if constexpr (requires { record.text_bytes; }) {
      record.text_bytes = static_cast<uint32_t>(text.size());
    }
    words_.resize(bytes / 8);
    memcpy(words_.data(), &record, sizeof record);
    memcpy(reinterpret_cast<char*>(words_.data()) + sizeof record, text.data(), text.size());
  }
  spool::RecordView view() const {
    spool::RecordView view;
    EXPECT_TRUE(
        spool::CheckRecord(reinterpret_cast<const char*>(words_.data()), words_.size() * 8, &view));
    return view;
  }

 private:
  std::vector<uint64_t> words_;
};

RingRecord KernelOf(uint32_t queue, uint64_t number) {
  DispatchRecord record;
  record.dispatch = number;
  record.queue = queue;
  return {record, RecordType::kDispatch, 1};
}

RingRecord PushAt(uint64_t time, const std::string& text) {
  return {RangeBeginRecord{.head = {}, .time = time}, RecordType::kRangePush, 1, text};
}

RingRecord PopAt(uint64_t time) {
  return {RangeEndRecord{.head = {}, .time = time}, RecordType::kRangePop, 1};
}

class RecordRingTest : public testing::Test {
 protected:
  void Add(const RingRecord& record, uint32_t process = 0) { ring_.Add(process, record.view()); }
  // Adds more records than the ring holds.
  uint64_t Flood(uint32_t process = 0) {
    constexpr uint64_t kMany = 3 * kSmallest / sizeof(DispatchRecord);
    for (uint64_t i = 1; i <= kMany; ++i) Add(KernelOf(7, i), process);
    return kMany;
  }
  struct Found {
    std::vector<std::string> texts;
    uint64_t first = 0, last = 0, kernels = 0, ends = 0;
  };
  Found Replay(uint32_t process = 0) {
    Found found;
    EXPECT_TRUE(ring_
                    .Replay(process,
                            [&](const spool::RecordView& record) {
                              if (!record.text.empty()) found.texts.emplace_back(record.text);
                              found.ends += record.head->type == RecordType::kRangePop;
                              if (record.head->type != RecordType::kDispatch) return Status::Ok();
                              const uint64_t number = record.As<DispatchRecord>().dispatch;
                              if (found.kernels++ == 0) found.first = number;
                              EXPECT_TRUE(found.last == 0 || number == found.last + 1);
                              found.last = number;
                              return Status::Ok();
                            })
                    .ok());
    return found;
  }

  RecordRing ring_{kSmallest};
};

// The rest becomes Loss::kOutOfWindow.
TEST_F(RecordRingTest, KeepsTheNewestAndCountsTheRestByQueue) {
  const uint64_t many = Flood();
  const Found found = Replay();
  EXPECT_EQ(found.last, many);
  EXPECT_GT(found.kernels, kSmallest / 2 / (sizeof(DispatchRecord) + 8) - 1);
  const LeftOut& left_out = ring_.left_out(0);
  EXPECT_EQ(left_out.of(EventKind::kKernel) + found.kernels, many);
  EXPECT_EQ(left_out.kernels.at(7), left_out.of(EventKind::kKernel));
  EXPECT_EQ(ring_.events(), found.kernels);
}

TEST_F(RecordRingTest, KeepsDescriptions) {
  Add({KernelRecord{}, RecordType::kKernel, 1, "gemm"});
  Flood();
  EXPECT_EQ(Replay().texts, std::vector<std::string>{"gemm"});
}

TEST_F(RecordRingTest, KeepsAnOpenRangeAndDropsAnEndedOne) {
  Add(PushAt(1, "training"));
  Add(PushAt(2, "first step"));
  Add(PopAt(3));
  Add({RangeBeginRecord{.head = {}, .time = 4, .range = 9}, RecordType::kRangeStart, 1, "request"});
  Flood();
  EXPECT_EQ(Replay().texts, (std::vector<std::string>{"training", "request"}));
  EXPECT_EQ(ring_.left_out(0).of(EventKind::kMarker), 1u);
  Add(PopAt(5));
  const Found found = Replay();
  EXPECT_EQ(found.ends, 1u);
  EXPECT_EQ(found.texts.front(), "training");  // with its real beginning
  Flood();
  EXPECT_EQ(Replay().texts, std::vector<std::string>{"request"});
  EXPECT_EQ(ring_.left_out(0).of(EventKind::kMarker), 2u);
}

TEST_F(RecordRingTest, SharesTheRingAmongProcessesAndKeepsThemApart) {
  Add(KernelOf(7, 1), 0);
  Add(KernelOf(3, 5), 1);
  EXPECT_EQ(Replay(0).last, 1u);
  EXPECT_EQ(Replay(1).last, 5u);
  const uint64_t many = Flood(1);
  EXPECT_EQ(Replay(0).kernels, 0u);
  EXPECT_EQ(ring_.left_out(0).of(EventKind::kKernel), 1u);
  EXPECT_EQ(Replay(1).last, many);
}

TEST_F(RecordRingTest, DropsAProcessTogetherWithItsEnd) {
  Add({KernelRecord{}, RecordType::kKernel, 1, "short"}, 1);
  Add(KernelOf(3, 1), 1);
  ring_.End(1);
  EXPECT_TRUE(ring_.TakeLeft().empty());
  EXPECT_EQ(ring_.events(), 1u);
  const uint64_t many = Flood(0);
  EXPECT_EQ(ring_.TakeLeft(), std::vector<uint32_t>{1});
  EXPECT_TRUE(ring_.TakeLeft().empty());
  EXPECT_EQ(ring_.left_out(1).kernels, (std::map<uint32_t, uint64_t>{{3, 1}}));
  ring_.Drop(1);
  EXPECT_EQ(ring_.left_out(1).of(EventKind::kKernel), 0u);
  EXPECT_TRUE(Replay(1).texts.empty());
  EXPECT_EQ(Replay(0).last, many);
}

// Otherwise thousands of short processes would take unbounded memory besides the ring.
TEST_F(RecordRingTest, TheDescriptionsOfAnEndedProcessTakeRoomInTheRing) {
  const std::string name(1000, 'x');
  size_t left = 0;
  constexpr uint32_t kProcesses = 2 * kSmallest / 1000;
  for (uint32_t process = 1; process <= kProcesses; ++process) {
    Add({KernelRecord{}, RecordType::kKernel, 1, name}, process);
    ring_.End(process);
    left += ring_.TakeLeft().size();
  }
  EXPECT_GT(left, kProcesses / 2);
  EXPECT_LT(left, kProcesses);
}

TEST_F(RecordRingTest, KeepsDescriptionsAndOpenRangesWhenCleared) {
  Add(RingRecord(AgentRecord{}, RecordType::kAgent, 1));
  Add(PushAt(10, "open"));
  Add(KernelOf(3, 1));
  ring_.Clear();
  EXPECT_EQ(ring_.events(), 0u);
  EXPECT_EQ(ring_.left_out(0).of(EventKind::kKernel), 1u);
  EXPECT_EQ(ring_.left_out(0).kernels, (std::map<uint32_t, uint64_t>{{3, 1}}));
  Add(PopAt(20));
  std::vector<RecordType> types;
  const Status replayed = ring_.Replay(0, [&](const spool::RecordView& record) {
    types.push_back(record.head->type);
    return Status::Ok();
  });
  EXPECT_TRUE(replayed.ok());
  EXPECT_EQ(types, (std::vector<RecordType>{RecordType::kAgent, RecordType::kRangePush,
                                            RecordType::kRangePop}));
}

TEST(WindowTriggersTest, AMatchingMarkCallsForAWindow) {
  std::unique_ptr<WindowTriggers> triggers;
  ASSERT_TRUE(WindowTriggers::Make("slow|bad", {}, &triggers).ok());
  const RingRecord bad(MarkRecord{}, RecordType::kMark, 1, "a bad thing");
  const RingRecord good(MarkRecord{}, RecordType::kMark, 1, "a good thing");
  EXPECT_EQ(triggers->Look(0, bad.view()).value_or(""), "mark \"a bad thing\"");
  EXPECT_FALSE(triggers->Look(0, good.view()).has_value());
}

TEST(WindowTriggersTest, ARangeThatTookLongerCallsForAWindow) {
  std::unique_ptr<WindowTriggers> triggers;
  ASSERT_TRUE(WindowTriggers::Make("", {{"step", 1000}}, &triggers).ok());
  EXPECT_FALSE(triggers->Look(0, PushAt(0, "step 1").view()).has_value());
  EXPECT_FALSE(triggers->Look(0, PushAt(10, "load").view()).has_value());
  EXPECT_FALSE(triggers->Look(0, PopAt(9000).view()).has_value());
  EXPECT_FALSE(triggers->Look(1, PopAt(9000).view()).has_value()) << "of another process";
  EXPECT_EQ(triggers->Look(0, PopAt(9001).view()).value_or(""), "range \"step 1\" took 9 us");
  EXPECT_FALSE(triggers->Look(0, PushAt(9100, "step 2").view()).has_value());
  EXPECT_FALSE(triggers->Look(0, PopAt(10100).view()).has_value()) << "not longer";
}

TEST(WindowTriggersTest, RefusesAnInvalidRegularExpression) {
  std::unique_ptr<WindowTriggers> triggers;
  EXPECT_FALSE(WindowTriggers::Make("(", {}, &triggers).ok());
  EXPECT_FALSE(WindowTriggers::Make("", {{"[", 1}}, &triggers).ok());
}

}  // namespace
}  // namespace rtl::store
