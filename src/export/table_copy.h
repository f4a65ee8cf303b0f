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
#include <string>
#include <vector>

#include "base/status.h"
#include "export/renumbering.h"
#include "export/sql.h"
#include "trace/schema/database.h"
#include "trace/write/bulk_tables.h"

namespace rtl::exporting {

// Converts a time on one clock to a time on another clock. It must be monotonic. Null: the clocks
// are the same.
using TimeMap = std::function<int64_t(int64_t)>;

class TableCopy {
 public:
  // For the trace at `path`. `to` must have the schema, and `bulk` must belong to it. `cancel` may
  // be null.
  TableCopy(std::string path, store::Database* to, store::BulkTables* bulk,
            const Progress& progress, const std::atomic<bool>* cancel)
      : from_(std::move(path), progress, cancel), to_(*to), bulk_(bulk) {}

  // `rows`: the number of rows that earlier copies have moved into the same database.
  Status Open(uint64_t rows = 0) { return from_.Open(rows); }
  uint64_t rows() const { return from_.rows(); }
  // Sets a map that is applied to all times of the trace.
  void SetClock(TimeMap clock) { clock_ = std::move(clock); }
  const SourceTrace& from() const { return from_; }

  // The names of the tables of a database.
  Status Tables(sqlite3* database, std::vector<std::string>* out) const;
  // Makes the rare tables (trace/schema/tables.h) that the trace has. To be called before
  // CopyKnown.
  Status MakeRareTables();
  // Copies all tables that both this schema and the trace have, except `but`. The rows of kernels
  // come last. If `numbers` is null, ids stay unchanged. `notes`: gets a sentence for the user
  // about each table that this schema does not have.
  Status CopyKnown(const std::vector<std::string>& but, const Renumbering* numbers,
                   std::vector<std::string>* notes);
  Status CopyTable(const std::string& table, const Renumbering* numbers = nullptr) {
    return CopyTable(table, table, numbers);
  }
  // The id of the last row of rocpd_op that was moved; 0: none.
  int64_t last_op() const { return last_op_; }

 private:
  Status CopyTable(const std::string& from, const std::string& to, const Renumbering* numbers);
  Status Columns(sqlite3* database, const std::string& table, std::vector<std::string>* out) const;
  Status CopyOps(const Renumbering* numbers);
  Status CopyCalls(const Renumbering* numbers);
  int64_t Moved(int64_t time) const { return clock_ && time != 0 ? clock_(time) : time; }
  // Moves a span whose start counts from `origin`, which is moved, too.
  void MoveSpan(int64_t origin, int64_t* start, int64_t* duration) const;
  void MoveTimes(const struct TimeColumns& columns, sqlite3_stmt* read, sqlite3_stmt* write) const;

  SourceTrace from_;
  store::Database& to_;
  store::BulkTables* const bulk_;
  TimeMap clock_;
  int64_t last_op_ = 0;
};

}  // namespace rtl::exporting
