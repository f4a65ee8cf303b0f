// SPDX-License-Identifier: MIT
#include "cli/summary/summary_tables.h"

#include <gtest/gtest.h>

namespace rtl::cli {
namespace {

Report TwoOfEach() {
  Report report;
  report.file = "t.db";
  for (const char* name : {"one", "two"}) {
    report.summary.kernels.push_back({.name = name, .calls = 1});
    report.apis.push_back({.name = name, .calls = 1});
    report.copies.push_back({.name = name, .copies = 1});
    report.markers.push_back({.name = name, .ranges = 1});
  }
  return report;
}

size_t Count(const std::string& text, const std::string& what) {
  size_t count = 0;
  for (size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += what.size()) ++count;
  return count;
}

TEST(Report, ReportsEveryCutTable) {
  EXPECT_EQ(Count(ReportAsText(TwoOfEach(), 1, 0), "  ... and 1 more (-n 0 prints all)\n"), 4u);
  EXPECT_EQ(Count(ReportAsText(TwoOfEach(), 2, 0), "more"), 0u);
  EXPECT_EQ(Count(ReportAsText(TwoOfEach(), 0, 0), "more"), 0u);
}

TEST(Report, NamesTheOptionThatPrintsAll) {
  Report report = TwoOfEach();
  report.all = "rtl summary -n 0 t.db";
  EXPECT_EQ(Count(ReportAsText(report, 1, 0), "1 more (rtl summary -n 0 t.db prints all)\n"), 4u);
}

}  // namespace
}  // namespace rtl::cli
