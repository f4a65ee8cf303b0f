// SPDX-License-Identifier: MIT
// rocpd_table.h: writes a table of a rocpd database that has a row per event, page by page and not
// by SQL (docs/adr/0174-rocpd-without-sql.md).
//
// Threads    one
// Blocking   file I/O
// Errors     one line that names the database
#pragma once

#include <list>
#include <string>
#include <vector>

#include "base/status.h"
#include "btree/row_appender.h"
#include "trace/schema/database.h"

namespace rtl::exporting::tool {

class RocpdTable {
 public:
  // To be called inside the transaction that made the table, which must be empty. `columns`: the
  // columns for which Add passes values, in this order; all other columns have their default
  // values.
  Status Prepare(store::Database* database, const std::string& table, const std::string& columns);
  // From here to Finish no transaction may be open.
  Status Begin(btree::PageFile* file) { return rows_.Begin(file, root_); }
  // HOT. Adds a row with the next number.
  template <typename... Values>
  Status Add(const Values&... values) {
    size_t given = 0;
    ((row_[places_[given++]] = btree::Value(values)), ...);
    return rows_.Append(rows_.last_id() + 1, row_);
  }
  int64_t last_id() const { return rows_.last_id(); }
  Status Finish() { return rows_.Finish(); }
  // To be called in a transaction after Finish. Ensures that the next row that SQLite adds gets the
  // next number.
  Status Close(store::Database* database);

 private:
  std::string table_;
  uint32_t root_ = 0;
  std::vector<size_t> places_;          // positions in a row of the columns that Add passes
  std::vector<btree::Value> row_;       // all columns; the first one is the number
  std::list<std::string> other_texts_;  // default values of columns that Add does not pass
  btree::RowAppender rows_;
};

}  // namespace rtl::exporting::tool
