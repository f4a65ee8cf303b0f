// SPDX-License-Identifier: MIT
// packed_ops.h: rtl_op of a packed trace, for SQLite: a virtual table over the blocks of
// rtl_op_block (docs/formats/database.md#packed-traces), so that every query works as in other
// traces. Read-only.
//
// Threads    as its connection
// Memory     the last block that was read, per connection and per open cursor
// Errors     a broken block ends the query with SQLITE_CORRUPT and names the error
#pragma once

#include <sqlite3.h>

namespace rtl::store {

// Lets `database` read packed traces; call it before the first statement. Returns an SQLite result
// code.
int AddPackedOps(sqlite3* database);

// Whether the trace is packed.
bool IsPacked(sqlite3* database);

}  // namespace rtl::store
