// SPDX-License-Identifier: MIT
#include "export/table_copy.h"

#include <algorithm>
#include <set>

#include "trace/schema/schema.h"
#include "trace/schema/tables.h"

namespace rtl::exporting {
namespace {

// True for the tables that are not copied by SQL.
bool IsBulkTable(const std::string& table) { return table == "rtl_op" || table == "rtl_call"; }

// The table with the links from calls to operations. Before schema 11 all links were in a table
// with another name.
constexpr char kLinks[] = "rtl_api_op";
constexpr char kEarlierLinks[] = "rocpd_api_ops";

// True for views that were tables in earlier schemas; see database.cpp.
bool WasTable(const std::string& table) {
  return table == "rocpd_api" || table == "rocpd_kernelapi" || table == kEarlierLinks;
}

bool Contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Binds one value of a row, renumbered by `numbers`.
void BindValue(const Renumbering* numbers, const Renumbering::Column& column, int index,
               sqlite3_value* value, sqlite3_stmt* write) {
  // A failed bind leaves NULL, and the schema rejects it in the step.
  if (numbers == nullptr || column.how == Renumbering::How::kAsIs ||
      sqlite3_value_type(value) != SQLITE_INTEGER) {
    (void)sqlite3_bind_value(write, index, value);
  } else {
    (void)sqlite3_bind_int64(write, index, numbers->Apply(column, sqlite3_value_int64(value)));
  }
}

// Reads the first column of a query as texts.
Status Texts(sqlite3* database, const std::string& path, const char* sql,
             std::vector<std::string>* out) {
  return ForEachRow(database, path, sql, [&](const query::Statement& row) {
    out->emplace_back(row.Text(0));
    return Status::Ok();
  });
}

int64_t NumberOrNull(const query::Statement& rows, int column) {
  return rows.IsNull(column) ? btree::kNull : rows.Int(column);
}

}  // namespace

// The positions of a table's times among the columns that are read. A span is `start` and
// `duration`.
struct TimeColumns {
  std::vector<int> moments;
  int start = -1, duration = -1;
  int origin = -1;  // the moment from which `start` counts; -1: from 0

