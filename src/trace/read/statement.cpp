// SPDX-License-Identifier: MIT
#include "trace/read/statement.h"

#include <sqlite3.h>

#include <utility>

#include "trace/read/error.h"

namespace rtl::query {

Statement::Statement(Statement&& other) noexcept
    : db_(other.db_),
      statement_(std::exchange(other.statement_, nullptr)),
      path_(std::move(other.path_)) {}

Statement& Statement::operator=(Statement&& other) noexcept {
  std::swap(db_, other.db_);
  std::swap(statement_, other.statement_);
  std::swap(path_, other.path_);
  return *this;
}

Statement::~Statement() {
  // Returns the error of the last step once more, which Step has returned already.
  (void)sqlite3_finalize(statement_);
}

Status Statement::Prepare(sqlite3* db, const std::string& path, const char* sql) {
  db_ = db;
  path_ = path;
  return Check(sqlite3_prepare_v2(db, sql, -1, &statement_, nullptr));
}

Status Statement::Check(int code) const {
  return code == SQLITE_OK ? Status::Ok() : SqliteError(path_, db_, code);
}

Status Statement::Bind(int index, int64_t value) {
  return Check(sqlite3_bind_int64(statement_, index, value));
}

Status Statement::Bind(int index, std::string_view text) {
  return Check(sqlite3_bind_text(statement_, index, text.data(), static_cast<int>(text.size()),
                                 SQLITE_TRANSIENT));
}

Status Statement::Step(bool* has_row) {
  const int code = sqlite3_step(statement_);
  *has_row = code == SQLITE_ROW;
  if (code == SQLITE_ROW) return Status::Ok();
  if (code == SQLITE_DONE) return Rewind();
  return SqliteError(path_, db_, code);
}

Status Statement::Rewind() { return Check(sqlite3_reset(statement_)); }

bool Statement::IsNull(int column) const {
  return sqlite3_column_type(statement_, column) == SQLITE_NULL;
}

int64_t Statement::Int(int column) const { return sqlite3_column_int64(statement_, column); }

double Statement::Real(int column) const { return sqlite3_column_double(statement_, column); }

std::string_view Statement::Text(int column) const {
  const unsigned char* text = sqlite3_column_text(statement_, column);
  if (text == nullptr) return {};
  const int bytes = sqlite3_column_bytes(statement_, column);
  return {reinterpret_cast<const char*>(text), static_cast<size_t>(bytes)};
}

std::string_view Statement::Blob(int column) const {
  const void* bytes = sqlite3_column_blob(statement_, column);
  if (bytes == nullptr) return {};
  return {static_cast<const char*>(bytes),
          static_cast<size_t>(sqlite3_column_bytes(statement_, column))};
}

}  // namespace rtl::query
