// SPDX-License-Identifier: MIT
// row_appender.h: fills an empty table of an SQLite file page by page, with rows of numbers and
// texts in the order of their row ids. SQLite makes the table, and reads the pages as if it had
// written them itself.
//
// Threads    one
// Blocking   file I/O, while SQLite has no transaction open
// Memory     one page; 16 bytes for each leaf page
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "btree/format.h"
#include "btree/leaf_page.h"
#include "btree/page_file.h"
#include "btree/upper_pages.h"

namespace rtl::btree {

// A value of a row. A text must stay valid until the row is appended. The value is written as it is
// given; the caller knows the type of the column.
class Value {
 public:
  Value() = default;  // NULL
  template <std::integral Number>
  explicit Value(Number number)
      : number_(static_cast<int64_t>(number)), type_(btree::TypeOf(number_)) {}
  explicit Value(std::optional<int64_t> number) {
    if (number.has_value()) *this = Value(*number);
  }
  explicit Value(double number);
  explicit Value(std::string_view text)
      : text_(text.data()), type_(kFirstTextType + 2 * uint64_t{text.size()} + 1) {}
  explicit Value(const std::string& text) : Value(std::string_view(text)) {}
  explicit Value(const char* text) : Value(std::string_view(text)) {}

  uint64_t type() const { return type_; }
  size_t bytes() const { return BytesOf(type_); }
  // Writes the value. Returns the address after it.
  uint8_t* Put(uint8_t* at) const;

 private:
  union {
    int64_t number_ = 0;
    const char* text_;
  };
  uint64_t type_ = kNullType;
};

class RowAppender {
 public:
  // `root`: the page at which the tree of the table begins; the tree must be empty. `file` must
  // outlive the last call.
  Status Begin(PageFile* file, uint32_t root);
  // HOT. `id` must be greater than the id of the last row. `values`: one for each column; the value
  // of the row id's column is NULL.
  Status Append(int64_t id, std::span<const Value> values);
  // Writes the remaining rows. From here on SQLite may read and change the table.
  Status Finish();
  int64_t last_id() const { return page_.last(); }  // 0: there is no row

 private:
  Status WriteLeaf();
  Status BeginCell(int64_t id, size_t record, size_t rest, uint8_t** out);
  Status AppendLong(int64_t id, std::span<const Value> values, size_t header, size_t record);

  PageFile* file_ = nullptr;
  uint32_t root_ = 0;
  LeafPage page_;
  std::vector<Leaf> leaves_;
};

}  // namespace rtl::btree
