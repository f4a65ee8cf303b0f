// SPDX-License-Identifier: MIT
// row_sorter.h: sorts rows. It is fast for rows that are nearly in order, and correct for all
// others.
//
// Rows are read twice, in blocks. In the first pass, a row is late if it belongs before a row of
// the last block but one. Late rows are kept in memory, or as sorted runs in a temporary file. In
// the second pass, the rows that are not late can be sorted with two blocks of memory, and are
// merged with the late rows. Rows that are in order already are passed on as they come.
//
//   blocks        | 1 2 4 3 | 7 5 6 8 | 9 2 11 10 | 12 …
//   late                          2: block 1 had a 4
//   two blocks    | 1 2 3 4 | 5 6 7 8 | 9 10 11   | …
//
// Threads    one
// Blocking   reads the source; may write and read a temporary file
// Memory     two blocks, and the late rows of one run; if there are few rows: all rows
// Errors     those of the source and of SortFile
// Why        docs/adr/0120-reading-without-sql.md
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "trace/read/run_sorter.h"

namespace rtl::query {

// Finds the rows that are late, in the order of reading.
class LateRows {
 public:
  explicit LateRows(size_t block) : block_(block) {}
  bool IsLate(const SortKey& key) {
    if (rows_++ % block_ == 0) {
      before_last_ = last_;
      last_ = highest_;
    }
    if (key >= highest_) [[likely]] {
      highest_ = key;
      return false;
    }
    in_order_ = false;
    return key < before_last_;
  }
  bool in_order() const { return in_order_; }
  // Rows with a smaller key can only come as late rows.
  const SortKey& settled() const { return last_; }

 private:
  size_t block_;
  size_t rows_ = 0;
  bool in_order_ = true;
  // greatest keys: up to the last block but one, up to the last block, and so far
  SortKey before_last_, last_, highest_;
};

// Returns the rows of `Source` in the order of their keys. A source has the type Row, with a
// SortKey `key`; Next(Row*, bool* has_row); Rewind(); and CheckCancel(), which returns an error if
// the sorting must stop.
template <typename Source>
class RowSorter {
 public:
  using Row = typename Source::Row;

  explicit RowSorter(const SortLimits& limits = {})
      : limits_(limits), late_rule_(limits.block), late_(limits) {}

  // `source`: open and at its beginning. `trace`: the path of its file.
  Status Open(Source source, const std::string& trace) {
    source_ = std::move(source);
    late_.SetTrace(trace);
    bool is_whole = true;  // true if all rows are in rows_
    for (;;) {
      Row row;
      bool has_row = false;
      RTL_TRY(source_.Next(&row, &has_row));
      if (!has_row) break;
      if (late_rule_.IsLate(row.key)) {
        RTL_TRY(late_.Add(row));
      } else if (rows_.size() < 2 * limits_.block) {
        rows_.push_back(row);
      } else {
        is_whole = false;
      }
    }
    RTL_TRY(late_.Finish());
    is_streamed_ = late_rule_.in_order() && !is_whole;
    is_read_ = is_whole;
    if (is_whole) {
      SortRows();
      ready_ = rows_.size();
      return Status::Ok();
    }
    rows_.clear();
    late_rule_ = LateRows(limits_.block);
    source_.Rewind();
    return Status::Ok();
  }

  Status Next(Row* row, bool* has_row) {
    if (is_streamed_) return source_.Next(row, has_row);
    while (next_ == ready_ && !is_read_) RTL_TRY(ReadBlock());
    const Row* const other = late_.First();
    const Row* const one = next_ < ready_ ? &rows_[order_[next_].place] : nullptr;
    *has_row = one != nullptr || other != nullptr;
    if (one != nullptr && (other == nullptr || one->key < other->key)) {
      *row = *one;
      ++next_;
      return Status::Ok();
    }
    if (other == nullptr) return Status::Ok();
    *row = *other;
    if (++merged_ % kRowsBetweenCancelChecks == 0) RTL_TRY(source_.CheckCancel());
    return late_.Advance();
  }

  // The number of runs of late rows that did not fit into memory.
  size_t runs() const { return late_.runs(); }

 private:
  static constexpr size_t kRowsBetweenCancelChecks = 1024;

  struct Place {
    int64_t time;
    size_t place;  // index in rows_
  };

  // Reads a block, adds it to the remaining rows, and finds those that are now settled.
  Status ReadBlock() {
    left_.clear();
    for (; next_ < order_.size(); ++next_) left_.push_back(rows_[order_[next_].place]);
    rows_.swap(left_);
    for (size_t i = 0; i < limits_.block && !is_read_; ++i) {
      Row row;
      bool has_row = false;
      RTL_TRY(source_.Next(&row, &has_row));
      is_read_ = !has_row;
      if (has_row && !late_rule_.IsLate(row.key)) rows_.push_back(row);
    }
    SortRows();
    ready_ = rows_.size();
    while (!is_read_ && ready_ > 0 && rows_[order_[ready_ - 1].place].key > late_rule_.settled()) {
      --ready_;
    }
    return Status::Ok();
  }

  void SortRows() {
    order_.clear();
    for (size_t i = 0; i < rows_.size(); ++i) order_.push_back({rows_[i].key.time, i});
    const auto before = [this](const Place& a, const Place& b) {
      return a.time != b.time ? a.time < b.time : rows_[a.place].key < rows_[b.place].key;
    };
    if (!std::is_sorted(order_.begin(), order_.end(), before)) {
      std::sort(order_.begin(), order_.end(), before);
    }
    next_ = 0;
  }

  SortLimits limits_;
  Source source_;
  LateRows late_rule_;
  RunSorter<Row> late_;
  bool is_streamed_ = false;
  bool is_read_ = true;  // the source has no more rows
  std::vector<Row> rows_;
  std::vector<Row> left_;     // kept between blocks to reuse its memory
  std::vector<Place> order_;  // the order of rows_
  size_t next_ = 0;           // index in order_ of the next row
  size_t ready_ = 0;          // number of rows in order_ that are settled
  size_t merged_ = 0;         // number of late rows that were returned
};

}  // namespace rtl::query
