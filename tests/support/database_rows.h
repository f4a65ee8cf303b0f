// SPDX-License-Identifier: MIT
// database_rows.h: the contents of a database, whatever its pages look like.
#pragma once

#include <sqlite3.h>

#include <string>
#include <vector>

namespace rtl::test {

// The values of all rows of `sql`, one line a row. On an error: SQLite's message.
inline std::vector<std::string> RowsOf(sqlite3* database, const std::string& sql) {
  std::vector<std::string> rows;
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(database, sql.c_str(), -1, &statement, nullptr) != SQLITE_OK) {
    return {sqlite3_errmsg(database)};
  }
  while (sqlite3_step(statement) == SQLITE_ROW) {
    std::string& row = rows.emplace_back();
    for (int i = 0; i < sqlite3_column_count(statement); ++i) {
      const void* const bytes = sqlite3_column_blob(statement, i);
      const auto size = static_cast<size_t>(sqlite3_column_bytes(statement, i));
      row += std::to_string(sqlite3_column_type(statement, i)) + ':';
      if (size != 0) row.append(static_cast<const char*>(bytes), size);
      row += '|';
    }
  }
  sqlite3_finalize(statement);
  return rows;
}

// The schema and the rows of each table, in their order.
inline std::vector<std::string> AllRowsOf(const std::string& path) {
  sqlite3* database = nullptr;
  if (sqlite3_open_v2(path.c_str(), &database, SQLITE_OPEN_READONLY, nullptr) != SQLITE_OK) {
    sqlite3_close(database);
    return {"cannot open " + path};
  }
  std::vector<std::string> all =
      RowsOf(database, "SELECT type, name, sql FROM sqlite_schema ORDER BY type, name");
  std::vector<std::string> tables =
      RowsOf(database, "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name");
  for (const std::string& table : tables) {
    const std::string name = table.substr(2, table.size() - 3);  // without "3:" and "|"
    all.push_back(name);
    for (std::string& row : RowsOf(database, "SELECT * FROM \"" + name + '"')) {
      all.push_back(std::move(row));
    }
  }
  sqlite3_close(database);
  return all;
}

}  // namespace rtl::test
