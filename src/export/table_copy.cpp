// SPDX-License-Identifier: MIT
#include "export/table_copy.h"

#include <algorithm>

#include "export/sql.h"
#include "query/error.h"
#include "query/statement.h"
#include "query/trace_file.h"
#include "store/op_batch.h"
#include "store/schema.h"

namespace rtl::exporting {
namespace {

constexpr uint64_t kCopiesBetweenChecks = 8192;

constexpr char kOpTable[] = "rtl_op";

// Before schema 8 these were tables; see database.cpp.
bool IsWideCalls(const std::string& table) {
  return table == "rocpd_api" || table == "rocpd_kernelapi";
}

bool Contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Binds one value of a row, renumbered by `numbers`.
void BindValue(const Renumbering* numbers, const Renumbering::Column& column, int index,
               sqlite3_value* value, sqlite3_stmt* write) {
  // A failed bind leaves NULL, which the schema rejects in the step.
  if (numbers == nullptr || column.how == Renumbering::How::kAsIs ||
      sqlite3_value_type(value) != SQLITE_INTEGER) {
    (void)sqlite3_bind_value(write, index, value);
  } else {
    (void)sqlite3_bind_int64(write, index, numbers->Apply(column, sqlite3_value_int64(value)));
  }
}

store::NarrowOp OpOf(const query::Statement& rows) {
  const auto number = [&](int column) {
    return rows.IsNull(column) ? store::NarrowOp::kNull : rows.Int(column);
  };
  return {.launch = rows.Int(1),
          .start = rows.Int(2),
          .duration = rows.Int(3),
          .waited = number(4),
          .sequence = number(5),
          .packet = rows.Int(6),
          .link = rows.Int(7)};
}

}  // namespace

Status Texts(sqlite3* database, const std::string& path, const char* sql,
             std::vector<std::string>* out) {
  query::Statement rows;
  RTL_TRY(rows.Prepare(database, path, sql));
  while (true) {
    bool has_row = false;
    RTL_TRY(rows.Step(&has_row));
    if (!has_row) return Status::Ok();
    out->emplace_back(rows.Text(0));
  }
}

Status TableCopy::Open(uint64_t rows) {
  rows_ = rows;
  sqlite3* from = nullptr;
  const Status opened = query::OpenDatabase(path_, &from);
  from_.reset(from);
  return opened;
}

Status TableCopy::Tables(sqlite3* database, std::vector<std::string>* out) const {
  return Texts(database, path_, "SELECT name FROM sqlite_master WHERE type = 'table'", out);
}

Status TableCopy::MakeRareTables() {
  std::vector<std::string> theirs;
  RTL_TRY(Tables(from_.get(), &theirs));
  for (const store::RareTable& rare : store::kRareTables) {
    if (Contains(theirs, rare.name)) RTL_TRY(to_.Execute(rare.sql));
  }
  return Status::Ok();
}

Status TableCopy::CountRow() {
  if (++rows_ % kCopiesBetweenChecks != 0) return Status::Ok();
  progress_(rows_);
  if (cancel_ == nullptr || !cancel_->load(std::memory_order_relaxed)) return Status::Ok();
  return Status::Error("%s", query::kCancelled);
}

Status TableCopy::CopyTable(const std::string& table, const Renumbering* numbers) {
  std::vector<std::string> columns;
  const std::string of_table = "SELECT name FROM pragma_table_info('" + table + "')";
  RTL_TRY(Texts(to_.handle(), path_, of_table.c_str(), &columns));
  // A trace of an earlier version may have fewer.
  std::vector<std::string> there;
  RTL_TRY(Texts(from_.get(), path_, of_table.c_str(), &there));
  const auto is_new = [&there](const std::string& column) {
    return std::find(there.begin(), there.end(), column) == there.end();
  };
  columns.erase(std::remove_if(columns.begin(), columns.end(), is_new), columns.end());
  std::string names;
  std::string marks;
  std::vector<Renumbering::Column> changes;
  for (const std::string& column : columns) {
    names += (names.empty() ? "" : ", ") + ("\"" + column + "\"");
    marks += marks.empty() ? "?" : ", ?";
    changes.push_back(numbers == nullptr ? Renumbering::Column() : numbers->Of(table, column));
  }
  sqlite3_stmt* statement = nullptr;
  const std::string select = "SELECT " + names + " FROM " + table;
  int code = sqlite3_prepare_v2(from_.get(), select.c_str(), -1, &statement, nullptr);
  const Sql read(statement);
  if (code != SQLITE_OK) return query::SqliteError(path_, from_.get(), code);
  const std::string insert = "INSERT INTO " + table + " (" + names + ") VALUES (" + marks + ")";
  code = sqlite3_prepare_v2(to_.handle(), insert.c_str(), -1, &statement, nullptr);
  const Sql write(statement);
  if (code != SQLITE_OK) return to_.Failure();
  while ((code = sqlite3_step(read.get())) == SQLITE_ROW) {
    for (int i = 0; i < static_cast<int>(columns.size()); ++i) {
      BindValue(numbers, changes[static_cast<size_t>(i)], i + 1,
                sqlite3_column_value(read.get(), i), write.get());
    }
    if (sqlite3_step(write.get()) != SQLITE_DONE) return to_.Failure();
    (void)sqlite3_reset(write.get());  // the step has succeeded
    RTL_TRY(CountRow());
  }
  return code == SQLITE_DONE ? Status::Ok() : query::SqliteError(path_, from_.get(), code);
}

Status TableCopy::CopyOps(const Renumbering* numbers) {
  store::OpBatch batch;
  RTL_TRY(batch.Prepare(to_));
  query::Statement rows;
  RTL_TRY(rows.Prepare(from_.get(), path_,
                       "SELECT o.id, o.launch, o.start, o.duration, o.waited, o.sequence, o.packet,"
                       " o.link, l.description_id FROM rtl_op o"
                       " LEFT JOIN rtl_launch l ON l.id = o.launch ORDER BY o.id"));
  while (true) {
    bool has_row = false;
    RTL_TRY(rows.Step(&has_row));
    if (!has_row) break;
    store::NarrowOp row = OpOf(rows);
    const bool is_marker = rows.IsNull(8);
    last_op_ = rows.Int(0);
    if (numbers != nullptr) {
      last_op_ = numbers->Apply(numbers->Of("rtl_op", "id"), last_op_);
      row.launch = numbers->Apply(numbers->Of("rtl_op", "launch"), row.launch);
      if (is_marker) row.packet = numbers->Text(row.packet);
    }
    RTL_TRY(batch.Add(last_op_, row));
    RTL_TRY(CountRow());
  }
  RTL_TRY(batch.Flush());
  batch.Finalize();
  return Status::Ok();
}

Status TableCopy::CopyKnown(const std::vector<std::string>& but, const Renumbering* numbers,
                            std::vector<std::string>* unknown) {
  std::vector<std::string> theirs;
  RTL_TRY(Tables(from_.get(), &theirs));
  std::vector<std::string> ours;
  RTL_TRY(Tables(to_.handle(), &ours));
  for (const std::string& table : ours) {
    // A trace of an earlier version has fewer tables.
    const bool is_wanted = Contains(theirs, table) && table != kOpTable && !Contains(but, table);
    if (is_wanted) RTL_TRY(CopyTable(table, numbers));
  }
  RTL_TRY(CopyOps(numbers));
  for (const std::string& table : theirs) {
    const bool known = IsWideCalls(table) || table.starts_with("sqlite_") || Contains(ours, table);
    if (!known) unknown->push_back(table);
  }
  return Status::Ok();
}

}  // namespace rtl::exporting
