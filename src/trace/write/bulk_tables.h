// SPDX-License-Identifier: MIT
// bulk_tables.h: the tables with a row per event, which are written page by page and not by SQL
// (docs/adr/0118-tables-without-sql.md). SQL sees their rows after Finish.
//
// Threads    one
// Blocking   file I/O
// Memory     a batch of rows for each table
// Errors     of the database
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
  // `database` is being built at `path`, and outlives this object.
  Status Begin(Database* database, const std::string& path);
  // HOT. Rows of rtl_op: launch, start, duration, waited, sequence, packet, link.
  Status AddOp(int64_t id, std::initializer_list<int64_t> values) {
    return ops_.Add(id, values) ? Write(&ops_) : Status::Ok();
  }
  // HOT. Rows of rtl_call: site, start, duration, args_id, op_id. In any order of ids.
  Status AddCall(int64_t id, std::initializer_list<int64_t> values) {
    return calls_.Add(id, values) ? Write(&calls_) : Status::Ok();
  }
  // The table rtl_operator is there; the others are from the begin on.
  Status BeginOperators();
  // Rows of rtl_operator: process_id, tid, kind, name_id, inputs_id, start, duration.
  Status AddOperator(int64_t id, std::initializer_list<int64_t> values) {
    return operators_.Add(id, values) ? Write(&operators_) : Status::Ok();
  }
  // Whether there is a call with this id, and its site.
  Status FindCall(int64_t id, bool* found, int64_t* site) const;
  // Between two rows: switches to large pages once the database has grown.
  Status GrowPages();
  // Writes all rows. No row may be added afterwards. An error when two rows have the same id.
  Status Finish();
  void Close() { file_ = {}; }

 private:
  static constexpr size_t kOpColumns = 7;
  static constexpr size_t kCallColumns = 5;
  static constexpr size_t kOperatorColumns = 7;
  static constexpr size_t kCallsOfBatch = 32768;  // of threads in turns, each with ids of its own

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
  bool is_adopted_ = false;      // since SQLite changed these tables
  bool are_operators_adopted_ = false;
  std::vector<int64_t> repeated_;  // ids of rows that are in no table: an earlier one has theirs
};

}  // namespace rtl::store
