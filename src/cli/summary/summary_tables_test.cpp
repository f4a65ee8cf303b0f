// SPDX-License-Identifier: MIT
#include "cli/summary/summary_tables.h"

#include <gtest/gtest.h>

namespace rtl::cli {
namespace {

SummaryTables TwoOfEach() {
  SummaryTables tables;
  tables.file = "t.db";
  for (const char* name : {"one", "two"}) {
    tables.summary.kernels.push_back({{}, name, 1});
    tables.apis.push_back({{}, name, 1});
    tables.copies.push_back({{}, name, -1, -1, 1});
    tables.markers.push_back({{}, name, 1});
  }
  return tables;
}

size_t Count(const std::string& text, const std::string& what) {
  size_t count = 0;
  for (size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += what.size()) ++count;
  return count;
}

TEST(SummaryTables, ReportsEveryCutTable) {
  EXPECT_EQ(Count(SummaryAsText(TwoOfEach(), 1, 0), "  ... and 1 more (-n 0 prints all)\n"), 4u);
  EXPECT_EQ(Count(SummaryAsText(TwoOfEach(), 2, 0), "more"), 0u);
  EXPECT_EQ(Count(SummaryAsText(TwoOfEach(), 0, 0), "more"), 0u);
}

TEST(SummaryTables, NamesTheOptionThatPrintsAll) {
  SummaryTables tables = TwoOfEach();
  tables.all = "rtl summary -n 0 t.db";
  EXPECT_EQ(Count(SummaryAsText(tables, 1, 0), "1 more (rtl summary -n 0 t.db prints all)\n"), 4u);
}

}  // namespace
}  // namespace rtl::cli
