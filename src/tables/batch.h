// SPDX-License-Identifier: MIT
// batch.h: rows of a table, column by column, in the layout of Apache Arrow: values, a bit for each
// value that is there, and for names a number in a dictionary.
//
// Threads    a finished batch: any. A builder: one
// Memory     8 bytes for a value that differs from that of the row before it. Columns in which all
//            values are equal or missing share their memory with other batches
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

// The different texts of a column, each with a number.
class Dictionary {
 public:
  // The text's number; texts that are no UTF-8 are repaired.
  int32_t Key(std::string_view text);
  // The texts so far. They stay as they are.
  std::shared_ptr<const TextList> Texts();
  // Of a column with ever new texts, old ones would be kept in every batch. True: the numbers begin
  // anew.
  bool Trim();

 private:
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  std::unordered_map<std::string, int32_t, Hash, std::equal_to<>> keys_;
  TextList texts_;
  std::shared_ptr<const TextList> shared_;
};

// Bytes that live as long as something refers to them.
using Bytes = std::shared_ptr<const void>;

// One column of a batch. The memory of `values` and `valid` is padded to 64 bytes.
struct ColumnValues {
  ColumnType type = ColumnType::kInteger;
  size_t nulls = 0;
  Bytes valid;   // a bit for each row, the lowest bit first; null: no value is missing
  Bytes values;  // int64_t or double for each row; of names: int32_t, the number in `texts`
  std::shared_ptr<const TextList> texts;  // of names: the dictionary; of texts: one for each row

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

// The values of one column while its batch is made.
class ColumnBuilder {
 public:
  explicit ColumnBuilder(ColumnType type) : type_(type) {}

  ColumnType type() const { return type_; }
  // The value of row `row`; rows without one are NULL. Rows come in order.
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

  // The column of a batch of `rows` rows; the next one begins.
  ColumnValues Finish(size_t rows);

 private:
  static constexpr size_t kMaskWords = kBatchRows / 64;

  void SetOther(size_t row, uint64_t value);
  void Store(size_t row, uint64_t value);
  void MakeRoom();
  Bytes Repeated(uint64_t value);

  ColumnType type_;
  size_t run_ = 0;          // the first rows have value_
  uint64_t value_ = 0;      // the same in all batches until another comes
  bool is_stored_ = false;  // otherwise only the run is there
  size_t set_ = 0;          // values in stored_
  size_t filled_ = 0;       // rows in it, with those without a value
  std::shared_ptr<uint64_t[]> stored_;
  std::shared_ptr<uint64_t[]> mask_;
  Bytes repeated_;  // a whole batch of repeated_value_
  uint64_t repeated_value_ = 0;
  Dictionary dictionary_;
  TextList lines_;
};

}  // namespace rtl::tables
