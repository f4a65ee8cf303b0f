// SPDX-License-Identifier: MIT
// call_rows.h: reads the rows of rtl_call together with the row of rocpd_copyapi for the same call.
// Only this file knows the columns of both tables.
//
// Threads    one
// Blocking   file I/O
// Memory     a few pages
// Errors     one line that names the file
#pragma once

#include <cstdint>

#include "base/status.h"
#include "trace/read/row_sorter.h"
#include "trace/read/table_rows.h"

namespace rtl::query {

struct CallRow {
  // start; of two calls that began together, the one that ended later comes first; then id
  SortKey key;
  int64_t site = 0;
  int64_t arguments = 0;
  uint64_t copied = 0;     // in bytes; 0: the call does not copy, or not known
  int32_t copy_kind = -1;  // -1: the call does not copy, or not known

  uint64_t start() const { return static_cast<uint64_t>(key.time); }
  uint64_t end() const { return start() + static_cast<uint64_t>(~key.then); }
};

enum class CallCopies { kNone, kRead };

class CallRows {
 public:
  using Row = CallRow;

  Status Open(const TableFile& file, CallCopies copies);
  void Rewind();
  Status CheckCancel() const { return rows_.CheckCancel(); }
  Status Next(CallRow* row, bool* has_row);

 private:
  Status FindCopy(CallRow* row);

  TableRows rows_;
  // The copies, in the order of the calls' ids, so that both tables are read in parallel.
  TableRows copies_;
  bool is_at_start_ = true;  // no copy has been read yet
  bool has_copy_ = false;
  bool with_copies_ = false;
};

}  // namespace rtl::query
