// SPDX-License-Identifier: MIT
#include "trace/write/operator_writer.h"

#include "trace/schema/schema.h"
#include "trace/schema/tables.h"

namespace rtl::store {

// The table is made when it gets its first row, because most traces have no operators.
Status OperatorWriter::Add(int64_t process, const OperatorSpan& span) {
  if (!has_table_) {
    RTL_TRY(database_->Execute(CreateSql(kOperatorTableDescription).c_str()));
    RTL_TRY(bulk_->BeginOperators());
    has_table_ = true;
  }
  int64_t name = 0;
  RTL_TRY(strings_->Intern(span.name, &name));
  int64_t inputs = btree::kNull;
  if (!span.inputs.empty()) RTL_TRY(strings_->InternOnce(span.inputs, &inputs));
  const auto start = static_cast<int64_t>(span.start);
  return bulk_->AddOperator(++last_, {process, span.thread, static_cast<int64_t>(span.kind), name,
                                      inputs, start, static_cast<int64_t>(span.end) - start});
}

}  // namespace rtl::store
