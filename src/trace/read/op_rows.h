// SPDX-License-Identifier: MIT
// op_rows.h: reads the rows of rtl_op of one type (kernels, or markers). The table stores a
// row's start relative to its launch; OpRows adds the launch's origin. Only this file knows the
// columns of rtl_op.
//
// Threads    one
// Blocking   file I/O
// Memory     a few pages
// Errors     one line that names the file
#pragma once

#include <cstdint>

#include "base/status.h"
#include "trace/read/common_rows.h"
#include "trace/read/row_sorter.h"
#include "trace/read/table_rows.h"

namespace rtl::query {

enum class OpOrder {
  kSubmit,  // by submission; a row without a time of submission counts with its start
  kStart,
  kStartOuterFirst,  // of two rows that started together, the one that ended later comes first
};

struct OpRow {
  SortKey key;  // key.id is rtl_op.id
  int64_t launch = 0;
  uint64_t start = 0;
  uint64_t duration = 0;
  uint64_t submit = 0;    // 0: not known
  uint64_t sequence = 0;  // `sequence` and `packet` as in the table
  uint64_t packet = 0;
  uint64_t link = 0;
};

// Sums wrap around, unlike SQLite's, because a file may have any values.
class OpRows {
 public:
  using Row = OpRow;

  // `type`: rtl_launch.opType_id. `launches` must outlive the rows.
  Status Open(const TableFile& file, LaunchTable* launches, int64_t type, OpOrder order);
  void Rewind() { rows_.Rewind(); }
  Status CheckCancel() const { return rows_.CheckCancel(); }
  Status Next(OpRow* row, bool* has_row);

 private:
  TableRows rows_;
  LaunchTable* launches_ = nullptr;
  int64_t type_ = 0;
  OpOrder order_ = OpOrder::kStart;
};

}  // namespace rtl::query
