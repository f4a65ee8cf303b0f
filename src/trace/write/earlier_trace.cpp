// SPDX-License-Identifier: MIT
#include "trace/write/earlier_trace.h"

#include <unistd.h>

#include "trace/schema/database.h"
#include "trace/schema/schema.h"

namespace rtl::store {
namespace {

// True if the statement has a row; false also if it cannot be run.
bool HasRow(const std::string& path, const char* sql) {
  if (access(path.c_str(), R_OK) != 0) return false;
  sqlite3* database = nullptr;
  const int opened = sqlite3_open_v2(path.c_str(), &database, SQLITE_OPEN_READONLY, nullptr);
  // The file is not trusted: nothing in it may be executed.
  (void)sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  const bool row = opened == SQLITE_OK && Query(database, sql).Next();
  (void)sqlite3_close(database);
  return row;
}

}  // namespace

bool IsTrace(const std::string& path) {
  return HasRow(path, "SELECT 1 FROM rocpd_metadata WHERE tag = 'schema_version'");
}

bool HasThisSchema(sqlite3* database) {
  const std::string sql =
      "SELECT 1 FROM rocpd_metadata WHERE tag = 'schema_version' AND value = '" +
      std::to_string(kSchemaVersion) + "'";
  return Query(database, sql.c_str()).Next();
}

bool HoldsEvents(const std::string& path) {
  // These tags have the sums of every kind of event, in every version.
  return HasRow(path,
                "SELECT 1 FROM rocpd_metadata WHERE tag LIKE 'recorded.%' AND"
                " CAST(value AS INTEGER) > 0");
}

bool HoldsOperations(const std::string& path) {
  return HasRow(path, "SELECT 1 FROM sqlite_master WHERE name = 'rocpd_op'");
}

}  // namespace rtl::store
