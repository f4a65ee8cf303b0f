// SPDX-License-Identifier: MIT
// sql.h: a prepared statement that finalizes itself.
#pragma once

#include <sqlite3.h>

#include <memory>

namespace rtl::exporting {

struct FinalizeStatement {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Sql = std::unique_ptr<sqlite3_stmt, FinalizeStatement>;

}  // namespace rtl::exporting
