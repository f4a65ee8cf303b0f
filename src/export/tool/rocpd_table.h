// SPDX-License-Identifier: MIT
// rocpd_table.h: a table of a rocpd database with a row per event, which is written page by page
// and not by SQL (docs/adr/0174-rocpd-without-sql.md).
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
  // Inside the transaction that made the table, which is empty. `columns`: those that Add gives,
  // in its order; the others keep the values that their declarations say.
  Status Prepare(store::Database* database, const std::string& table, const std::string& columns);
  // From here to Finish no transaction is open.
  Status Begin(btree::PageFile* file) { return rows_.Begin(file, root_); }
  // HOT. A row with the next number.
  template <typename... Values>
  Status Add(const Values&... values) {
    size_t given = 0;
    ((row_[places_[given++]] = btree::Value(values)), ...);
    return rows_.Append(rows_.last_id() + 1, row_);
  }
  int64_t last_id() const { return rows_.last_id(); }
  Status Finish() { return rows_.Finish(); }
  // In a transaction after Finish. SQLite's next row gets the next number.
  Status Close(store::Database* database);

 private:
  std::string table_;
  uint32_t root_ = 0;
  std::vector<size_t> places_;          // of the given columns in a row
  std::vector<btree::Value> row_;       // of all columns; the first is the number
  std::list<std::string> other_texts_;  // values of the columns that are not given
  btree::RowAppender rows_;
};

}  // namespace rtl::exporting::tool
