// SPDX-License-Identifier: MIT
#include "cli/counter_choice.h"

#include <gtest/gtest.h>

namespace rtl::cli {
namespace {

TEST(CounterChoiceTest, SaysWhereEachGpuHasACounter) {
  std::string out;
  ASSERT_TRUE(ChooseCounters({"SQ_WAVES,SQ_INSTS_SALU"}, &out).ok());
  EXPECT_EQ(out,
            "gfx900/SQ_WAVES=SQ:4,gfx900/SQ_INSTS_SALU=SQ:30,"
            "gfx906/SQ_WAVES=SQ:4,gfx906/SQ_INSTS_SALU=SQ:30,"
            "gfx908/SQ_WAVES=SQ:4,gfx908/SQ_INSTS_SALU=SQ:31,"
            "gfx90a/SQ_WAVES=SQ:4,gfx90a/SQ_INSTS_SALU=SQ:31");
}

TEST(CounterChoiceTest, TakesEventsByTheirNumber) {
  std::string out;
  ASSERT_TRUE(ChooseCounters({"TCC:20", "Hits=TCC:17"}, &out).ok());
  EXPECT_TRUE(out.starts_with("gfx900/TCC_20=TCC:20,gfx900/Hits=TCC:17,gfx906/")) << out;
}

TEST(CounterChoiceTest, NamesWhatItDoesNotKnow) {
  std::string out;
  EXPECT_STREQ(ChooseCounters({"SQ_WAVES,SQ_WAFES"}, &out).message(),
               "SQ_WAFES is no counter that is known here, nor BLOCK:EVENT (SQ:4)");
  EXPECT_FALSE(ChooseCounters({"SQ:"}, &out).ok());
  EXPECT_TRUE(ChooseCounters({}, &out).ok());
  EXPECT_EQ(out, "");
}

}  // namespace
}  // namespace rtl::cli
