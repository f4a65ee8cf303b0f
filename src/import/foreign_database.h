// SPDX-License-Identifier: MIT
// foreign_database.h: an SQLite file of another tool, opened read-only. Only tables are read, by
// name. Views are not, so no SQL of the file is executed.
//
// Threads    one
// Errors     a Status that names the file and SQLite's reason
#pragma once

#include <map>
#include <set>
#include <string>

#include "base/status.h"
#include "trace/read/statement.h"

struct sqlite3;

namespace rtl::import {

class ForeignDatabase {
 public:
  ForeignDatabase() = default;
  ~ForeignDatabase();
  ForeignDatabase(const ForeignDatabase&) = delete;
  ForeignDatabase& operator=(const ForeignDatabase&) = delete;

  // `shown`: the file's name in errors.
  Status Open(const std::string& path, const std::string& shown);
  Status Prepare(const std::string& sql, query::Statement* out);
  // Calls visit(row) with each row of the result. An error that it returns ends the reading.
  template <typename Visit>
  Status Each(const std::string& sql, const Visit& visit) {
    query::Statement rows;
    RTL_TRY(Prepare(sql, &rows));
    for (bool more = true;;) {
      RTL_TRY(rows.Step(&more));
      if (!more) return Status::Ok();
      RTL_TRY(visit(rows));
    }
  }
  // Counts the rows of a table. Zero if there is none.
  Status Count(const std::string& table, uint64_t* rows);

  bool HasTable(const std::string& name) const { return tables_.contains(name); }
  bool HasColumn(const std::string& table, const std::string& column);
  // `column` of the table with this alias, as SQL; NULL if this version of the tool does not have
  // it.
  std::string Column(const std::string& alias, const std::string& table, const std::string& column);
  const std::set<std::string>& tables() const { return tables_; }
  const std::string& shown() const { return shown_; }

 private:
  sqlite3* db_ = nullptr;
  std::string shown_;
  std::set<std::string> tables_;
  // Columns of the tables that have been read.
  std::map<std::string, std::set<std::string>> columns_;
};

// The name in quotes, as SQL needs it.
std::string QuotedName(const std::string& name);

}  // namespace rtl::import
