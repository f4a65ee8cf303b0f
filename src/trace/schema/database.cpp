// SPDX-License-Identifier: MIT
#include "trace/schema/database.h"

#include <errno.h>
#include <string.h>

namespace rtl::store {
namespace {

// No journal, because only a complete file is used. No exclusive locking, so that SQLite notices
// pages that were written by other code (btree/page_file.h).
constexpr char kBuildPragmas[] =
    "PRAGMA journal_mode = OFF;"
    "PRAGMA synchronous = OFF;"
    "PRAGMA temp_store = MEMORY;";

// Large pages, because rows come in order and are never updated.
constexpr int64_t kPageBytes = 16384;
// Each table and index takes at least one page of this size.
constexpr int64_t kSmallPageBytes = 512;
// A database of this size is rewritten in a few milliseconds.
constexpr int64_t kSmallBytes = 1 << 20;

}  // namespace

Status Database::Open(const std::string& path, const std::string& shown) {
  shown_ = shown;
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  const int opened = sqlite3_open_v2(path.c_str(), &handle_, flags, nullptr);
  return opened == SQLITE_OK ? Status::Ok() : Failure();
}

Status Database::BeginBuilding(size_t cache_bytes, Pages pages) {
  RTL_TRY(Execute(kBuildPragmas));
  const int64_t bytes = pages == Pages::kSmallAtFirst ? kSmallPageBytes : kPageBytes;
  RTL_TRY(Execute(("PRAGMA page_size = " + std::to_string(bytes)).c_str()));
  cache_ = "PRAGMA cache_size = -" + std::to_string(cache_bytes >> 10);
  RTL_TRY(Execute(cache_.c_str()));
  RTL_TRY(Ask("PRAGMA page_size", &page_bytes_));  // an existing file keeps its page size
  return Execute("BEGIN");
}

Status Database::HighestId(const char* table, int64_t* id) const {
  return Ask((std::string("SELECT max(id) FROM ") + table).c_str(), id);
}

Status Database::RootPage(const char* table, uint32_t* page) {
  int64_t number = 0;
  const std::string sql =
      std::string("SELECT rootpage FROM sqlite_schema WHERE name = '") + table + "'";
  RTL_TRY(Ask(sql.c_str(), &number));
  *page = static_cast<uint32_t>(number);
  return Status::Ok();
}

bool Database::has_small_pages() const { return page_bytes_ < kPageBytes; }

Status Database::OutgrowsPages(bool* outgrown) {
  *outgrown = false;
  if (!has_small_pages()) return Status::Ok();
  int64_t pages = 0;
  RTL_TRY(Ask("PRAGMA page_count", &pages));
  *outgrown = pages * page_bytes_ > kSmallBytes;
  return Status::Ok();
}

Status Database::GrowPages() {
  RTL_TRY(Execute("COMMIT; PRAGMA page_size = 16384; VACUUM"));
  // VACUUM resets the limit, and without it all pages would stay in memory
  RTL_TRY(Execute((cache_ + "; BEGIN").c_str()));
  return Ask("PRAGMA page_size", &page_bytes_);
}

Status Database::CompactWhenSmall() {
  int64_t pages = 0;
  RTL_TRY(Ask("PRAGMA page_count", &pages));
  if (pages * page_bytes_ > kSmallBytes) return Status::Ok();
  return Execute("PRAGMA page_size = 512; VACUUM");
}

void Database::Close() {
  if (handle_ == nullptr) return;
  while (sqlite3_stmt* const left = sqlite3_next_stmt(handle_, nullptr)) {
    (void)sqlite3_finalize(left);  // repeats the result of the last step
  }
  (void)sqlite3_close(handle_);
  handle_ = nullptr;
}

Status Database::Execute(const char* sql) {
  if (sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr) != SQLITE_OK) return Failure();
  return Status::Ok();
}

Status Database::Ask(const char* sql, int64_t* number) const {
  Query query(handle_, sql);
  if (!query.Next()) return Failure();
  *number = query.Int(0);
  return Status::Ok();
}

Status Database::Failure() const {
  if (handle_ == nullptr) return Status::Error("cannot write %s: out of memory", shown_.c_str());
  const int code = sqlite3_errcode(handle_) & 0xff;
  const int system = sqlite3_system_errno(handle_);
  if (code == SQLITE_FULL || (code == SQLITE_IOERR && system == ENOSPC)) {
    return Status::Error("cannot write %s: the disk is full", shown_.c_str());
  }
  if ((code == SQLITE_IOERR || code == SQLITE_CANTOPEN) && system != 0) {
    return Status::ErrnoError(system, "cannot write %s", shown_.c_str());
  }
  return Status::Error("cannot write %s: %s", shown_.c_str(), sqlite3_errmsg(handle_));
}

Query::Query(sqlite3* db, const char* sql) {
  (void)sqlite3_prepare_v2(db, sql, -1, &statement_, nullptr);  // on failure null
}

void Query::Bind(int index, std::string_view text) {
  (void)sqlite3_bind_text64(statement_, index, text.data(), text.size(), SQLITE_STATIC,
                            SQLITE_UTF8);
}

bool Query::Next() {
  if (statement_ != nullptr) step_ = sqlite3_step(statement_);
  return step_ == SQLITE_ROW;
}

std::string Query::Text(int column) const {
  const unsigned char* const text = sqlite3_column_text(statement_, column);
  return text == nullptr ? "" : reinterpret_cast<const char*>(text);
}

std::string_view Query::Blob(int column) const {
  const auto* const bytes = static_cast<const char*>(sqlite3_column_blob(statement_, column));
  return {bytes, static_cast<size_t>(sqlite3_column_bytes(statement_, column))};
}

Status Statement::Prepare(const Database& database, const char* sql) {
  database_ = &database;
  if (sqlite3_prepare_v3(database.handle(), sql, -1, SQLITE_PREPARE_PERSISTENT, &statement_,
                         nullptr) != SQLITE_OK) {
    return database.Failure();
  }
  return Status::Ok();
}

Status Statement::Step() {
  const int result = sqlite3_step(statement_);
  if (result == SQLITE_DONE || result == SQLITE_ROW) {
    (void)sqlite3_reset(statement_);  // repeats the result of the step
    return Status::Ok();
  }
  const Status failure = database_->Failure();
  (void)sqlite3_reset(statement_);
  return failure;
}

Status Statement::Find(std::string_view text, bool* found, int64_t* number) {
  Bind(1, text);
  const int step = sqlite3_step(statement_);
  *found = step == SQLITE_ROW;
  if (*found) *number = sqlite3_column_int64(statement_, 0);
  const Status result =
      step == SQLITE_ROW || step == SQLITE_DONE ? Status::Ok() : database_->Failure();
  (void)sqlite3_reset(statement_);  // repeats the result of the step
  return result;
}

void Statement::Finalize() {
  const bool is_open = database_ != nullptr && database_->handle() != nullptr;
  if (is_open) (void)sqlite3_finalize(statement_);  // repeats the result of the last step
  statement_ = nullptr;
}

}  // namespace rtl::store
