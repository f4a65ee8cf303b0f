// SPDX-License-Identifier: MIT
// database.h: SQLite with errors as values: a connection and prepared statements, for writing.
//
// Threads    one at a time
// Blocking   file I/O
// Errors     a Status that names the file and SQLite's reason; a full disk is named as such
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

  // `shown`: the name that errors use.
  Status Open(const std::string& path, const std::string& shown);
  // Small pages keep a database with few rows small: each table and index takes at least one page.
  enum class Pages { kLarge, kSmallAtFirst };
  // Begins the one transaction in which a new database is written. `cache_bytes`: the limit of its
  // pages in memory.
  Status BeginBuilding(size_t cache_bytes, Pages pages = Pages::kLarge);
  // Runs `write` while no transaction is open.
  template <typename Write>
  Status Outside(const Write& write) {
    RTL_TRY(Execute("COMMIT"));
    RTL_TRY(write());
    return Execute("BEGIN");
  }
  // The page at which a table's tree begins.
  Status RootPage(const char* table, uint32_t* page);
  bool has_small_pages() const;
  // Whether a database with small pages has outgrown them.
  Status OutgrowsPages(bool* outgrown);
  Status GrowPages();
  // After the commit, with no statement left: rewrites a database with little data in small pages.
  Status CompactWhenSmall();
  Status Execute(const char* sql);
  void Close();

  sqlite3* handle() const { return handle_; }
  const std::string& shown() const { return shown_; }
  Status Failure() const;  // of the last call on handle()

 private:
  Status Ask(const char* sql, int64_t* number);

  sqlite3* handle_ = nullptr;
  int64_t page_bytes_ = 0;
  std::string cache_;  // the statement that sets the cache's limit
  std::string shown_;
};

// Bytes as one value of a row.
struct Blob {
  std::string_view bytes;
};

// A prepared INSERT. `Insert(values…)` binds integers, texts and blobs in order and steps once. An
// empty std::optional<int64_t> is NULL.
class Statement {
 public:
  Statement() = default;
  ~Statement() { sqlite3_finalize(statement_); }
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

  // The same for a row of a described table (tables.h).
  template <typename Row>
  Status Add(const Row& row) {
    int index = 0;
    ForEachField(row, [&](const auto& value) { Bind(++index, value); });
    return Step();
  }

  // The same for any number of integers.
  Status InsertRow(const std::optional<int64_t>* values, size_t count) {
    for (size_t i = 0; i < count; ++i) Bind(static_cast<int>(i) + 1, values[i]);
    return Step();
  }

  // Whether the last Insert added a row; an INSERT with ON CONFLICT DO NOTHING may not.
  bool added() const { return sqlite3_changes64(database_->handle()) != 0; }

  // For a prepared SELECT of one integer by one text: its first row.
  Status Find(std::string_view text, bool* found, int64_t* number);

  void Finalize();

 private:
  template <typename Value>
  void Bind(int index, const Value& value) {
    // A failed bind leaves NULL, which the schema rejects in the step.
    if constexpr (std::is_same_v<Value, std::optional<int64_t>>) {
      if (value.has_value()) {
        (void)sqlite3_bind_int64(statement_, index, *value);
      } else {
        (void)sqlite3_bind_null(statement_, index);  // the last row's value is still there
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
