// SPDX-License-Identifier: MIT
#include "cli/base/formats.h"

#include <gtest/gtest.h>

namespace rtl::cli {
namespace {

const char* Chosen(const std::string& word, const std::string& output) {
  const FormatChoice choice = ChooseFormat(word, output);
  return choice.format != nullptr ? choice.format->word : "";
}

TEST(Format, FollowsTheExtension) {
  const char* const kNames[][2] = {
      {"a.pftrace", "pftrace"},
      {"a.pftrace.zst", "pftrace"},
      {"a.perfetto-trace", "pftrace"},
      {"a.json", "chrome"},
      {"a.speedscope.json", "speedscope"},
      {"a.speedscope.json.gz", "speedscope"},
      {".speedscope.json", "chrome"},
      {"a.folded", "folded"},
      {"a.JSON.gz", "chrome"},
      {"a.db", "db"},
      {"a.rpd", "rpd"},
      {"a", "pftrace"},
      {"-", "pftrace"},
      {"dir.json/a", "pftrace"},
      {"/dev/null", "pftrace"},
      {".json", "pftrace"},
      {"a.new.db", "db"},
      {"a.csv", ""},
      {"a.html", ""},
      {"a.csv.gz", ""},
      {"a.json.old", ""},
      {"a.jsonl", ""},
  };
  for (const auto& [name, word] : kNames) EXPECT_STREQ(Chosen("", name), word) << name;
}

TEST(Format, IsRefusedWhenTheNameContradictsIt) {
  EXPECT_STREQ(Chosen("pftrace", "a.json"), "");
  EXPECT_STREQ(Chosen("pftrace", "a.csv"), "");
  EXPECT_STREQ(Chosen("chrome", "a.pftrace.gz"), "");
  EXPECT_STREQ(Chosen("db", "a.rpd"), "");
  EXPECT_STREQ(Chosen("rpd", "a.json"), "");
  EXPECT_STREQ(Chosen("nonsense", "a"), "");
  EXPECT_STREQ(Chosen("rpd", "a.db"), "rpd");
  EXPECT_STREQ(Chosen("chrome", "run.2"), "chrome");
  EXPECT_EQ(ChooseFormat("pftrace", "a.json").complaint,
            "--to pftrace contradicts the name a.json");
}

TEST(Format, OfADatabaseOrATimelineFollowsTheName) {
  for (const char* name : {"a.db", "a", "run.2", "-"}) {
    EXPECT_EQ(ComplaintOfDatabase("-o", name), "") << name;
  }
  for (const char* name : {"a.json", "a.csv", "a.pftrace", "a.rpd", "a.html"}) {
    EXPECT_NE(ComplaintOfDatabase("-o", name), "") << name;
  }
  for (const char* name : {"a.json.gz", "a.pftrace", "a", "run.2"}) {
    EXPECT_EQ(ComplaintOfTimeline("--pftrace", name), "") << name;
  }
  for (const char* name : {"a.db", "a.csv", "a.rpd"}) {
    EXPECT_NE(ComplaintOfTimeline("--pftrace", name), "") << name;
  }
}

}  // namespace
}  // namespace rtl::cli
