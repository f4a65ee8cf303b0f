// SPDX-License-Identifier: MIT
// trace_database.h: the open file of a trace: its connection, its pages, and the name to show.
//
// Threads    one; the flag of SetCancel may be set by any thread
// Blocking   file I/O
// Memory     SQLite's cache
// Errors     one line that names the file and the cause
#pragma once

#include <atomic>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "base/status.h"
#include "trace/read/statement.h"
#include "trace/read/table_rows.h"

namespace rtl::query {

class TraceDatabase {
 public:
  TraceDatabase() = default;
  // Statements that are still open keep the connection alive.
  ~TraceDatabase();
  TraceDatabase(const TraceDatabase&) = delete;
  TraceDatabase& operator=(const TraceDatabase&) = delete;

  // Called once. Opens a file that may be a trace, without looking at its contents.
  Status Open(const std::string& path);

  sqlite3* connection() const { return file_.db; }
  const TableFile& file() const { return file_; }
  // The name that errors and results show.
  const std::string& shown() const { return shown_; }
  void ShowAs(const std::string& name) { shown_ = name; }
  // Reading stops with kCancelled (trace/read/error.h) soon after *cancel becomes true.
  void SetCancel(const std::atomic<bool>* cancel);

  Status Prepare(const std::string& sql, Statement* out) const {
    return out->Prepare(connection(), shown_, sql.c_str());
  }
  // *out is true if there is a table or view with this name.
  Status HasTable(std::string_view name, bool* out) const;
  Status HasColumn(std::string_view table, std::string_view name, bool* out) const;
  // The single number that a query returns; 0 if it is NULL, or if there is none.
  Status Number(const std::string& sql, uint64_t* out) const { return Number(sql, {}, out); }
  // Passes every row of a query to `take`.
  template <typename Take>
  Status ReadRows(const std::string& sql, const Take& take) const;

 private:
  // `texts`: the parameters of the query.
  Status Number(const std::string& sql, std::initializer_list<std::string_view> texts,
                uint64_t* out) const;

  std::string shown_;
  TableFile file_;
};

template <typename Take>
Status TraceDatabase::ReadRows(const std::string& sql, const Take& take) const {
  Statement rows;
  RTL_TRY(Prepare(sql, &rows));
  while (true) {
    bool has_row = false;
    RTL_TRY(rows.Step(&has_row));
    if (!has_row) return Status::Ok();
    take(rows);
  }
}

}  // namespace rtl::query
