// SPDX-License-Identifier: MIT
#include "capture/counters/counter_pair.h"

#include <gtest/gtest.h>
#include <string.h>

#include <string>
#include <vector>

#include "capture/hsa/queue_identity.h"

namespace rtl::capture {
namespace {

CounterSet SetOf(std::initializer_list<uint32_t> events) {
  CounterSet set;
  for (const uint32_t event : events) {
    strcpy(set.events[set.count].block, "SQ");
    set.events[set.count++].event = event;
  }
  return set;
}

// What a user has got: "3: 0=40 1=50", or "3: lost".
struct KeptUser final : CounterUser {
  const CounterSet* set = nullptr;
  uint64_t next = 1;
  std::vector<std::string> got;

  const CounterSet* Choose(const DispatchRecord&, const QueueIdentity&, const counters::GpuFacts*,
                           uint64_t* token) override {
    if (set != nullptr) *token = next++;
    return set;
  }
  void Counted(uint64_t token, const DispatchRecord&, const QueueIdentity&,
               const CounterValue* values, uint32_t count) override {
    std::string text = std::to_string(token) + ":";
    for (uint32_t i = 0; i < count; ++i)
      text += " " + std::to_string(values[i].event) + "=" + std::to_string(values[i].value);
    got.push_back(text);
  }
  void NotCounted(uint64_t token, Loss why) override {
    got.push_back(std::to_string(token) + ": " + LossName(why));
  }
};

// A GPU that counts at most `room` events at once.
struct SmallGpu final : counters::GpuFacts {
  uint32_t room = 4;
  bool Property(std::string_view, double*) const override { return false; }
  bool Extents(const CounterEvent&, uint32_t*) const override { return false; }
  bool FitTogether(const CounterSet& set) const override { return set.count <= room; }
};

class CounterPairTest : public testing::Test {
 protected:
  CounterPairTest() { pair_.Open(&trace_, &tool_); }
  const CounterSet* Choose() { return pair_.Choose({}, {}, &gpu_, &token_); }
  // Reports ten times the number of each event, and one more in a second place.
  void Count(const CounterSet& set) {
    std::vector<CounterValue> values;
    for (uint32_t place = 0; place < 2; ++place) {
      for (uint32_t i = 0; i < set.count; ++i) {
        values.emplace_back();
        values.back().event = i;
        values.back().value = 10 * set.events[i].event + place;
      }
    }
    pair_.Counted(token_, {}, {}, values.data(), static_cast<uint32_t>(values.size()));
  }
  using Got = std::vector<std::string>;

  KeptUser trace_, tool_;
  SmallGpu gpu_;
  CounterPair pair_;
  uint64_t token_ = 0;
};

TEST_F(CounterPairTest, BothGetTheValuesOfTheirOwnEvents) {
  const CounterSet trace = SetOf({4, 26}), tool = SetOf({30, 4});
  trace_.set = &trace;
  tool_.set = &tool;
  const CounterSet* const both = Choose();
  ASSERT_NE(both, nullptr);
  EXPECT_EQ(both->count, 3u);
  EXPECT_EQ(Choose(), both) << "made once";
  Count(*both);
  EXPECT_EQ(trace_.got, (Got{"2: 0=40 1=260 0=41 1=261"}));
  EXPECT_EQ(tool_.got, (Got{"2: 1=40 0=300 1=41 0=301"}));
}

TEST_F(CounterPairTest, WhoDoesNotChooseAKernelGetsNothing) {
  const CounterSet set = SetOf({4});
  EXPECT_EQ(Choose(), nullptr);
  trace_.set = &set;
  EXPECT_EQ(Choose(), &set);
  Count(set);
  EXPECT_EQ(trace_.got, (Got{"1: 0=40 0=41"}));
  trace_.set = nullptr;
  tool_.set = &set;
  EXPECT_EQ(Choose(), &set);
  pair_.NotCounted(token_, Loss::kBacklog);
  EXPECT_EQ(tool_.got, (Got{"1: kBacklog"}));
  EXPECT_EQ(trace_.got.size(), 1u);
}

TEST_F(CounterPairTest, TheToolHasItsValuesWhereBothDoNotFit) {
  const CounterSet trace = SetOf({1, 2, 3}), tool = SetOf({4, 5});
  trace_.set = &trace;
  tool_.set = &tool;
  EXPECT_EQ(Choose(), &tool);
  Count(tool);
  EXPECT_EQ(trace_.got, (Got{"1: kNotCountable"}));
  EXPECT_EQ(tool_.got, (Got{"1: 0=40 1=50 0=41 1=51"}));
}

TEST_F(CounterPairTest, ALossOfTheKernelIsALossOfBoth) {
  const CounterSet set = SetOf({4});
  trace_.set = tool_.set = &set;
  ASSERT_NE(Choose(), nullptr);
  pair_.NotCounted(token_, Loss::kCoDependent);
  EXPECT_EQ(trace_.got, (Got{"1: kCoDependent"}));
  EXPECT_EQ(tool_.got, (Got{"1: kCoDependent"}));
}

TEST_F(CounterPairTest, SlotsAreUsedAgain) {
  const CounterSet set = SetOf({4});
  trace_.set = tool_.set = &set;
  for (int i = 0; i < 5000; ++i) {
    ASSERT_NE(Choose(), nullptr);
    Count(set);
  }
  EXPECT_EQ(trace_.got.back(), "5000: 0=40 0=41");
  EXPECT_EQ(tool_.got.back(), "5000: 0=40 0=41");
}

}  // namespace
}  // namespace rtl::capture
