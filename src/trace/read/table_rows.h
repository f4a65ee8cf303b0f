// SPDX-License-Identifier: MIT
// table_rows.h: reads integers of a large table of the trace without SQL, in the order of the
// table's ids.
//
// Threads    one
// Blocking   file I/O
// Memory     a few pages
// Errors     one line that names the file; stops soon after the reader is cancelled
// Why        docs/adr/0120-reading-without-sql.md
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "base/status.h"
#include "btree/database_file.h"
#include "btree/table_scan.h"

struct sqlite3;

namespace rtl::query {

// Everything that is needed to read a table of the trace. Must outlive the rows.
struct TableFile {
  sqlite3* db = nullptr;
  std::string path;
  btree::DatabaseFile pages;
  const std::atomic<bool>* cancel = nullptr;

  bool WasCancelled() const { return cancel != nullptr && cancel->load(std::memory_order_relaxed); }
};

class TableRows {
 public:
  // The table's id must be INTEGER PRIMARY KEY. `columns`: the names of the other columns to read.
  Status Open(const TableFile& file, const char* table, std::span<const char* const> columns);
  void Rewind() { scan_.Rewind(); }
  Status Next(bool* has_row) {
    if (++steps_ % kRowsBetweenCancelChecks == 0) RTL_TRY(CheckCancel());
    const Status status = scan_.Next(has_row);
    return status.ok() ? status : Named(status);
  }

  // Returns an error if the reader is cancelled. Next calls it now and then.
  Status CheckCancel() const;

  // The values of the current row.
  int64_t id() const { return scan_.row_id(); }
  int64_t Int(size_t column) const { return scan_.Int(column); }  // 0 for NULL
  uint64_t Unsigned(size_t column) const { return static_cast<uint64_t>(Int(column)); }
  bool IsNull(size_t column) const { return scan_.IsNull(column); }

 private:
  static constexpr uint32_t kRowsBetweenCancelChecks = 4096;

  Status Named(const Status& status) const;

  const TableFile* file_ = nullptr;
  btree::TableScan scan_;
  uint32_t steps_ = 0;
};

}  // namespace rtl::query
