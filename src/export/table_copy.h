// SPDX-License-Identifier: MIT
// table_copy.h: copies the tables of one trace into a database under construction.
//
// Threads    one
// Blocking   file I/O
// Memory     constant
// Errors     one line that names the file or the database with the error
#pragma once

#include <sqlite3.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "export/renumbering.h"
#include "export/timeline.h"
#include "trace/schema/database.h"
#include "trace/write/bulk_tables.h"

namespace rtl::exporting {

// A time on one clock as a time on another: never falls. Null: the same clock.
using TimeMap = std::function<int64_t(int64_t)>;

class TableCopy {
 public:
  // For the trace at `path`. `cancel` may be null. `to` has the schema, and `bulk` is its own.
  TableCopy(std::string path, store::Database* to, store::BulkTables* bulk,
            const Progress& progress, const std::atomic<bool>* cancel)
      : path_(std::move(path)), to_(*to), bulk_(bulk), progress_(progress), cancel_(cancel) {}

  // `rows`: the number of rows that earlier copies have moved into the same database.
  Status Open(uint64_t rows = 0);
  uint64_t rows() const { return rows_; }
  // All times of the trace are moved.
  void SetClock(TimeMap clock) { clock_ = std::move(clock); }
  sqlite3* from() const { return from_.get(); }

  // The names of the tables of a database.
  Status Tables(sqlite3* database, std::vector<std::string>* out) const;
  // Makes the rare tables (trace/schema/tables.h) that the trace has; before CopyKnown.
  Status MakeRareTables();
  // Copies all tables of both this schema and the trace, except `but`. The rows of kernels come
  // last. Numbers stay unchanged when `numbers` is null. `unknown`: tables outside this schema.
  Status CopyKnown(const std::vector<std::string>& but, const Renumbering* numbers,
                   std::vector<std::string>* unknown);
  Status CopyTable(const std::string& table, const Renumbering* numbers = nullptr) {
    return CopyTable(table, table, numbers);
  }
  // The id of the last moved row of rocpd_op; 0: none.
  int64_t last_op() const { return last_op_; }

 private:
  struct CloseConnection {
    void operator()(sqlite3* database) const { (void)sqlite3_close_v2(database); }
  };

  Status CopyTable(const std::string& from, const std::string& to, const Renumbering* numbers);
  Status Columns(sqlite3* database, const std::string& table, std::vector<std::string>* out) const;
  Status CopyOps(const Renumbering* numbers);
  Status CopyCalls(const Renumbering* numbers);
  Status CountRow();
  int64_t Moved(int64_t time) const { return clock_ && time != 0 ? clock_(time) : time; }
  // A span whose start counts from `origin`, which is moved as well.
  void MoveSpan(int64_t origin, int64_t* start, int64_t* duration) const;
  void MoveTimes(const struct TimeColumns& columns, sqlite3_stmt* read, sqlite3_stmt* write) const;

  const std::string path_;
  store::Database& to_;
  store::BulkTables* const bulk_;
  const Progress& progress_;
  const std::atomic<bool>* const cancel_;
  std::unique_ptr<sqlite3, CloseConnection> from_;
  TimeMap clock_;
  uint64_t rows_ = 0;
  int64_t last_op_ = 0;
};

// The first column of a query, as texts.
Status Texts(sqlite3* database, const std::string& path, const char* sql,
             std::vector<std::string>* out);

}  // namespace rtl::exporting
