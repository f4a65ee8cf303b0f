// SPDX-License-Identifier: MIT
#include "trace/write/counter_writer.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <string>

#include "model/event_kinds.h"
#include "trace/schema/schema.h"
#include "trace/schema/tables.h"

namespace rtl::store {

Status CounterWriter::Prepare(const Database& database, Strings* strings) {
  strings_ = strings;
  RTL_TRY(value_.Prepare(database, InsertSql(kCounterValueTableDescription)));
  return info_.Prepare(database, InsertSql(kCounterInfoTableDescription));
}

Status CounterWriter::Add(TracedProcess* process, const CounterRecord& record,
                          std::string_view text) {
  int64_t name = 0;
  RTL_TRY(strings_->Intern(CleanText(text), &name));
  if ((record.flags & kCounterFlagLast) != 0)
    ++process->recorded[static_cast<size_t>(EventKind::kCounter)];
  const auto dispatch = static_cast<int64_t>(record.dispatch);
  const auto position = static_cast<int64_t>(record.position);
  const std::optional<int64_t> none;  // NULL: SQLite numbers the row
  if ((record.flags & kCounterFlagReal) != 0)
    return value_.Insert(none, process->row, dispatch, name, position,
                         std::bit_cast<double>(record.value), record.flags);
  return value_.Insert(none, process->row, dispatch, name, position,
                       static_cast<int64_t>(record.value), record.flags);
}

Status CounterWriter::AddInfo(const TracedProcess& process, const CounterInfoRecord& record,
                              std::string_view text) {
  CounterInfoTable row;
  TakeFields(record, &row);
  row.process = process.row;
  for (std::string* part : {&row.name, &row.block, &row.expression, &row.description}) {
    const size_t end = std::min(text.find('\0'), text.size());
    *part = CleanText(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return info_.Add(row);
}

}  // namespace rtl::store
