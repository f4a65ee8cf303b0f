// SPDX-License-Identifier: MIT
// table_builder.h: fills a table of an SQLite file page by page, with rows of integers that each
// have a row id. SQLite makes the table, and reads the pages as if it had written them itself.
//
// Rows are collected, and written in batches in the order of their ids. Rows may be added in any
// order: if a batch has rows for a leaf that is written already, the leaf is written again. Until
// Finish, SQLite sees the table as it was at Adopt, and must not change it.
//
// Threads    one
// Blocking   file I/O, in Write and Finish, while SQLite has no transaction open
// Memory     the rows of a batch; 16 bytes for each leaf page (16 KB of rows)
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include "base/status.h"
#include "btree/leaf_page.h"
#include "btree/page_file.h"
#include "btree/upper_pages.h"

namespace rtl::btree {

// The value that stands for NULL in a column.
inline constexpr int64_t kNull = INT64_MIN;

class TableBuilder {
 public:
  static constexpr size_t kMostColumns = 15;
  static constexpr size_t kBatchRows = 8192;  // this many rows fit into the cache of one processor

  // `columns`: the number of columns without the row id, which is the table's first column (INTEGER
  // PRIMARY KEY). `batch_rows`: should be larger the more the ids are out of order.
  explicit TableBuilder(size_t columns, size_t batch_rows = kBatchRows)
      : columns_(columns), batch_rows_(batch_rows) {}

  // Continues the table whose tree begins at page `root`, with the rows that it has.
  Status Adopt(PageFile* file, uint32_t root);
  // HOT. True if the batch is full; the caller must then call Write.
  bool Add(int64_t id, std::initializer_list<int64_t> values);
  // Writes the batch. If several rows have the same id, only the first one is stored. `twice` gets
  // the ids of the others, unless it is null.
  Status Write(PageFile* file, std::vector<int64_t>* twice = nullptr);
  // Writes the batch and the tree. From here on SQLite may read and change the table. Adopt must be
  // called before further rows are added.
  Status Finish(PageFile* file, std::vector<int64_t>* twice = nullptr);
  // Finds the row with this id, whether it is written or not. *found is false if there is none.
  Status Find(const PageFile& file, int64_t id, std::span<int64_t> values, bool* found) const;

 private:
  struct Cell {
    int64_t id;
    const uint8_t* bytes;
    size_t size;
  };
  class OldRows;

  Status AdoptPage(PageFile* file, uint32_t page, int depth);
  Status ReadCells(const PageFile& file, const uint8_t* page, std::vector<Cell>* cells) const;
  void SortBatch();
  size_t EndOfRows(size_t leaf, size_t first) const;
  Status Merge(PageFile* file, std::span<const Leaf> leaves, size_t first, size_t last,
               std::vector<int64_t>* twice);
  Status Put(PageFile* file, LeafPage* page, const Cell& cell, size_t most);
  Status WriteLeaf(PageFile* file, LeafPage* page);
  const int64_t* Row(size_t place) const { return &batch_[order_[place] * Stride()]; }
  size_t Stride() const { return columns_ + 1; }
  size_t Encode(const int64_t* row, uint8_t* cell) const;
  bool DecodeRow(const Cell& cell, std::span<int64_t> values) const;

  size_t columns_;
  size_t batch_rows_;
  uint32_t root_ = 0;
  std::vector<int64_t> batch_;   // the room for rows: each has its id, then its columns
  size_t rows_ = 0;              // number of rows in the batch
  std::vector<uint32_t> order_;  // indexes of the batch's rows, ordered by id
  std::vector<Leaf> leaves_;
  std::vector<Leaf> merged_;        // the new list of leaves while a batch is written
  std::vector<uint32_t> reusable_;  // pages that can be used for the leaves of the present merge
};

}  // namespace rtl::btree
