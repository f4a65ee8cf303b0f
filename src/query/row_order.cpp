// SPDX-License-Identifier: MIT
#include "query/row_order.h"

#include "query/statement.h"

namespace rtl::query {

Status LieInOrder(sqlite3* db, const std::string& path, int64_t type, bool* out) {
  Statement rows;
  RTL_TRY(rows.Prepare(db, path,
                       "SELECT l.origin + o.start - CASE WHEN o.waited > 0 THEN o.waited ELSE 0 END"
                       " FROM rtl_op o CROSS JOIN rtl_launch l ON l.id = o.launch"
                       " WHERE l.opType_id = ?1 ORDER BY o.id"));
  RTL_TRY(rows.Bind(1, type));
  int64_t last = INT64_MIN;
  for (bool has_row = false;;) {
    RTL_TRY(rows.Step(&has_row));
    *out = !has_row || rows.Int(0) >= last;
    if (!has_row || !*out) return Status::Ok();
    last = rows.Int(0);
  }
}

Status HasOperations(sqlite3* db, const std::string& path, int64_t type, bool* out) {
  Statement row;
  RTL_TRY(row.Prepare(db, path, "SELECT 1 FROM rtl_launch WHERE opType_id = ?1 LIMIT 1"));
  RTL_TRY(row.Bind(1, type));
  return row.Step(out);
}

}  // namespace rtl::query
