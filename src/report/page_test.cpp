// SPDX-License-Identifier: MIT
#include "report/page.h"

#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <fstream>
#include <iterator>
#include <random>

#include "trace/read/query_test_support.h"

namespace rtl::report {
namespace {

using query::ExpectOk;
using query::OpenTrace;
using query::TestTrace;

std::string Contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class PageTest : public testing::Test {
 protected:
  PageTest() : trace_(path_) {
    trace_.Queue(0);
    trace_.Kernel("_Z4stepPf");
  }
  // The page, and its model.
  std::string Make(size_t most_bytes = kMostBytes) {
    trace_.Finish();
    const std::string page = dir_.File("page.html");
    ExpectOk(WritePage(*OpenTrace(path_), page, nullptr, {.most_bytes = most_bytes}));
    std::string text = Contents(page);
    const std::string begin = "id=\"model\">";
    const size_t at = text.find(begin) + begin.size();
    model_.Parse(text.substr(at, text.find("</script>", at) - at).c_str());
    EXPECT_FALSE(model_.HasParseError());
    return text;
  }

  test::TempDir dir_;
  std::string path_ = dir_.File("trace.db");
  TestTrace trace_;
  rapidjson::Document model_;
};

TEST_F(PageTest, HasRowsTablesAndTheVerdict) {
  trace_.Add({.submit = 500, .start = 1000, .end = 2000});
  trace_.Push(101, 2100, "load \"x\"");
  trace_.Pop(101, 4500);
  trace_.Add({.submit = 4000, .start = 5000, .end = 6000});
  const std::string page = Make();
  EXPECT_EQ(page.find('@' + std::string("MODEL@")), std::string::npos);
  ASSERT_EQ(model_["gpus"].Size(), 1u);
  EXPECT_EQ(model_["gpus"][0]["idle"].GetUint64(), 3000u);
  EXPECT_EQ(model_["gpus"][0]["gaps"].GetUint64(), 1u);
  EXPECT_STREQ(model_["rows"][0]["role"].GetString(), "idle");
  EXPECT_EQ(model_["kernels"].Size(), 1u);
  EXPECT_STREQ(model_["kernels"][0][0].GetString(), "step(float*)");
  EXPECT_EQ(model_["kernels"][0][1].GetUint64(), 2u);
  EXPECT_STREQ(model_["ranges"][0][0].GetString(), "load \"x\"");
  EXPECT_EQ(model_["latency"]["queue"].Size(), 2u) << "500 and 1000 ns";
  EXPECT_EQ(model_["resolutions"][0].GetUint64(), 0u);
}

TEST_F(PageTest, SharesCountTheRowsThatAreNotOnThePage) {
  for (uint64_t i = 0; i < 5001; ++i) {
    trace_.Push(101, 1000 * (i + 1), "step " + std::to_string(i));
    trace_.Pop(101, 1000 * (i + 1) + 10);
  }
  Make();
  EXPECT_EQ(model_["ranges"].Size(), 5000u);
  EXPECT_EQ(model_["ranges_total"].GetUint64(), 50'010u);
  EXPECT_EQ(model_["kernels_total"].GetUint64(), 0u);
}

TEST_F(PageTest, NoTextOfATraceEndsTheScript) {
  trace_.Add({.submit = 500, .start = 1000, .end = 2000});
  trace_.Mark(101, 1500, "</script><script>alert(1)//");
  const std::string page = Make();
  EXPECT_EQ(page.find("<script>alert"), std::string::npos);
  EXPECT_STREQ(model_["ranges"][0][0].GetString(), "</script><script>alert(1)//");
}

TEST_F(PageTest, WritesAPageForAnEmptyTrace) {
  Make();
  EXPECT_EQ(model_["gpus"].Size(), 0u);
  EXPECT_EQ(model_["elapsed"].GetUint64(), 0u);
}

TEST_F(PageTest, StaysWithinTheLimitAndReportsMergedSlices) {
  std::mt19937_64 dice(1);
  for (uint64_t i = 0; i < 50'000; ++i) {
    const uint64_t start = 10'000 + i * 2000 + dice() % 700;
    trace_.Add({.submit = start - 1000, .start = start, .end = start + 900 + dice() % 300});
  }
  const std::string page = Make(100'000);
  const std::string begin = "id=\"rows\">";
  const size_t at = page.find(begin) + begin.size();
  EXPECT_LE(page.find("</script>", at) - at, 100'000u);
  EXPECT_GT(model_["resolutions"][0].GetUint64(), 0u);
  EXPECT_EQ(model_["kernels"][0][1].GetUint64(), 50'000u) << "tables count everything";
}

}  // namespace
}  // namespace rtl::report
