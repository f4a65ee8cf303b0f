// SPDX-License-Identifier: MIT
// database.h: a connection of SQLite and prepared statements for writing, with errors as values.
//
// Threads    one at a time
// Blocking   file I/O
// Errors     a Status that names the file and SQLite's reason; if the disk is full, the Status says
//            so
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"

namespace rtl::store {

class Database {
 public:
  Database() = default;
  ~Database() { Close(); }
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  // `shown`: the file's name in errors.
  Status Open(const std::string& path, const std::string& shown);
  // Small pages keep a database with few rows small, because each table and index takes at least
  // one page.
  enum class Pages { kLarge, kSmallAtFirst };
  // Begins the one transaction in which a new database is written. `cache_bytes`: limits the pages
  // that are kept in memory.
  Status BeginBuilding(size_t cache_bytes, Pages pages = Pages::kLarge);
  // Commits, runs `write` while no transaction is open, and begins the transaction again.
  template <typename Write>
  Status Outside(const Write& write) {
    RTL_TRY(Execute("COMMIT"));
    RTL_TRY(write());
    return Execute("BEGIN");
  }
  // The number of the page at which a table's tree begins.
  Status RootPage(const char* table, uint32_t* page);
  bool has_small_pages() const;
  // *outgrown is true if a database with small pages has become too large for them.
  Status OutgrowsPages(bool* outgrown);
  Status GrowPages();
  // Called after the commit, when no statement is left: if the database has little data, rewrites
  // it with small pages.
  Status CompactWhenSmall();
  Status Execute(const char* sql);
  // The highest id in a table; 0: it has no rows.
  Status HighestId(const char* table, int64_t* id) const;
  // Called once. Finalizes the statements, none of which may be used afterwards.
  void Close();

  sqlite3* handle() const { return handle_; }
  const std::string& shown() const { return shown_; }
  Status Failure() const;  // the error of the last call on handle()

 private:
  Status Ask(const char* sql, int64_t* number) const;

  sqlite3* handle_ = nullptr;
  int64_t page_bytes_ = 0;
  std::string cache_;  // the statement that sets the limit of the cache
  std::string shown_;
};

// A SELECT and its current row.
class Query {
 public:
  // If it cannot be prepared, it has no rows.
  Query(sqlite3* db, const char* sql);
  ~Query() { (void)sqlite3_finalize(statement_); }  // repeats the result of the last step
  Query(const Query&) = delete;
  Query& operator=(const Query&) = delete;

  bool is_prepared() const { return statement_ != nullptr; }
  void Bind(int index, int64_t value) { (void)sqlite3_bind_int64(statement_, index, value); }
  // The text must outlive the query.
  void Bind(int index, std::string_view text);
  // Goes to the first or the next row. False if there is none, or after a failure.
  bool Next();
  // False if the query could not be prepared, or not be read to its end.
  bool is_complete() const { return step_ == SQLITE_DONE; }

  bool IsNull(int column) const { return sqlite3_column_type(statement_, column) == SQLITE_NULL; }
  int64_t Int(int column) const { return sqlite3_column_int64(statement_, column); }
  std::string Text(int column) const;  // up to its first zero byte; empty for NULL
  std::string_view Blob(int column) const;

 private:
  sqlite3_stmt* statement_ = nullptr;
  int step_ = SQLITE_ERROR;
};

// A value of a row that is bytes, not text.
struct Blob {
  std::string_view bytes;
};

// A prepared INSERT. `Insert(values…)` binds integers, texts and blobs in order, and steps once. An
// empty std::optional<int64_t> becomes NULL. The database must outlive the statement.
class Statement {
 public:
  Statement() = default;
  ~Statement() { Finalize(); }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  Status Prepare(const Database& database, const char* sql);
  Status Prepare(const Database& database, const std::string& sql) {
    return Prepare(database, sql.c_str());
  }

  template <typename... Values>
  Status Insert(const Values&... values) {
    int index = 0;
    (Bind(++index, values), ...);
    return Step();
  }

  // Inserts a row of a described table (tables.h).
  template <typename Row>
  Status Add(const Row& row) {
    int index = 0;
    ForEachField(row, [&](const auto& value) { Bind(++index, value); });
    return Step();
  }

  // Inserts a row of integers.
  Status InsertRow(const std::optional<int64_t>* values, size_t count) {
    for (size_t i = 0; i < count; ++i) Bind(static_cast<int>(i) + 1, values[i]);
    return Step();
  }

  // True if the last Insert has added a row. With ON CONFLICT DO NOTHING an INSERT may add none.
  bool added() const { return sqlite3_changes64(database_->handle()) != 0; }

  // For a prepared SELECT of one integer by one text: returns the integer of the first row.
  Status Find(std::string_view text, bool* found, int64_t* number);

  void Finalize();

 private:
  template <typename Value>
  void Bind(int index, const Value& value) {
    // A failed bind leaves NULL, and the schema rejects it in the step.
    if constexpr (std::is_same_v<Value, std::optional<int64_t>>) {
      if (value.has_value()) {
        (void)sqlite3_bind_int64(statement_, index, *value);
      } else {
        // needed, because the value of the last row is still bound
        (void)sqlite3_bind_null(statement_, index);
      }
    } else if constexpr (std::is_same_v<Value, std::optional<std::string>>) {
      if (value.has_value()) {
        Bind(index, *value);
      } else {
        (void)sqlite3_bind_null(statement_, index);
      }
    } else if constexpr (std::is_same_v<Value, Blob>) {
      (void)sqlite3_bind_blob64(statement_, index, value.bytes.data(), value.bytes.size(),
                                SQLITE_STATIC);
    } else if constexpr (std::is_convertible_v<Value, std::string_view>) {
      const std::string_view text(value);
      (void)sqlite3_bind_text64(statement_, index, text.data() == nullptr ? "" : text.data(),
                                text.size(), SQLITE_STATIC, SQLITE_UTF8);
    } else if constexpr (std::is_same_v<Value, double>) {
      (void)sqlite3_bind_double(statement_, index, value);
    } else {
      (void)sqlite3_bind_int64(statement_, index, static_cast<sqlite3_int64>(value));
    }
  }
  Status Step();

  const Database* database_ = nullptr;
  sqlite3_stmt* statement_ = nullptr;
};

}  // namespace rtl::store
