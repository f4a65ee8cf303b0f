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

bool HasSibling(sqlite3* db, const spool::ProcessInfo& process) {
  Query sibling(db,
                "SELECT 1 FROM rtl_process WHERE host = ?1 AND boot_id = ?2 AND process_group = ?3"
                " OR ?4 <> '' AND job = ?4 LIMIT 1");
  const auto text = [&](int index, const char* value, size_t size) {
    sibling.Bind(index, std::string_view(value, strnlen(value, size)));
  };
  text(1, process.host, sizeof process.host);
  text(2, process.boot_id, sizeof process.boot_id);
  sibling.Bind(3, process.group);
  text(4, process.job, sizeof process.job);
  return sibling.Next();
}

bool HoldsSibling(const std::string& database, const spool::ProcessInfo& process) {
  if (access(database.c_str(), R_OK) != 0) return false;
  sqlite3* db = nullptr;
  const int opened = sqlite3_open_v2(database.c_str(), &db, SQLITE_OPEN_READONLY, nullptr);
  const bool continues = opened == SQLITE_OK && HasThisSchema(db) && HasSibling(db, process);
  (void)sqlite3_close(db);
  return continues;
}

Status ReadGpus(Database* copy, std::vector<std::pair<GpuNumbers::Gpu, uint32_t>>* out) {
  Query rows(
      copy->handle(),
      "SELECT CASE p.boot_id WHEN '' THEN p.host ELSE p.boot_id END, a.uuid, a.bdf, a.node, a.gpu"
      " FROM rtl_agent a JOIN rtl_process p ON p.id = a.process_id WHERE a.is_gpu");
  if (!rows.is_prepared()) return copy->Failure();
  while (rows.Next()) {
    const auto number = [&](int column) { return static_cast<uint32_t>(rows.Int(column)); };
    out->push_back({{.host = rows.Text(0),
                     .uuid = rows.Text(1),
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
  RTL_TRY(copy->HighestId("rtl_process", &out->processes));
  RTL_TRY(copy->HighestId("rtl_agent", &out->agents));
  RTL_TRY(copy->HighestId("rtl_queue", &out->queues));
  RTL_TRY(copy->HighestId("rtl_kernel", &out->kernels));
  RTL_TRY(copy->HighestId("rtl_stream", &out->streams));
  RTL_TRY(copy->HighestId("rtl_op", &out->ops));
  RTL_TRY(copy->HighestId("rtl_launch", &out->launches));
  RTL_TRY(copy->HighestId("rtl_call_site", &out->call_sites));
  RTL_TRY(copy->HighestId("rtl_launch_call", &out->launch_calls));
  {
    Query tags(copy->handle(), "SELECT tag, value FROM rocpd_metadata ORDER BY id");
    if (!tags.is_prepared()) return copy->Failure();
    while (tags.Next()) out->metadata.insert_or_assign(tags.Text(0), tags.Text(1));
  }
  RTL_TRY(ReadGpus(copy, &out->gpus));
  return copy->Execute("DELETE FROM rocpd_metadata");
}

}  // namespace rtl::store
