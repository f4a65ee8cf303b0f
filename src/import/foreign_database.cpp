// SPDX-License-Identifier: MIT
#include "import/foreign_database.h"

#include <sqlite3.h>

#include "trace/read/trace_file.h"

namespace rtl::import {

ForeignDatabase::~ForeignDatabase() {
  // Open statements keep the connection alive.
  (void)sqlite3_close_v2(db_);
}

Status ForeignDatabase::Open(const std::string& path, const std::string& shown) {
  shown_ = shown;
  RTL_TRY(query::CheckTraceFile(path));
  RTL_TRY(query::OpenDatabase(path, &db_));
  return Each("SELECT name FROM sqlite_master WHERE type = 'table'", [&](const auto& row) {
    tables_.insert(query::Copy(row.Text(0)));
    return Status::Ok();
  });
}

Status ForeignDatabase::Prepare(const std::string& sql, query::Statement* out) {
  return out->Prepare(db_, shown_, sql.c_str());
}

Status ForeignDatabase::Count(const std::string& table, uint64_t* rows) {
  *rows = 0;
  return Each("SELECT count(*) FROM " + QuotedName(table), [&](const query::Statement& row) {
    *rows = row.Unsigned(0);
    return Status::Ok();
  });
}

bool ForeignDatabase::HasColumn(const std::string& table, const std::string& column) {
  const auto [known, is_new] = columns_.try_emplace(table);
  if (!is_new) return known->second.contains(column);
  query::Statement columns;
  const Status prepared = Prepare("SELECT name FROM pragma_table_info(?1)", &columns);
  if (!prepared.ok() || !columns.Bind(1, std::string_view(table)).ok()) return false;
  bool more = true;
  while (more) {
    // The query that needs the column reports the error.
    if (!columns.Step(&more).ok()) return false;
    if (more) known->second.insert(query::Copy(columns.Text(0)));
  }
  return known->second.contains(column);
}

std::string ForeignDatabase::Column(const std::string& alias, const std::string& table,
                                    const std::string& column) {
  return HasColumn(table, column) ? alias + "." + QuotedName(column) : "NULL";
}

std::string QuotedName(const std::string& name) {
  std::string quoted = "\"";
  for (const char c : name) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

}  // namespace rtl::import
