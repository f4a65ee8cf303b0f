// SPDX-License-Identifier: MIT
// store_test_support.h: queries a finished database.
#pragma once

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <string>
#include <vector>

namespace rtl::store {

// The rows of a query, values joined by '|'. Opened read-only, so that nothing is repaired on the
// way.
inline std::vector<std::string> Ask(const std::string& path, const std::string& sql) {
  sqlite3* db = nullptr;
  EXPECT_EQ(sqlite3_open_v2(path.c_str(), &db, SQLITE_OPEN_READONLY, nullptr), SQLITE_OK) << path;
  std::vector<std::string> rows;
  sqlite3_stmt* statement = nullptr;
  EXPECT_EQ(sqlite3_prepare_v2(db, sql.c_str(), -1, &statement, nullptr), SQLITE_OK)
      << sqlite3_errmsg(db);
  while (sqlite3_step(statement) == SQLITE_ROW) {
    std::string row;
    for (int i = 0; i < sqlite3_column_count(statement); ++i) {
      const unsigned char* text = sqlite3_column_text(statement, i);
      if (i != 0) row += '|';
      row += text == nullptr ? "NULL" : reinterpret_cast<const char*>(text);
    }
    rows.push_back(row);
  }
  EXPECT_EQ(sqlite3_finalize(statement), SQLITE_OK) << sqlite3_errmsg(db);
  EXPECT_EQ(sqlite3_close(db), SQLITE_OK);
  return rows;
}

using Rows = std::vector<std::string>;

}  // namespace rtl::store
