// SPDX-License-Identifier: MIT
// statement.h: one prepared SELECT and its current row.
//
// Threads    one at a time, the same as its connection
// Memory     owns the statement; finalised with the object
// Errors     a Status that names the trace
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/status.h"

struct sqlite3;
struct sqlite3_stmt;

namespace rtl::query {

class Statement {
 public:
  Statement() = default;
  Statement(Statement&& other) noexcept;
  Statement& operator=(Statement&& other) noexcept;
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;
  ~Statement();

  bool is_prepared() const { return statement_ != nullptr; }
  Status Prepare(sqlite3* db, const std::string& path, const char* sql);
  Status Bind(int index, int64_t value);
  Status Bind(int index, std::string_view text);
  // *has_row is false after the last row; the statement is rewound then.
  Status Step(bool* has_row);
  Status Rewind();

  int64_t Int(int column) const;
  bool IsNull(int column) const;
  uint64_t Unsigned(int column) const { return static_cast<uint64_t>(Int(column)); }
  double Real(int column) const;
  // Valid until the next Step. Empty for NULL.
  std::string_view Text(int column) const;
  std::string_view Blob(int column) const;

  template <typename Value>
  void Get(int column, Value* out) const {
    if constexpr (std::is_same_v<Value, std::string>) {
      *out = std::string(Text(column));
    } else if constexpr (std::is_same_v<Value, double>) {
      *out = Real(column);
    } else if constexpr (std::is_arithmetic_v<Value>) {
      *out = static_cast<Value>(Int(column));
    } else if (!IsNull(column)) {
      Get(column, &out->emplace());
    }
  }

 private:
  Status Check(int code) const;

  sqlite3* db_ = nullptr;
  sqlite3_stmt* statement_ = nullptr;
  std::string path_;
};

// For a column with 32-bit values.
inline uint32_t Narrow(int64_t value) { return static_cast<uint32_t>(value); }

// Copies a column's text, which is valid only with its row.
inline std::string Copy(std::string_view text) { return std::string(text); }

}  // namespace rtl::query
