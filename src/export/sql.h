// SPDX-License-Identifier: MIT
// sql.h: reads a trace by SQL, and copies its rows into another database.
//
// Threads    one
// Blocking   file I/O
// Errors     one line that names the file with the error
#pragma once

#include <sqlite3.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "base/status.h"
#include "export/timeline.h"
#include "trace/read/error.h"
#include "trace/read/statement.h"
#include "trace/read/trace_file.h"
#include "trace/schema/database.h"

namespace rtl::exporting {

// Passes every row of a query to `take`, which returns a Status. `path`: for errors.
template <typename Take>
Status ForEachRow(sqlite3* database, const std::string& path, const char* sql, const Take& take) {
  query::Statement rows;
  RTL_TRY(rows.Prepare(database, path, sql));
  while (true) {
    bool has_row = false;
    RTL_TRY(rows.Step(&has_row));
    if (!has_row) return Status::Ok();
    RTL_TRY(take(rows));
  }
}

// The number that a query of one row returns; 0 if it is NULL.
inline Status ReadNumber(sqlite3* database, const std::string& path, const char* sql,
                         int64_t* out) {
  return ForEachRow(database, path, sql, [&](const query::Statement& row) {
    *out = row.Int(0);
    return Status::Ok();
  });
}

// A trace whose rows are copied.
class SourceTrace {
 public:
  // `cancel` may be null.
  SourceTrace(std::string path, const Progress& progress, const std::atomic<bool>* cancel)
      : path_(std::move(path)), progress_(progress), cancel_(cancel) {}

  // `rows`: the number of rows that are already in the other database.
  Status Open(uint64_t rows = 0) {
    rows_ = rows;
    sqlite3* database = nullptr;
    const Status opened = query::OpenDatabase(path_, &database);
    database_.reset(database);
    return opened;
  }
  const std::string& path() const { return path_; }
  sqlite3* handle() const { return database_.get(); }
  uint64_t rows() const { return rows_; }

  template <typename Take>
  Status ForEach(const char* sql, const Take& take) const {
    return ForEachRow(handle(), path_, sql, take);
  }

  // Copies the rows of the query `select` by the statement `insert`. `bind`: called with both
  // statements for every row, binds the values.
  template <typename Bind>
  Status Copy(const char* select, const store::Database& to, const char* insert, const Bind& bind) {
    Sql read, write;
    int code = Prepare(handle(), select, &read);
    if (code != SQLITE_OK) return query::SqliteError(path_, handle(), code);
    if (Prepare(to.handle(), insert, &write) != SQLITE_OK) return to.Failure();
    while ((code = sqlite3_step(read.get())) == SQLITE_ROW) {
      bind(read.get(), write.get());
      if (sqlite3_step(write.get()) != SQLITE_DONE) return to.Failure();
      (void)sqlite3_reset(write.get());  // cannot fail after a successful step
      RTL_TRY(CountRow());
    }
    return code == SQLITE_DONE ? Status::Ok() : query::SqliteError(path_, handle(), code);
  }

  // To be called for each row that was copied otherwise.
  Status CountRow() {
    if (++rows_ % kRowsBetweenChecks != 0) return Status::Ok();
    if (progress_) progress_(rows_);
    if (cancel_ == nullptr || !cancel_->load(std::memory_order_relaxed)) return Status::Ok();
    return Status::Error("%s", query::kCancelled);
  }

 private:
  static constexpr uint64_t kRowsBetweenChecks = 8192;

  struct CloseDatabase {
    void operator()(sqlite3* database) const { (void)sqlite3_close_v2(database); }
  };
  struct FinalizeStatement {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
  };
  using Sql = std::unique_ptr<sqlite3_stmt, FinalizeStatement>;

  static int Prepare(sqlite3* database, const char* sql, Sql* out) {
    sqlite3_stmt* statement = nullptr;
    const int code = sqlite3_prepare_v2(database, sql, -1, &statement, nullptr);
    out->reset(statement);
    return code;
  }

  const std::string path_;
  const Progress& progress_;
  const std::atomic<bool>* const cancel_;
  std::unique_ptr<sqlite3, CloseDatabase> database_;
  uint64_t rows_ = 0;
};

}  // namespace rtl::exporting
