// SPDX-License-Identifier: MIT
#include "cli/near_miss.h"

#include <gtest/gtest.h>

namespace rtl::cli {
namespace {

TEST(DidYouMean, KnowsSlipsAndWhatOtherToolsSay) {
  const std::vector<std::string> verbs = {"trace", "summary", "info", "convert", "doctor"};
  const char* const kWords[][2] = {
      {"sumary", "summary"},   {"summray", "summary"}, {"trcae", "trace"},  {"Trace", "trace"},
      {"convertt", "convert"}, {"stats", "summary"},   {"record", "trace"}, {"inof", "info"}};
  for (const auto& [word, verb] : kWords) {
    EXPECT_EQ(DidYouMean(word, verbs), std::string(" (did you mean ") + verb + "?)") << word;
  }
  for (const char* word : {"ls", "python3", "x", "", "a_program_with_a_very_long_name"}) {
    EXPECT_EQ(DidYouMean(word, verbs), "") << word;
  }
}

}  // namespace
}  // namespace rtl::cli
