// SPDX-License-Identifier: MIT
#include "cli/base/near_miss.h"

#include <gtest/gtest.h>

namespace rtl::cli {
namespace {

TEST(DidYouMean, FindsTypingErrorsAndOtherToolsNames) {
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

TEST(DidYouMean, FindsTheReportsOfNsys) {
  const auto meant = [](const std::vector<std::string>& words) { return DidYouMeanReport(words); };
  EXPECT_EQ(meant({"stats", "--report", "cuda_gpu_kern_sum", "x.db"}), " (did you mean summary?)");
  EXPECT_EQ(meant({"stats", "--report=hip_api_sum"}), " (did you mean summary?)");
  EXPECT_EQ(meant({"stats", "-r", "cuda_kern_exec_sum"}), " (did you mean summary --launch?)");
  EXPECT_EQ(meant({"stats", "-r", "nvtx_kern_sum"}), " (did you mean summary --range NAME?)");
  EXPECT_EQ(meant({"stats", "-r", "cuda_gpu_trace"}), " (did you mean convert --to csv?)");
  EXPECT_EQ(meant({"recipe", "gpu_gaps"}), " (did you mean analyze?)");
  EXPECT_EQ(meant({"stats", "x.db"}), "");
}

}  // namespace
}  // namespace rtl::cli
