// SPDX-License-Identifier: MIT
// packed_ops.h: rtl_op of a packed trace, for SQLite: a virtual table over the blocks of
// rtl_op_block (docs/formats/database.md#packed-traces), so that every query finds the rows where it
// finds them in other traces. Read-only.
//
// Threads    as its connection
// Memory     the last block that was read, per connection and per open cursor
// Errors     a block that is broken ends the query with SQLITE_CORRUPT and says what is wrong
#pragma once

#include <sqlite3.h>

namespace rtl::store {

// Lets `database` read packed traces; to be called before the first statement. Returns a result code
// of SQLite.
int AddPackedOps(sqlite3* database);

// Whether the trace is a packed one.
bool IsPacked(sqlite3* database);

}  // namespace rtl::store
