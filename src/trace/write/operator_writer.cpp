// SPDX-License-Identifier: MIT
#include "trace/write/operator_writer.h"

#include <optional>

#include "trace/schema/schema.h"
#include "trace/schema/tables.h"

namespace rtl::store {

// Most traces have no operators, so the table is made on demand.
Status OperatorWriter::Add(int64_t process, const OperatorSpan& span) {
  if (!has_table_) {
    RTL_TRY(database_->Execute(CreateSql(kOperatorTableDescription).c_str()));
    RTL_TRY(insert_.Prepare(*database_, InsertSql(kOperatorTableDescription)));
    has_table_ = true;
  }
  OperatorTable row;
  row.process = process;
  row.tid = span.thread;
  row.kind = static_cast<int64_t>(span.kind);
  RTL_TRY(strings_->Intern(span.name, &row.name));
  if (!span.inputs.empty()) {
    row.inputs = 0;
    RTL_TRY(strings_->InternOnce(span.inputs, &*row.inputs));
  }
  row.start = span.start;
  row.duration = span.end - span.start;
  return insert_.Add(row);
}

}  // namespace rtl::store
