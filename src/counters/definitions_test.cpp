// SPDX-License-Identifier: MIT
#include "counters/definitions.h"

#include <gtest/gtest.h>

#include <string>

#include "counters/words.h"

namespace rtl::counters {
namespace {

constexpr char kNew[] = R"(rocprofiler-sdk:
  counters-schema-version: 1
  counters:
  - name: WAVES
    description: 'Waves: all'
    properties: []
    definitions:
    - architectures:
      - gfx906
      - gfx90a
      block: SQ
      event: 4
    - architectures: [gfx942]
      expression: reduce(OTHER,
        sum)
)";
constexpr char kOld[] = R"(WAVES:
  architectures:
    gfx906/gfx90a:
      block: SQ
      event: 4
    gfx942:
      description: Of this one
      expression: reduce(OTHER, sum)
  description: 'Waves: all'
)";

TEST(CounterDefinitionsTest, ReadsBothSchemas) {
  for (const char* text : {kNew, kOld}) {
    Definitions known;
    ASSERT_STREQ(known.Append(text, "file").message(), "");
    EXPECT_EQ(known.count(), 2u);
    const Definition* const event = known.Find("gfx90a", "WAVES");
    ASSERT_NE(event, nullptr);
    EXPECT_EQ(event, known.Find("gfx906", "WAVES"));
    EXPECT_EQ(event->block, "SQ");
    EXPECT_EQ(event->event, 4u);
    EXPECT_EQ(event->description, "Waves: all");
    EXPECT_FALSE(event->derived());
    const Definition* const derived = known.Find("gfx942", "WAVES");
    ASSERT_NE(derived, nullptr);
    EXPECT_EQ(derived->expression, "reduce(OTHER, sum)");
    EXPECT_TRUE(derived->derived());
    EXPECT_EQ(known.Find("gfx1030", "WAVES"), nullptr);
    EXPECT_TRUE(known.KnowsGpu("gfx942"));
    EXPECT_FALSE(known.KnowsGpu("gfx94"));
  }
}

TEST(CounterDefinitionsTest, ALaterDefinitionTakesThePlaceOfOneBefore) {
  Definitions known;
  ASSERT_TRUE(known.Append(kNew, "a").ok());
  ASSERT_TRUE(
      known.Append("WAVES:\n  architectures:\n    gfx906: {block: SQ, event: 9}\n", "b").ok());
  EXPECT_EQ(known.Find("gfx906", "WAVES")->event, 9u);
  EXPECT_EQ(known.Find("gfx906", "WAVES")->origin, "b");
  EXPECT_EQ(known.Find("gfx90a", "WAVES")->event, 4u);
  EXPECT_FALSE(known.IsCurrent("gfx906", known.at(1)));
  EXPECT_TRUE(known.IsCurrent("gfx90a", known.at(1)));
}

TEST(CounterDefinitionsTest, TakesNothingOfATextThatItCannotRead) {
  const auto problem = [](const std::string& text) {
    Definitions known;
    const Status read = known.Append(text, "file");
    EXPECT_EQ(known.count(), 0u) << text;
    return std::string(read.message());
  };
  EXPECT_EQ(problem("A: {architectures: {gfx906: {block: SQ, event: 4}}}\nB: {architectures: "
                    "{gfx906: {block: SQ}}}"),
            "line 2: block and event are missing, and so is expression");
  EXPECT_EQ(problem("A: {architectures: {gfx906: {block: SQ, event: x}}}"),
            "line 1: event is no number");
  EXPECT_EQ(problem("A: {architectures: {gfx906: {block: SQ, event: 1, expression: B}}}"),
            "line 1: a counter is an event of a block or an expression, not both");
  EXPECT_EQ(problem("rocprofiler-sdk: {counters-schema-version: 2, counters: []}"),
            "line 1: this is not schema 1 of counters, the only one with a number");
  EXPECT_EQ(problem("rocprofiler-sdk:\n  counters:\n  - description: x\n"),
            "line 3: a counter has no name");
  EXPECT_EQ(problem("- a\n"), "it is not a mapping of counters");
}

TEST(CounterDefinitionsTest, TakesACounterOfTheToolsOwn) {
  Definitions known;
  const Definition* made = nullptr;
  ASSERT_TRUE(known.Define("gfx906", "Mine", "1+1", "two", &made).ok());
  EXPECT_EQ(known.Find("gfx906", "Mine"), made);
  EXPECT_EQ(made->number, 1u);
  EXPECT_FALSE(known.Define("gfx906", "not a name", "1", "", &made).ok());
}

TEST(CounterDefinitionsTest, KnowsTheBuiltInCounters) {
  Definitions known;
  ASSERT_TRUE(known.Append(BuiltInText(), {}).ok());
  EXPECT_EQ(known.Find("gfx906", "SQ_WAVES")->event, 4u);
  EXPECT_EQ(known.Find("gfx90a", "SQ_INSTS_SALU")->event, 56u);
  EXPECT_EQ(known.Find("gfx906", "TCC_HIT")->event, 20u);
  EXPECT_TRUE(known.Find("gfx90a", "OccupancyPercent")->derived());
}

TEST(CounterWordsTest, NamesAGpuThatNeedNotBeThere) {
  Word word;
  ASSERT_TRUE(ReadWord("SQ_CYCLES:device=16384", &word).ok());
  EXPECT_EQ(word.name, "SQ_CYCLES");
  EXPECT_TRUE(word.IsFor(16384));
  EXPECT_FALSE(word.IsFor(0));
  EXPECT_FALSE(ReadWord("SQ_CYCLES:device=-1", &word).ok());
  EXPECT_FALSE(ReadWord("SQ_CYCLES:device=10000000000", &word).ok());
}

TEST(CounterWordsTest, ReadsWordsAndKeepsBracketsTogether) {
  std::string_view rest = "SQ_WAVES, TCC:20\nX=reduce(A,sum)/2,,Y=SQ:4";
  EXPECT_EQ(NextWord(&rest), "SQ_WAVES");
  EXPECT_EQ(NextWord(&rest), "TCC:20");
  EXPECT_EQ(NextWord(&rest), "X=reduce(A,sum)/2");
  EXPECT_EQ(NextWord(&rest), "Y=SQ:4");
  EXPECT_EQ(NextWord(&rest), "");
  Word word;
  ASSERT_TRUE(ReadWord("X = reduce(A,sum)/2", &word).ok());
  EXPECT_EQ(word.name, "X");
  EXPECT_EQ(word.expression, "reduce(A,sum)/2");
  ASSERT_TRUE(ReadWord("Y=TCC:20", &word).ok());
  EXPECT_EQ(word.block, "TCC");
  EXPECT_EQ(word.event, 20u);
  EXPECT_TRUE(ReadWord("SQ:1023", &word).ok());
  EXPECT_FALSE(ReadWord("SQ:1024", &word).ok());
  EXPECT_STREQ(ReadWord("1A", &word).message(),
               "1A: neither the name of a counter nor BLOCK:EVENT (SQ:4)");
  EXPECT_STREQ(ReadWord("A=", &word).message(),
               "A=: BLOCK:EVENT or an expression is missing behind the =");
  EXPECT_STREQ(ReadWord("A=SQ:x", &word).message(), "A=SQ:x: BLOCK:EVENT has a number (SQ:4)");
}

}  // namespace
}  // namespace rtl::counters
