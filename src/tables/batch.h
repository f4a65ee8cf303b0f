// SPDX-License-Identifier: MIT
// batch.h: rows of a table, column by column, in the layout of Apache Arrow: the values, a bit for
// each row that has a value, and for names an index into a dictionary.
//
// Threads    a finished batch: any; a builder: one
// Memory     8 bytes for a value that differs from that of the row before it. Columns whose values
//            are
//            all equal or all missing share their memory with other batches
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tables/columns.h"

namespace rtl::tables {

inline constexpr size_t kBatchRows = 65536;

// Texts one after the other: text i is bytes[offsets[i], offsets[i + 1]).
struct TextList {
  std::vector<int32_t> offsets = {0};
  std::string bytes;

  size_t size() const { return offsets.size() - 1; }
  std::string_view operator[](size_t i) const {
    return std::string_view(bytes).substr(static_cast<size_t>(offsets[i]),
                                          static_cast<size_t>(offsets[i + 1] - offsets[i]));
  }
  void Add(std::string_view text) {
    bytes.append(text);
    offsets.push_back(static_cast<int32_t>(bytes.size()));
  }
};

// Numbers the different texts of a column.
class Dictionary {
 public:
  // The number of a text. A text that is not valid UTF-8 is repaired first.
  int32_t Key(std::string_view text);
  // The texts so far. Later texts do not change the returned list.
  std::shared_ptr<const TextList> Texts();
  // Clears a dictionary that has grown large: otherwise every batch of a column whose texts are
  // always new would keep all old texts. True: it was cleared, and numbers begin at zero.
  bool Trim();

 private:
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  std::unordered_map<std::string, int32_t, Hash, std::equal_to<>> keys_;
  TextList texts_;
  std::shared_ptr<const TextList> shared_;
};

// Bytes with shared ownership.
using Bytes = std::shared_ptr<const void>;

// One column of a batch. The memory of `values` and `valid` is padded to 64 bytes.
struct ColumnValues {
  ColumnType type = ColumnType::kInteger;
  size_t nulls = 0;
  Bytes valid;   // a bit for each row, the lowest bit first; null: every row has a value
  Bytes values;  // int64_t or double for each row; for names int32_t, an index into `texts`
  // For names: the dictionary; for texts: the text of each row.
  std::shared_ptr<const TextList> texts;

  const int64_t* integers() const { return static_cast<const int64_t*>(values.get()); }
  const double* reals() const { return static_cast<const double*>(values.get()); }
  const int32_t* keys() const { return static_cast<const int32_t*>(values.get()); }
  bool IsNull(size_t row) const {
    return valid != nullptr &&
           (static_cast<const uint64_t*>(valid.get())[row / 64] >> (row % 64) & 1) == 0;
  }
};

struct Batch {
  size_t rows = 0;
  std::vector<ColumnValues> columns;  // in the order of the request
};

// Collects the values of one column of the current batch.
class ColumnBuilder {
 public:
  explicit ColumnBuilder(ColumnType type) : type_(type) {}

  ColumnType type() const { return type_; }
  // Sets the value of a row. Rows must come in order; a row without a call is NULL.
  void Set(size_t row, uint64_t value) {
    if (row == run_ && value == value_) [[likely]] {
      ++run_;  // nothing is stored while all values are equal
      return;
    }
    SetOther(row, value);
  }
  void SetText(size_t row, std::string_view text);
  Dictionary& dictionary() { return dictionary_; }
  size_t text_bytes() const { return lines_.bytes.size(); }

  // Returns the column of a batch of `rows` rows, and begins the next batch.
  ColumnValues Finish(size_t rows);

 private:
  static constexpr size_t kMaskWords = kBatchRows / 64;

  void SetOther(size_t row, uint64_t value);
  void Store(size_t row, uint64_t value);
  void MakeRoom();
  Bytes Repeated(uint64_t value);

  ColumnType type_;
  size_t run_ = 0;          // so many rows at the beginning have value_
  uint64_t value_ = 0;      // kept for the next batches, until another value comes
  bool is_stored_ = false;  // false: all rows have value_, and stored_ is not used
  size_t set_ = 0;          // values in stored_
  size_t filled_ = 0;       // rows in stored_, including those without a value
  std::shared_ptr<uint64_t[]> stored_;
  std::shared_ptr<uint64_t[]> mask_;
  Bytes repeated_;  // a whole batch in which every row has repeated_value_
  uint64_t repeated_value_ = 0;
  Dictionary dictionary_;
  TextList lines_;
};

}  // namespace rtl::tables
