// SPDX-License-Identifier: MIT
#include "cli/base/counter_choice.h"

#include <gtest/gtest.h>

#include <fstream>

namespace rtl::cli {
namespace {

std::string Chosen(const std::vector<std::string>& words, const std::string& file = "") {
  counters::Definitions known;
  if (const Status read = ReadDefinitions(file, &known); !read.ok()) return read.message();
  std::string out;
  const Status chosen = ChooseCounters(words, known, &out);
  return chosen.ok() ? out : chosen.message();
}

TEST(CounterChoiceTest, TakesNamesEventsAndExpressions) {
  EXPECT_EQ(Chosen({"SQ_WAVES,VALUInsts", "TCC:20", " Hits=TCC:17 "}),
            "SQ_WAVES,VALUInsts,TCC:20,Hits=TCC:17");
  EXPECT_EQ(Chosen({"PerWave=reduce(SQ_INSTS_VALU,sum)/reduce(SQ_WAVES,sum),SQ_WAVES"}),
            "PerWave=reduce(SQ_INSTS_VALU,sum)/reduce(SQ_WAVES,sum),SQ_WAVES");
  EXPECT_EQ(Chosen({}), "");
}

TEST(CounterChoiceTest, NamesAnUnknownWord) {
  EXPECT_EQ(Chosen({"SQ_WAVES,SQ_WAFES"}),
            "SQ_WAFES is neither a known counter (rtl counters list) nor BLOCK:EVENT (SQ:4)");
  EXPECT_EQ(Chosen({"SQ:"}), "SQ:: neither the name of a counter nor BLOCK:EVENT (SQ:4)");
  EXPECT_EQ(Chosen({"A=1+"}), "A: a number, a name or \"(\" is expected at character 3 of \"1+\"");
}

TEST(CounterChoiceTest, TakesGroups) {
  counters::Definitions known;
  ASSERT_TRUE(ReadDefinitions("", &known).ok());
  std::string out;
  ASSERT_TRUE(ChooseGroups({"SQ_WAVES,TCC:20", "VALUInsts"}, known, &out).ok());
  EXPECT_EQ(out, "SQ_WAVES,TCC:20;VALUInsts");
  EXPECT_STREQ(ChooseGroups({"SQ_WAVES", " ,"}, known, &out).message(), "no counter is named");
  EXPECT_STREQ(ChooseGroups({"SQ_WAVES", "SQ_WAFES"}, known, &out).message(),
               "SQ_WAFES is neither a known counter (rtl counters list) nor BLOCK:EVENT (SQ:4)");
  EXPECT_STREQ(ChooseGroups(std::vector<std::string>(33, "SQ_WAVES"), known, &out).message(),
               "more than 32 groups of counters");
  EXPECT_EQ(out, "SQ_WAVES,TCC:20;VALUInsts");
}

TEST(CounterChoiceTest, KnowsTheCountersOfAFile) {
  const std::string path = testing::TempDir() + "counter_choice_test.yaml";
  std::ofstream(path)
      << "Mine:\n  architectures:\n    gfx906/gfx90a:\n      expression: SQ_WAVES*2\n";
  EXPECT_EQ(Chosen({"Mine"}, path), "Mine");
  std::ofstream(path) << "Mine:\n  architectures: 3\n";
  EXPECT_EQ(Chosen({"Mine"}, path), path + ": line 2: a counter has no mapping of architectures");
}

}  // namespace
}  // namespace rtl::cli
