// SPDX-License-Identifier: MIT
// row_order.h: facts about the rows of operations that save sorting or reading them.
//
// Blocking   reads the database
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <string>

#include "base/status.h"

namespace rtl::query {

// Whether the operations of this type lie in the order of their submission, as those of one queue
// do. A few rows mostly suffice to see that they do not.
Status LieInOrder(sqlite3* db, const std::string& path, int64_t type, bool* out);

// Whether there are operations of this type.
Status HasOperations(sqlite3* db, const std::string& path, int64_t type, bool* out);

}  // namespace rtl::query
