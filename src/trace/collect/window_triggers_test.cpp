// SPDX-License-Identifier: MIT
#include "trace/collect/window_triggers.h"

#include <gtest/gtest.h>

#include "model/records.h"

namespace rtl::store {
namespace {

// The longest text of a mark, and an expression that is tried at each of its characters.
TEST(WindowTriggers, SearchLongMarksAndRanges) {
  std::unique_ptr<WindowTriggers> triggers;
  ASSERT_TRUE(WindowTriggers::Make("(a|b)*c", {{.name = "(a|b)*d", .ns = 10}}, &triggers).ok());
  const std::string none(kMaxTextBytes, 'a');
  MarkRecord mark;
  mark.head = {RecordType::kMark, 0, 1};
  const auto look = [&](const auto& record, const std::string& text) {
    return triggers->Look(1, {&record.head, sizeof record, text});
  };
  EXPECT_EQ(look(mark, none), std::nullopt);
  EXPECT_EQ(look(mark, "abc"), "mark \"abc\"");
  RangeBeginRecord begin;
  begin.head = {RecordType::kRangePush, 0, 1};
  RangeEndRecord end;
  end.head = {RecordType::kRangePop, 0, 1};
  end.time = 5000;
  EXPECT_EQ(look(begin, none), std::nullopt);
  EXPECT_EQ(look(end, ""), std::nullopt);
  EXPECT_EQ(look(begin, "abd"), std::nullopt);
  EXPECT_EQ(look(end, ""), "range \"abd\" took 5 us");
}

TEST(WindowTriggers, SayWhatIsWrong) {
  std::unique_ptr<WindowTriggers> triggers;
  EXPECT_STREQ(WindowTriggers::Make(std::string(20'000, '('), {}, &triggers).message() + 100,
               " is not a regular expression: it has too many repetitions, alternatives or groups "
               "in each other");
}

}  // namespace
}  // namespace rtl::store
