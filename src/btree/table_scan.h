// SPDX-License-Identifier: MIT
// table_scan.h: reads the rows of a table in an SQLite file in the order of their row ids, with the
// integers in some of the table's columns.
//
// Threads    one
// Blocking   file I/O, once per kAheadBytes of pages that follow one another in the file
// Memory     one page for each level of the table, at most kMostLevels, and kAheadBytes
// Errors     one line without the path, which the caller adds. The file is not trusted: a damaged
//            page ends the scan with an error, and no table can make the scan read more pages than
//            the file has
// Why        SQLite's statements take about 100 ns per column: docs/adr/0120-reading-without-sql.md
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/status.h"
#include "btree/database_file.h"

namespace rtl::btree {

class TableScan {
 public:
  static constexpr size_t kMostColumns = 32;
  static constexpr size_t kMostLevels = 20;  // the same limit as in SQLite

  // `root`: the page of `file` at which the table's tree begins; `file` must outlive the scan.
  // `positions`: the positions of the wanted columns in a row, at most kMostColumns, each once.
  // Values are returned in the same order.
  Status Open(const DatabaseFile& file, uint32_t root, std::span<const size_t> positions);
  // Goes back to before the first row.
  void Rewind();
  Status Next(bool* has_row) {
    *has_row = leaf_ != nullptr && leaf_->next_cell < leaf_->cells;
    if (!*has_row) RTL_TRY(NextLeaf(has_row));
    return *has_row ? ReadRow() : Status::Ok();
  }

  // The id of the current row. A column that is INTEGER PRIMARY KEY is NULL in the row, because its
  // value is the row id.
  int64_t row_id() const { return row_id_; }
  // The value in the current row. 0 for NULL, and for a column that the row does not have. A real
  // number is converted as SQLite does.
  int64_t Int(size_t column) const { return values_[column]; }
  bool IsNull(size_t column) const { return (nulls_ >> column & 1) != 0; }

 private:
  static constexpr uint8_t kUnwanted = 0xff;
  static constexpr size_t kAheadBytes = 65536;
  static constexpr size_t kMostShapeBytes = 16;
  static constexpr size_t kShapes = 64;

  struct Level {
    std::unique_ptr<uint8_t[]> bytes;
    uint32_t page = 0;
    bool is_leaf = false;
    size_t header = 0;  // offset of the page's header
    size_t cells = 0;
    size_t next_cell = 0;  // an interior page has one more child than it has cells
  };

  // How to read the rows that have this record header, which contains the types of all columns. The
  // rows of a table have only few different headers. If the header is known, the wanted values are
  // read without decoding the types.
  struct Shape {
    uint64_t header[2] = {};  // zeros: the shape is not set
    size_t record_bytes = 0;  // the smallest size of such a record
    uint64_t nulls = 0;
    struct Value {
      uint8_t offset = 0;  // offset of the value in the record
      uint8_t shift = 0;   // shift of the eight bytes read there, in big-endian order
      int8_t keep = 0;     // -1: the bytes are the value; 0: the bytes belong to another column
      uint8_t plus = 0;
    };
    Value values[kMostColumns];
  };

  Status NextLeaf(bool* found);
  Status ReadPage(uint32_t page, uint8_t* out);
  Status Descend(uint32_t page);
  Status NextChild(Level* level, uint32_t* child) const;
  Status PlaceOfCell(const Level& level, size_t cell, size_t* out) const;
  Status ReadRow();
  Status ReadRecord(const uint8_t* at, const uint8_t* end, uint32_t page);
  void SetShape(const uint8_t* at, const uint64_t* header, Shape* shape) const;
  Status SetOther(size_t column, uint64_t type, const uint8_t* at, uint32_t page);

  const DatabaseFile* file_ = nullptr;
  uint32_t root_ = 0;
  bool is_rewound_ = true;
  uint64_t pages_left_ = 0;  // most pages that the table can still have
  // for each position: the index of the wanted column, or kUnwanted
  std::vector<uint8_t> column_at_;
  std::vector<Level> levels_;
  size_t levels_in_use_ = 0;
  Level* leaf_ = nullptr;  // null before the first row and after the last one
  uint32_t last_leaf_ = 0;
  std::unique_ptr<uint8_t[]> ahead_;  // pages that were read together
  uint32_t ahead_first_ = 0;
  uint32_t ahead_count_ = 0;

  size_t columns_ = 0;
  std::vector<Shape> shapes_;  // indexed by a hash of the header
  int64_t row_id_ = 0;
  uint64_t all_nulls_ = 0;
  uint64_t nulls_ = 0;
  int64_t values_[kMostColumns] = {};
};

}  // namespace rtl::btree
