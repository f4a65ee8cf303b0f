// SPDX-License-Identifier: MIT
#include "trace/read/trace_database.h"

#include <sqlite3.h>

#include "trace/read/error.h"
#include "trace/read/trace_file.h"

namespace rtl::query {
namespace {

constexpr int kStepsBetweenCancelChecks = 20000;

int StopWhenCancelled(void* flag) {
  return static_cast<const std::atomic<bool>*>(flag)->load(std::memory_order_relaxed) ? 1 : 0;
}

}  // namespace

TraceDatabase::~TraceDatabase() { (void)sqlite3_close_v2(file_.db); }

Status TraceDatabase::Open(const std::string& path) {
  shown_ = path;
  file_.path = path;
  RTL_TRY(CheckTraceFile(path));
  RTL_TRY(OpenDatabase(path, &file_.db));
  const Status status = file_.pages.Open(path);
  return status.ok() ? status : FileError(path, status.message());
}

void TraceDatabase::SetCancel(const std::atomic<bool>* cancel) {
  file_.cancel = cancel;
  sqlite3_progress_handler(file_.db, kStepsBetweenCancelChecks,
                           cancel != nullptr ? StopWhenCancelled : nullptr,
                           const_cast<std::atomic<bool>*>(cancel));
}

Status TraceDatabase::HasTable(std::string_view name, bool* out) const {
  uint64_t count = 0;
  RTL_TRY(Number("SELECT count(*) FROM sqlite_master WHERE type IN ('table', 'view') AND name = ?1",
                 {name}, &count));
  *out = count != 0;
  return Status::Ok();
}

Status TraceDatabase::HasColumn(std::string_view table, std::string_view name, bool* out) const {
  uint64_t count = 0;
  RTL_TRY(
      Number("SELECT count(*) FROM pragma_table_info(?1) WHERE name = ?2", {table, name}, &count));
  *out = count != 0;
  return Status::Ok();
}

Status TraceDatabase::Number(const std::string& sql, std::initializer_list<std::string_view> texts,
                             uint64_t* out) const {
  Statement number;
  RTL_TRY(Prepare(sql, &number));
  int index = 0;
  for (const std::string_view text : texts) RTL_TRY(number.Bind(++index, text));
  bool has_row = false;
  RTL_TRY(number.Step(&has_row));
  *out = has_row ? number.Unsigned(0) : 0;
  return Status::Ok();
}

}  // namespace rtl::query
