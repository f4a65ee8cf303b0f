// SPDX-License-Identifier: MIT
// table_rows.h: integers of a large table of the trace, read without SQL, in the order of its ids.
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

// What reading a table needs of the trace. It outlives the rows.
struct TableFile {
  sqlite3* db = nullptr;
  std::string path;
  btree::DatabaseFile pages;
  const std::atomic<bool>* cancel = nullptr;

  bool WasCancelled() const { return cancel != nullptr && cancel->load(std::memory_order_relaxed); }
};

class TableRows {
 public:
  // The table's id is INTEGER PRIMARY KEY, and `columns` are others, which are found by name.
  Status Open(const TableFile& file, const char* table, std::span<const char* const> columns);
  void Rewind() { scan_.Rewind(); }
  Status Next(bool* has_row) {
    if (++steps_ % kRowsBetweenCancelChecks == 0) RTL_TRY(CheckCancel());
    const Status status = scan_.Next(has_row);
    return status.ok() ? status : Named(status);
  }

  // An error when the reader is cancelled. Next looks now and then.
  Status CheckCancel() const;

  // Of the current row.
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

// What a thread of the host does at one moment.
struct HostWorkRow {
  enum class Kind : uint8_t {
    kOperator = 1,
    kPythonFunction = 2,
    kKernel = 3
  };                    // rtl_operator.kind
  int64_t process = 0;  // rtl_process.id
  uint32_t thread = 0;
  Kind kind = Kind::kOperator;
  int64_t name = 0;       // rocpd_string.id; of a kernel, its own
  uint64_t start = 0;     // of a kernel: of the call that launched it
  uint64_t duration = 0;  // of a kernel: on the GPU
  int64_t inputs = 0;     // of an operator: rocpd_string.id; zero: not known
  int64_t id = 0;         // of an operator that OperatorCursor hands out: rtl_operator.id
};

// A frame on a sampled stack of Python, from the first to the last sample that has it.
struct SampledFrameRow {
  int64_t process = 0;  // rtl_process.id
  uint32_t pid = 0, tid = 0;
  uint64_t start = 0, end = 0;
  int64_t name = 0, file = 0;  // rocpd_string.id
};

}  // namespace rtl::query
