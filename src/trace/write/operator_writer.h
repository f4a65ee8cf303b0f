// SPDX-License-Identifier: MIT
// operator_writer.h: writes the table of what a framework does on the host: its operators, and the
// Python functions that call them. How they are nested follows from their times on a thread.
//
// Memory     a batch of rows (bulk_tables.h)
// Limits     only for a new trace, because ids begin with 1
#pragma once

#include <cstdint>
#include <string_view>

#include "base/status.h"
#include "trace/schema/database.h"
#include "trace/schema/strings.h"
#include "trace/write/bulk_tables.h"

namespace rtl::store {

// The values of rtl_operator.kind.
enum class OperatorKind : uint8_t { kOperator = 1, kPythonFunction = 2 };

struct OperatorSpan {
  OperatorKind kind = OperatorKind::kOperator;
  uint32_t thread = 0;
  std::string_view name;
  std::string_view inputs;  // shapes and types; empty: not known
  uint64_t start = 0, end = 0;
};

class OperatorWriter {
 public:
  void Use(Database* database, BulkTables* bulk, Strings* strings) {
    database_ = database;
    bulk_ = bulk;
    strings_ = strings;
  }
  // `process`: rtl_process.id.
  Status Add(int64_t process, const OperatorSpan& span);

 private:
  Database* database_ = nullptr;
  BulkTables* bulk_ = nullptr;
  Strings* strings_ = nullptr;
  bool has_table_ = false;
  int64_t last_ = 0;  // id of the last row
};

}  // namespace rtl::store
