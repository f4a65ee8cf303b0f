// SPDX-License-Identifier: MIT
#include "trace/write/operator_writer.h"

#include <optional>

#include "trace/schema/schema.h"

namespace rtl::store {

// Most traces have no operators, so the table is made on demand.
Status OperatorWriter::Add(int64_t process, const OperatorSpan& span) {
  if (!has_table_) {
    RTL_TRY(database_->Execute(kOperatorSql));
    RTL_TRY(insert_.Prepare(*database_,
                            "INSERT INTO rtl_operator (process_id, tid, kind, name_id, inputs_id,"
                            " start, duration) VALUES (?, ?, ?, ?, ?, ?, ?)"));
    has_table_ = true;
  }
  int64_t name = 0;
  RTL_TRY(strings_->Intern(span.name, &name));
  std::optional<int64_t> inputs;
  if (!span.inputs.empty()) {
    inputs = 0;
    RTL_TRY(strings_->InternOnce(span.inputs, &*inputs));
  }
  return insert_.Insert(process, span.thread, static_cast<int64_t>(span.kind), name, inputs,
                        span.start, span.end - span.start);
}

}  // namespace rtl::store
