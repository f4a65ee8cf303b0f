// SPDX-License-Identifier: MIT
#include "trace/write/continuation.h"

#include <sqlite3.h>
#include <unistd.h>

#include <cstring>
#include <memory>
#include <vector>

#include "spool/directory.h"
#include "spool/reader.h"
#include "trace/schema/tables.h"
#include "trace/write/earlier_trace.h"

namespace rtl::store {
namespace {

using Query = std::unique_ptr<sqlite3_stmt, decltype(&sqlite3_finalize)>;

Query Prepare(sqlite3* db, const char* sql) {
  sqlite3_stmt* statement = nullptr;
  // on failure null, which is handled below
  (void)sqlite3_prepare_v2(db, sql, -1, &statement, nullptr);
  return Query(statement, &sqlite3_finalize);
}

std::string ColumnText(const Query& query, int column) {
  const unsigned char* text = sqlite3_column_text(query.get(), column);
  return text == nullptr ? "" : reinterpret_cast<const char*>(text);
}

bool HasSibling(sqlite3* db, const spool::ProcessInfo& process) {
  const Query sibling =
      Prepare(db,
              "SELECT 1 FROM rtl_process WHERE host = ?1 AND boot_id = ?2 AND process_group = ?3"
              " OR ?4 <> '' AND job = ?4 LIMIT 1");
  if (sibling == nullptr) return false;
  const auto text = [&](int index, const char* value, size_t size) {
    (void)sqlite3_bind_text(sibling.get(), index, value, static_cast<int>(strnlen(value, size)),
                            SQLITE_STATIC);
  };
  text(1, process.host, sizeof process.host);
  text(2, process.boot_id, sizeof process.boot_id);
  (void)sqlite3_bind_int64(sibling.get(), 3, process.group);
  text(4, process.job, sizeof process.job);
  return sqlite3_step(sibling.get()) == SQLITE_ROW;
}

bool HoldsSibling(const std::string& database, const spool::ProcessInfo& process) {
  if (access(database.c_str(), R_OK) != 0) return false;
  sqlite3* db = nullptr;
  const int opened = sqlite3_open_v2(database.c_str(), &db, SQLITE_OPEN_READONLY, nullptr);
  const bool continues = opened == SQLITE_OK && HasThisSchema(db) && HasSibling(db, process);
  (void)sqlite3_close(db);
  return continues;
}

Status Highest(Database* database, const char* table, int64_t* out) {
  const std::string sql = std::string("SELECT max(id) FROM ") + table;
  const Query query = Prepare(database->handle(), sql.c_str());
  if (query == nullptr || sqlite3_step(query.get()) != SQLITE_ROW) return database->Failure();
  *out = sqlite3_column_int64(query.get(), 0);
  return Status::Ok();
}

Status ReadGpus(Database* copy, std::vector<std::pair<GpuNumbers::Gpu, uint32_t>>* out) {
  const Query rows = Prepare(
      copy->handle(),
      "SELECT CASE p.boot_id WHEN '' THEN p.host ELSE p.boot_id END, a.uuid, a.bdf, a.node, a.gpu"
      " FROM rtl_agent a JOIN rtl_process p ON p.id = a.process_id WHERE a.is_gpu");
  if (rows == nullptr) return copy->Failure();
  while (sqlite3_step(rows.get()) == SQLITE_ROW) {
    const auto number = [&](int column) {
      return static_cast<uint32_t>(sqlite3_column_int64(rows.get(), column));
    };
    out->push_back({{.host = ColumnText(rows, 0),
                     .uuid = ColumnText(rows, 1),
                     .bdf = number(2),
                     .node = number(3),
                     .own = number(4)},
                    number(4)});
  }
  return Status::Ok();
}

}  // namespace

bool ContinuesJob(const std::string& database, const std::string& spool) {
  std::vector<std::string> stems;
  (void)spool::ListProcesses(spool, &stems);  // on failure there are no names
  for (const std::string& stem : stems) {
    std::unique_ptr<spool::ProcessReader> process;
    // The spool of the process that started the collector is complete. That of another process that
    // is joining may be incomplete.
    if (!spool::ProcessReader::Open(spool, stem, true, &process).ok()) continue;
    return HoldsSibling(database, process->process());
  }
  return false;
}

Status TakeOver(Database* copy, Continuation* out) {
  // The file is not trusted: nothing in it may be executed.
  (void)sqlite3_db_config(copy->handle(), SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  (void)sqlite3_db_config(copy->handle(), SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  for (const TableDescription* table : kTables) RTL_TRY(AddMissing(copy, *table));
  RTL_TRY(Highest(copy, "rtl_process", &out->processes));
  RTL_TRY(Highest(copy, "rtl_agent", &out->agents));
  RTL_TRY(Highest(copy, "rtl_queue", &out->queues));
  RTL_TRY(Highest(copy, "rtl_kernel", &out->kernels));
  RTL_TRY(Highest(copy, "rtl_stream", &out->streams));
  RTL_TRY(Highest(copy, "rtl_op", &out->ops));
  RTL_TRY(Highest(copy, "rtl_launch", &out->launches));
  RTL_TRY(Highest(copy, "rtl_call_site", &out->call_sites));
  RTL_TRY(Highest(copy, "rtl_launch_call", &out->launch_calls));
  {
    const Query tags = Prepare(copy->handle(), "SELECT tag, value FROM rocpd_metadata ORDER BY id");
    if (tags == nullptr) return copy->Failure();
    while (sqlite3_step(tags.get()) == SQLITE_ROW) {
      out->metadata.insert_or_assign(ColumnText(tags, 0), ColumnText(tags, 1));
    }
  }
  RTL_TRY(ReadGpus(copy, &out->gpus));
  return copy->Execute("DELETE FROM rocpd_metadata");
}

}  // namespace rtl::store
