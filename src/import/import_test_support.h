// SPDX-License-Identifier: MIT
// import_test_support.h: writes a foreign trace, imports it and asks the database.
#pragma once

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <fstream>
#include <string>
#include <vector>

#include "import/import.h"
#include "tests/support/temp_dir.h"

namespace rtl::import {

class ImportTest : public testing::Test {
 protected:
  std::string Write(const std::string& name, const std::string& text) {
    const std::string path = folder_.path() + "/" + name;
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }
  // The error, or nothing.
  std::string Import(const std::vector<std::string>& files) {
    const Status done = ImportTraces(
        {.inputs = files, .output = folder_.path() + "/out.db", .tool_version = "t"}, &result_);
    found_ = result_.sources;
    written_ = result_.written;
    return done.message();
  }
  // The rows, "a|b" each and a line each.
  std::string Rows(const std::string& sql) {
    sqlite3* db = nullptr;
    EXPECT_EQ(sqlite3_open(written_.c_str(), &db), SQLITE_OK);
    std::string text;
    char* error = nullptr;
    const auto take = [](void* to, int columns, char** values, char**) {
      auto& line = *static_cast<std::string*>(to);
      for (int i = 0; i < columns; ++i) {
        line += std::string(i == 0 ? "" : "|") + (values[i] == nullptr ? "NULL" : values[i]);
      }
      line += "\n";
      return 0;
    };
    EXPECT_EQ(sqlite3_exec(db, sql.c_str(), take, &text, &error), SQLITE_OK) << error;
    sqlite3_free(error);
    sqlite3_close(db);
    return text;
  }

  test::TempDir folder_;
  ImportResult result_;
  std::vector<ImportedSource> found_;
  std::string written_;
};

}  // namespace rtl::import
