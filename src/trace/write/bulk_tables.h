// SPDX-License-Identifier: MIT
// bulk_tables.h: writes the tables with a row per event, page by page and not by SQL
// (docs/adr/0118-tables-without-sql.md). SQL sees their rows after Finish.
//
// Threads    one
// Blocking   file I/O
// Memory     a batch of rows for each table
// Errors     those of the database
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"
#include "btree/table_builder.h"
#include "trace/schema/database.h"

namespace rtl::store {

class BulkTables {
 public:
  // `database`: is being built at `path`, and must outlive this object.
  Status Begin(Database* database, const std::string& path);
  // HOT. Rows of rtl_op: launch, start, duration, waited, sequence, packet, link.
  Status AddOp(int64_t id, std::initializer_list<int64_t> values) {
    return ops_.Add(id, values) ? Write(&ops_) : Status::Ok();
  }
  // HOT. Rows of rtl_call: site, start, duration, args_id, op_id. The ids may come in any order.
  Status AddCall(int64_t id, std::initializer_list<int64_t> values) {
    return calls_.Add(id, values) ? Write(&calls_) : Status::Ok();
  }
  // Called when the table rtl_operator exists. The other tables exist from the beginning.
  Status BeginOperators();
  // Rows of rtl_operator: process_id, tid, kind, name_id, inputs_id, start, duration.
  Status AddOperator(int64_t id, std::initializer_list<int64_t> values) {
    return operators_.Add(id, values) ? Write(&operators_) : Status::Ok();
  }
  // *found is true if there is a call with this id; *site is then the call's site.
  Status FindCall(int64_t id, bool* found, int64_t* site) const;
  // Called between two rows: changes to large pages if the database has grown.
  Status GrowPages();
  // Writes all rows; none may be added afterwards. Returns an error if two rows have the same id.
  Status Finish();
  void Close() { file_ = {}; }

 private:
  static constexpr size_t kOpColumns = 7;
  static constexpr size_t kCallColumns = 5;
  static constexpr size_t kOperatorColumns = 7;
  // large, because calls of several threads alternate, and each thread has a range of ids
  static constexpr size_t kCallsOfBatch = 32768;

  Status FindRoots();
  Status Adopt();
  Status Write(btree::TableBuilder* full);
  Status WriteAll(bool finish);
  Status WriteTables(std::span<btree::TableBuilder* const> tables, bool finish);

  Database* database_ = nullptr;
  btree::PageFile file_;
  btree::TableBuilder ops_{kOpColumns};
  btree::TableBuilder calls_{kCallColumns, kCallsOfBatch};
  btree::TableBuilder operators_{kOperatorColumns};
  uint32_t ops_root_ = 0;
  uint32_t calls_root_ = 0;
  uint32_t operators_root_ = 0;  // zero: there is no such table
  bool is_adopted_ = false;      // true until SQLite changes these tables
  bool are_operators_adopted_ = false;
  // ids of rows that were dropped, because an earlier row has the same id
  std::vector<int64_t> repeated_;
};

}  // namespace rtl::store
