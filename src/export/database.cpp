// SPDX-License-Identifier: MIT
#include "export/database.h"

#include <sqlite3.h>

#include <algorithm>
#include <memory>

#include "query/error.h"
#include "query/statement.h"
#include "query/trace_file.h"
#include "store/database.h"
#include "store/op_batch.h"
#include "store/output_file.h"
#include "store/schema.h"

namespace rtl::exporting {
namespace {

constexpr size_t kCacheBytes = 16 << 20;
constexpr uint64_t kRowsBetweenChecks = 8192;

// Where the rows of rocpd_op are, in either form.
bool HoldsOps(const std::string& table) { return table == "rtl_op" || table == "rtl_op_block"; }

bool IsWideCalls(const std::string& table) {
  return table == "rocpd_api" || table == "rocpd_kernelapi";
}

struct CloseConnection {
  void operator()(sqlite3* database) const { (void)sqlite3_close_v2(database); }
};
struct FinalizeStatement {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Sql = std::unique_ptr<sqlite3_stmt, FinalizeStatement>;

// Before schema 8 these were tables. Temporary ones stand before the views of the same names.
constexpr char kWideCallsSql[] = R"sql(
CREATE TEMP TABLE rocpd_api (id INTEGER PRIMARY KEY, pid, tid, start, end, apiName_id, args_id,
                             result, process_id, rank, stream);
CREATE TEMP TABLE rocpd_kernelapi (api_id INTEGER PRIMARY KEY, stream, gridX, gridY, gridZ,
                                   workgroupX, workgroupY, workgroupZ, groupSegmentSize,
                                   privateSegmentSize, kernelName_id);
)sql";
constexpr char kNarrowCallsSql[] = R"sql(
INSERT INTO rtl_call_site (pid, tid, apiName_id, result, process_id, rank, stream)
SELECT DISTINCT pid, tid, apiName_id, result, process_id, rank, stream FROM temp.rocpd_api;
INSERT INTO rtl_call (id, site, start, duration, args_id)
SELECT a.id, s.id, a.start, a.end - a.start, a.args_id
FROM temp.rocpd_api a CROSS JOIN rtl_call_site s
  ON s.process_id = a.process_id AND s.tid = a.tid AND s.apiName_id = a.apiName_id
 AND s.pid = a.pid AND s.result IS a.result AND s.rank IS a.rank AND s.stream IS a.stream
ORDER BY a.id;
INSERT INTO rtl_launch_call (stream, gridX, gridY, gridZ, workgroupX, workgroupY, workgroupZ,
                             groupSegmentSize, privateSegmentSize, kernelName_id)
SELECT DISTINCT stream, gridX, gridY, gridZ, workgroupX, workgroupY, workgroupZ, groupSegmentSize,
       privateSegmentSize, kernelName_id FROM temp.rocpd_kernelapi;
INSERT INTO rtl_kernelapi (api_id, launch_call)
SELECT k.api_id, l.id FROM temp.rocpd_kernelapi k CROSS JOIN rtl_launch_call l
 USING (stream, gridX, gridY, gridZ, workgroupX, workgroupY, workgroupZ, groupSegmentSize,
        privateSegmentSize, kernelName_id)
ORDER BY k.api_id;
DROP TABLE temp.rocpd_api;
DROP TABLE temp.rocpd_kernelapi;
)sql";

class Copier {
 public:
  Copier(const std::string& path, const Progress& progress, const std::atomic<bool>* cancel)
      : path_(path), progress_(progress), cancel_(cancel) {}

  Status Run(bool packed, const std::string& output, std::vector<std::string>* notes);

 private:
  Status Open();
  Status Texts(sqlite3* database, const char* sql, std::vector<std::string>* out) const;
  Status CopyTable(const std::string& table);
  Status CopyOps();
  Status CopyWideCalls();
  Status CountRow();

  const std::string path_;
  const Progress& progress_;
  const std::atomic<bool>* const cancel_;
  std::unique_ptr<sqlite3, CloseConnection> from_;
  store::OutputFile file_;
  store::Database to_;
  uint64_t rows_ = 0;
};

Status Copier::Open() {
  sqlite3* from = nullptr;
  const Status opened = query::OpenDatabase(path_, &from);
  from_.reset(from);
  return opened;
}

Status Copier::Texts(sqlite3* database, const char* sql, std::vector<std::string>* out) const {
  query::Statement rows;
  RTL_TRY(rows.Prepare(database, path_, sql));
  while (true) {
    bool has_row = false;
    RTL_TRY(rows.Step(&has_row));
    if (!has_row) return Status::Ok();
    out->emplace_back(rows.Text(0));
  }
}

Status Copier::CountRow() {
  if (++rows_ % kRowsBetweenChecks != 0) return Status::Ok();
  progress_(rows_);
  if (cancel_ == nullptr || !cancel_->load(std::memory_order_relaxed)) return Status::Ok();
  return Status::Error("%s", query::kCancelled);
}

Status Copier::CopyTable(const std::string& table) {
  std::vector<std::string> columns;
  const std::string of_table = "SELECT name FROM pragma_table_info('" + table + "')";
  RTL_TRY(Texts(to_.handle(), of_table.c_str(), &columns));
  std::string names;
  std::string marks;
  for (const std::string& column : columns) {
    names += (names.empty() ? "" : ", ") + ("\"" + column + "\"");
    marks += marks.empty() ? "?" : ", ?";
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
      (void)sqlite3_bind_value(write.get(), i + 1, sqlite3_column_value(read.get(), i));
    }
    if (sqlite3_step(write.get()) != SQLITE_DONE) return to_.Failure();
    (void)sqlite3_reset(write.get());  // the step has succeeded
    RTL_TRY(CountRow());
  }
  return code == SQLITE_DONE ? Status::Ok() : query::SqliteError(path_, from_.get(), code);
}

