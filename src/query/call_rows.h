// SPDX-License-Identifier: MIT
// call_rows.h: the rows of rtl_call: times and sites of API calls. The one place that knows its
// columns.
//
// Threads    one
// Blocking   file I/O
// Memory     a few pages
// Errors     one line that names the file
#pragma once

#include <cstdint>

#include "base/status.h"
#include "query/row_sorter.h"
#include "query/table_rows.h"

namespace rtl::query {

struct CallRow {
  SortKey key;  // start; of two that began together, the one that ended later comes first; id
  int64_t site = 0;

  uint64_t start() const { return static_cast<uint64_t>(key.time); }
  uint64_t duration() const { return static_cast<uint64_t>(~key.then); }
};

class CallRows {
 public:
  using Row = CallRow;

  Status Open(const TableFile& file);
  void Rewind() { rows_.Rewind(); }
  Status Next(CallRow* row, bool* has_row);

 private:
  TableRows rows_;
};

}  // namespace rtl::query
