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
#include <string>

#include "base/status.h"
#include "btree/table_builder.h"
#include "store/database.h"

namespace rtl::store {

class BulkTables {
 public:
  // `database` is being built at `path`, and outlives this object.
  Status Begin(Database* database, const std::string& path);
  // HOT. Rows of rtl_op: launch, start, duration, waited, sequence, packet, link.
  Status AddOp(int64_t id, std::initializer_list<int64_t> values) {
    return ops_.Add(id, values) ? Write() : Status::Ok();
  }
  // Between two rows: switches to large pages once the database has grown.
  Status GrowPages();
  // Writes all rows. No row may be added afterwards.
  Status Finish();
  void Close() { file_ = {}; }

 private:
  static constexpr size_t kOpColumns = 7;

  Status Adopt();
  Status Write();
  Status WriteAll(bool finish);

  Database* database_ = nullptr;
  btree::PageFile file_;
  btree::TableBuilder ops_{kOpColumns};
};

}  // namespace rtl::store