Status Copier::CopyOps() {
  store::OpBatch batch;
  RTL_TRY(batch.Prepare(to_));
  query::Statement rows;
  RTL_TRY(rows.Prepare(from_.get(), path_,
                       "SELECT o.id, o.launch, o.start, o.duration, o.waited, o.sequence, o.packet,"
                       " o.link, l.origin, l.description_id FROM rtl_op o"
                       " LEFT JOIN rtl_launch l ON l.id = o.launch ORDER BY o.id"));
  while (true) {
    bool has_row = false;
    RTL_TRY(rows.Step(&has_row));
    if (!has_row) break;
    const auto number = [&](int column) {
      return rows.IsNull(column) ? store::NarrowOp::kNull : rows.Int(column);
    };
    const store::NarrowOp row = {.launch = rows.Int(1),
                                 .start = rows.Int(2),
                                 .duration = rows.Int(3),
                                 .waited = number(4),
                                 .sequence = number(5),
                                 .packet = rows.Int(6),
                                 .link = rows.Int(7)};
    RTL_TRY(batch.Add(rows.Int(0), row, rows.Int(8), rows.IsNull(9)));
    RTL_TRY(CountRow());
  }
  RTL_TRY(batch.Flush());
  batch.Finalize();
  return Status::Ok();
}

Status Copier::CopyWideCalls() {
  RTL_TRY(to_.Execute(kWideCallsSql));
  RTL_TRY(CopyTable("rocpd_api"));
  RTL_TRY(CopyTable("rocpd_kernelapi"));
  RTL_TRY(to_.Execute(kNarrowCallsSql));
  return to_.Execute(("UPDATE rocpd_metadata SET value = '" +
                      std::to_string(store::kSchemaVersion) + "' WHERE tag = 'schema_version'")
                         .c_str());
}

Status Copier::Run(bool packed, const std::string& output, std::vector<std::string>* notes) {
  RTL_TRY(Open());
  RTL_TRY(file_.Make(output));
  RTL_TRY(to_.Open(file_.temporary(), output));
  RTL_TRY(to_.BeginBuilding(kCacheBytes));
  RTL_TRY(store::CreateSchema(&to_, packed));
  constexpr char kTablesSql[] = "SELECT name FROM sqlite_master WHERE type = 'table'";
  std::vector<std::string> ours;
  RTL_TRY(Texts(to_.handle(), kTablesSql, &ours));
  std::vector<std::string> theirs;
  RTL_TRY(Texts(from_.get(), kTablesSql, &theirs));
  for (const std::string& table : ours) {
    // A trace of an earlier version has fewer tables.
    const bool is_there = std::find(theirs.begin(), theirs.end(), table) != theirs.end();
    if (is_there && !HoldsOps(table)) RTL_TRY(CopyTable(table));
  }
  RTL_TRY(CopyOps());
  if (std::erase_if(theirs, IsWideCalls) != 0) RTL_TRY(CopyWideCalls());
  for (const std::string& table : theirs) {
    const bool known = HoldsOps(table) || table.starts_with("sqlite_") ||
                       std::find(ours.begin(), ours.end(), table) != ours.end();
    if (known) continue;
    notes->push_back(path_ + ": the table " + table + " is not rtl's and is not taken over");
  }
  RTL_TRY(to_.Execute("COMMIT"));
  RTL_TRY(to_.CompactWhenSmall());
  to_.Close();
  std::string written;
  RTL_TRY(file_.Publish(&written));
  if (written != output) {
    notes->push_back(output + " was written by somebody else meanwhile; this one is in " + written);
  }
  return Status::Ok();
}

}  // namespace

Status WriteDatabase(const std::string& path, bool packed, const std::string& output,
                     const Progress& progress, const std::atomic<bool>* cancel,
                     std::vector<std::string>* notes) {
  return Copier(path, progress, cancel).Run(packed, output, notes);
}

}  // namespace rtl::exporting
