// SPDX-License-Identifier: MIT
#include "export/tool/rocpd_table.h"

#include <algorithm>
#include <optional>

namespace rtl::exporting::tool {
namespace {

struct TableColumn {
  std::string name;
  std::optional<std::string> otherwise;  // the default value as an SQL literal
};

Status ColumnsOf(store::Database* database, const std::string& table,
                 std::vector<TableColumn>* out) {
  sqlite3_stmt* statement = nullptr;
  const char* const sql = "SELECT name, dflt_value FROM pragma_table_info(?) ORDER BY cid";
  int step = sqlite3_prepare_v2(database->handle(), sql, -1, &statement, nullptr);
  if (step == SQLITE_OK) {
    // if it fails, the query has no row
    (void)sqlite3_bind_text(statement, 1, table.c_str(), -1, SQLITE_STATIC);
    const auto text = [&](int column) {
      return reinterpret_cast<const char*>(sqlite3_column_text(statement, column));
    };
    while ((step = sqlite3_step(statement)) == SQLITE_ROW) {
      TableColumn& column = out->emplace_back();
      column.name = text(0);
      if (text(1) != nullptr) column.otherwise = text(1);
    }
  }
  const Status result = step == SQLITE_DONE ? Status::Ok() : database->Failure();
  (void)sqlite3_finalize(statement);  // returns the result of the step again
  return result;
}

}  // namespace

Status RocpdTable::Prepare(store::Database* database, const std::string& table,
                           const std::string& columns) {
  table_ = table;
  std::vector<TableColumn> all;
  RTL_TRY(ColumnsOf(database, table, &all));
  for (const TableColumn& column : all) {
    btree::Value& value = row_.emplace_back();
    if (!column.otherwise.has_value()) continue;
    // The defaults in this schema are texts in single quotes, or numbers; columns with numbers are
    // always passed.
    if (!column.otherwise->starts_with("'")) continue;
    value =
        btree::Value(other_texts_.emplace_back(*column.otherwise, 1, column.otherwise->size() - 2));
  }
  for (size_t begin = 0; begin < columns.size();) {
    const size_t end = std::min(columns.find(", ", begin), columns.size());
    const std::string name = columns.substr(begin, end - begin);
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&](const TableColumn& column) { return column.name == name; });
    if (found == all.end()) {
      return Status::Error("cannot write %s: table %s has no column %s", database->shown().c_str(),
                           table.c_str(), name.c_str());
    }
    places_.push_back(static_cast<size_t>(found - all.begin()));
    begin = end + 2;
  }
  return database->RootPage(table.c_str(), &root_);
}

Status RocpdTable::Close(store::Database* database) {
  if (last_id() == 0) return Status::Ok();
  store::Statement sequence;
  RTL_TRY(sequence.Prepare(*database, "INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)"));
  return sequence.Insert(table_, last_id());
}

}  // namespace rtl::exporting::tool