  TimeColumns(const std::string& table, const std::vector<std::string>& columns) {
    for (int i = 0; i < static_cast<int>(columns.size()); ++i) {
      const std::string& name = columns[static_cast<size_t>(i)];
      if (name == "start") start = i;
      if (name == "duration") duration = i;
      if (store::IsMoment(table, name)) moments.push_back(i);
    }
    if (Contains(columns, "place")) origin = static_cast<int>(columns.size());
  }
};

Status TableCopy::Tables(sqlite3* database, std::vector<std::string>* out) const {
  return Texts(database, from_.path(), "SELECT name FROM sqlite_master WHERE type = 'table'", out);
}

Status TableCopy::MakeRareTables() {
  std::vector<std::string> theirs;
  RTL_TRY(Tables(from_.handle(), &theirs));
  for (const store::TableDescription* table : store::kTables) {
    if (table->is_rare && Contains(theirs, table->name))
      RTL_TRY(to_.Execute(store::CreateSql(*table).c_str()));
  }
  return Status::Ok();
}

Status TableCopy::Columns(sqlite3* database, const std::string& table,
                          std::vector<std::string>* out) const {
  const std::string sql = "SELECT name FROM pragma_table_info('" + table + "')";
  return Texts(database, from_.path(), sql.c_str(), out);
}

Status TableCopy::CopyTable(const std::string& from, const std::string& to,
                            const Renumbering* numbers) {
  std::vector<std::string> columns;
  RTL_TRY(Columns(to_.handle(), to, &columns));
  // A trace of an earlier version may lack columns, and has some under earlier names.
  std::vector<std::string> theirs;
  RTL_TRY(Columns(from_.handle(), from, &theirs));
  const std::set<std::string, std::less<>> there(theirs.begin(), theirs.end());
  const store::TableDescription* const table = store::FindTable(to);
  const auto name_in = [&](const std::string& column) {
    if (table != nullptr) return std::string(store::NameIn(there, *table, column));
    return there.contains(column) ? column : std::string();
  };
  std::erase_if(columns, [&](const std::string& column) { return name_in(column).empty(); });
  std::string names, sources;
  std::string marks;
  std::vector<Renumbering::Column> changes;
  for (const std::string& column : columns) {
    names += (names.empty() ? "" : ", ") + ("\"" + column + "\"");
    sources += (sources.empty() ? "" : ", ") + ("\"" + name_in(column) + "\"");
    marks += marks.empty() ? "?" : ", ?";
    changes.push_back(numbers == nullptr ? Renumbering::Column() : numbers->Of(to, column));
  }
  const TimeColumns times(to, columns);
  const std::string select =
      "SELECT " + sources +
      (times.origin < 0 ? "" : ", (SELECT origin FROM rtl_place WHERE id = place)") + " FROM " +
      from;
  const std::string insert = "INSERT INTO " + to + " (" + names + ") VALUES (" + marks + ")";
  const auto bind = [&](sqlite3_stmt* read, sqlite3_stmt* write) {
    for (int i = 0; i < static_cast<int>(columns.size()); ++i) {
      BindValue(numbers, changes[static_cast<size_t>(i)], i + 1, sqlite3_column_value(read, i),
                write);
    }
    if (clock_) MoveTimes(times, read, write);
  };
  return from_.Copy(select.c_str(), to_, insert.c_str(), bind);
}

void TableCopy::MoveSpan(int64_t origin, int64_t* start, int64_t* duration) const {
  if (!clock_) return;
  const int64_t begin = origin + *start;
  const int64_t moved = Moved(begin);
  *duration = Moved(begin + *duration) - moved;
  *start = moved - Moved(origin);
}

void TableCopy::MoveTimes(const TimeColumns& columns, sqlite3_stmt* read,
                          sqlite3_stmt* write) const {
  for (const int column : columns.moments) {
    if (sqlite3_column_type(read, column) != SQLITE_INTEGER) continue;
    (void)sqlite3_bind_int64(write, column + 1, Moved(sqlite3_column_int64(read, column)));
  }
  if (columns.start < 0 || columns.duration < 0) return;
  int64_t start = sqlite3_column_int64(read, columns.start);
  int64_t duration = sqlite3_column_int64(read, columns.duration);
  MoveSpan(columns.origin < 0 ? 0 : sqlite3_column_int64(read, columns.origin), &start, &duration);
  (void)sqlite3_bind_int64(write, columns.start + 1, start);
  (void)sqlite3_bind_int64(write, columns.duration + 1, duration);
}

Status TableCopy::CopyOps(const Renumbering* numbers) {
  constexpr char kSelect[] =
      "SELECT o.id, o.launch, o.start, o.duration, o.waited, o.sequence, o.packet, o.link,"
      " l.description_id, l.origin FROM rtl_op o LEFT JOIN rtl_launch l ON l.id = o.launch"
      " ORDER BY o.id";
  return from_.ForEach(kSelect, [&](const query::Statement& rows) {
    int64_t launch = rows.Int(1);
    int64_t packet = rows.Int(6);
    const bool is_marker = rows.IsNull(8);
    last_op_ = rows.Int(0);
    if (numbers != nullptr) {
      last_op_ = numbers->Apply(numbers->Of("rtl_op", "id"), last_op_);
      launch = numbers->Apply(numbers->Of("rtl_op", "launch"), launch);
      if (is_marker) packet = numbers->Text(packet);
    }
    int64_t start = rows.Int(2), duration = rows.Int(3);
    MoveSpan(rows.Int(9), &start, &duration);
    RTL_TRY(bulk_->AddOp(last_op_, {launch, start, duration, NumberOrNull(rows, 4),
                                    NumberOrNull(rows, 5), packet, rows.Int(7)}));
    return from_.CountRow();
  });
}

Status TableCopy::CopyCalls(const Renumbering* numbers) {
  std::vector<std::string> there;
  RTL_TRY(Columns(from_.handle(), "rtl_call", &there));
  if (there.empty()) return Status::Ok();
  const std::string sql = std::string("SELECT id, site, start, duration, args_id, ") +
                          (Contains(there, "op_id") ? "op_id" : "NULL") +
                          " FROM rtl_call ORDER BY id";
  const auto changed = [&](const char* column, int64_t number) {
    return numbers == nullptr || number == btree::kNull
               ? number
               : numbers->Apply(numbers->Of("rtl_call", column), number);
  };
  return from_.ForEach(sql.c_str(), [&](const query::Statement& rows) {
    int64_t start = rows.Int(2), duration = rows.Int(3);
    MoveSpan(0, &start, &duration);
    RTL_TRY(bulk_->AddCall(changed("id", rows.Int(0)), {changed("site", rows.Int(1)), start,
                                                        duration, changed("args_id", rows.Int(4)),
                                                        changed("op_id", NumberOrNull(rows, 5))}));
    return from_.CountRow();
  });
}

Status TableCopy::CopyKnown(const std::vector<std::string>& but, const Renumbering* numbers,
                            std::vector<std::string>* notes) {
  std::vector<std::string> theirs;
  RTL_TRY(Tables(from_.handle(), &theirs));
  std::vector<std::string> ours;
  RTL_TRY(Tables(to_.handle(), &ours));
  for (const std::string& table : ours) {
    // A trace of an earlier version lacks some tables.
    const bool is_wanted = Contains(theirs, table) && !IsBulkTable(table) && !Contains(but, table);
    if (is_wanted) RTL_TRY(CopyTable(table, numbers));
  }
  if (Contains(theirs, kEarlierLinks)) RTL_TRY(CopyTable(kEarlierLinks, kLinks, numbers));
  RTL_TRY(CopyCalls(numbers));
  RTL_TRY(CopyOps(numbers));
  for (const std::string& table : theirs) {
    const bool known = WasTable(table) || table.starts_with("sqlite_") || Contains(ours, table);
    if (known) continue;
    notes->push_back(from_.path() + ": the table " + table + " is not rtl's and is not taken over");
  }
  return Status::Ok();
}

}  // namespace rtl::exporting
