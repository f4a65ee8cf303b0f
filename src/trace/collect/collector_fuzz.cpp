// SPDX-License-Identifier: MIT
// Makes a database from a spool whose bytes the fuzzer chooses (spool/fuzz_support.h). The database
// must open, its counts must be consistent, and its size must be proportionate.
#include <sqlite3.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <string>

#include "spool/fuzz_support.h"
#include "trace/collect/collector.h"

namespace rtl::store {
namespace {

using spool::Check;

// The size of an empty database, and more bytes per byte of input than any record adds.
constexpr int64_t kEmptyBytes = int64_t{1} << 20;
constexpr int64_t kBytesPerByte = 64;

std::string OneValue(sqlite3* database, const char* sql) {
  sqlite3_stmt* statement = nullptr;
  Check(sqlite3_prepare_v2(database, sql, -1, &statement, nullptr) == SQLITE_OK);
  Check(sqlite3_step(statement) == SQLITE_ROW);
  const std::string value = reinterpret_cast<const char*>(sqlite3_column_text(statement, 0));
  sqlite3_finalize(statement);
  return value;
}

void CheckDatabase(const std::string& path, size_t input_bytes) {
  struct stat info;
  Check(stat(path.c_str(), &info) == 0);
  Check(info.st_size <= kEmptyBytes + kBytesPerByte * static_cast<int64_t>(input_bytes));
  sqlite3* database = nullptr;
  Check(sqlite3_open_v2(path.c_str(), &database, SQLITE_OPEN_READONLY, nullptr) == SQLITE_OK);
  Check(OneValue(database, "PRAGMA integrity_check") == "ok");
  Check(OneValue(database, "SELECT count(*) FROM rocpd_op WHERE end < start") == "0");
  sqlite3_close(database);
}

void Collect(const spool::HostileSpool& spool, size_t input_bytes) {
  CollectOptions options;
  options.spool = spool.directory();
  options.output = spool.directory() + "/trace.db";
  options.keep_spool = true;
  options.processor_to_spare = [] { return true; };
  Collector collector;
  Check(collector.Start(options).ok());
  CollectResult result;
  Check(collector.Stop({}, &result).ok());
  for (const KindTotals& totals : result.kinds) {
    Check(totals.submitted == totals.recorded + totals.lost());
  }
  CheckDatabase(result.output, input_bytes);
  Check(unlink(result.output.c_str()) == 0);
}

}  // namespace
}  // namespace rtl::store

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static rtl::spool::HostileSpool spool;
  if (spool.Write(data, size)) rtl::store::Collect(spool, size);
  return 0;
}
