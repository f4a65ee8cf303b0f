// SPDX-License-Identifier: MIT
// run_sorter.h: sorts rows that come in any order, in memory or as runs in a temporary file, which
// are merged.
//
// Threads    one
// Blocking   writes and reads the temporary file if the rows are more than one run
// Memory     one run, or as many rows of each run as SortLimits::merged allows
// Errors     those of SortFile
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "base/status.h"
#include "trace/read/sort_file.h"

namespace rtl::query {

struct SortKey {
  int64_t time = std::numeric_limits<int64_t>::min();
  int64_t then = 0;  // decides between rows with the same time; 0: does not decide
  int64_t id = 0;    // decides last: the row that comes first in the trace
  // clang-tidy takes the zero with which the compiler compares for a null pointer.
  // NOLINTNEXTLINE(modernize-use-nullptr)
  friend auto operator<=>(const SortKey&, const SortKey&) = default;
};

// How many rows are kept in memory.
struct SortLimits {
  size_t block = 16384;
  size_t run = 65536;
  size_t merged = 1 << 17;  // rows of all runs together; at least one of each run
};

// Sorts rows that come in any order.
template <typename Row>
class RunSorter {
  static_assert(std::is_trivially_copyable_v<Row>, "rows go to a file as they are");

 public:
  explicit RunSorter(const SortLimits& limits) : limits_(limits) {}
  void SetTrace(const std::string& trace) { file_.SetTrace(trace); }

  Status Add(const Row& row) {
    if (rows_.size() == limits_.run) RTL_TRY(Spill());
    rows_.push_back(row);
    return Status::Ok();
  }
  // To be called after the last Add.
  Status Finish() {
    if (runs_.empty()) {
      Sort();
      return Status::Ok();
    }
    RTL_TRY(Spill());
    rows_ = {};
    const size_t each = std::clamp<size_t>(limits_.merged / runs_.size(), 1, limits_.run);
    for (Run& run : runs_) RTL_TRY(Refill(&run, each));
    for (size_t i = 0; i < runs_.size(); ++i) heap_.push_back(i);
    std::make_heap(heap_.begin(), heap_.end(), Later{runs_});
    each_ = each;
    return Status::Ok();
  }
  // The first remaining row; null after the last one. Valid until Advance.
  const Row* First() const {
    if (runs_.empty()) return next_ < rows_.size() ? &rows_[next_] : nullptr;
    return heap_.empty() ? nullptr : &runs_[heap_.front()].First();
  }
  Status Advance() {
    if (runs_.empty()) {
      ++next_;
      return Status::Ok();
    }
    std::pop_heap(heap_.begin(), heap_.end(), Later{runs_});
    Run& run = runs_[heap_.back()];
    if (++run.next == run.rows.size()) RTL_TRY(Refill(&run, each_));
    if (run.rows.empty()) {
      heap_.pop_back();
    } else {
      std::push_heap(heap_.begin(), heap_.end(), Later{runs_});
    }
    return Status::Ok();
  }
  size_t runs() const { return runs_.size(); }

 private:
  // Sorted rows in the file, some of which are in memory.
  struct Run {
    uint64_t offset = 0;
    size_t left = 0;  // rows that are still in the file
    std::vector<Row> rows;
    size_t next = 0;
    const Row& First() const { return rows[next]; }
  };
  struct Later {
    const std::vector<Run>& runs;
    bool operator()(size_t a, size_t b) const { return runs[a].First().key > runs[b].First().key; }
  };

  void Sort() {
    std::sort(rows_.begin(), rows_.end(), [](const Row& a, const Row& b) { return a.key < b.key; });
  }
  Status Spill() {
    Sort();
    runs_.push_back({.offset = file_.size(), .left = rows_.size(), .rows = {}, .next = 0});
    RTL_TRY(file_.Append(rows_.data(), rows_.size() * sizeof(Row)));
    rows_.clear();
    return Status::Ok();
  }
  Status Refill(Run* run, size_t rows) {
    run->rows.resize(std::min(rows, run->left));
    run->next = 0;
    const size_t bytes = run->rows.size() * sizeof(Row);
    RTL_TRY(file_.Read(run->offset, run->rows.data(), bytes));
    run->offset += bytes;
    run->left -= run->rows.size();
    return Status::Ok();
  }

  SortLimits limits_;
  SortFile file_;
  std::vector<Row> rows_;
  size_t next_ = 0;
  std::vector<Run> runs_;
  std::vector<size_t> heap_;  // indexes of runs; the run with the first row is in front
  size_t each_ = 0;           // rows of each run in memory
};

}  // namespace rtl::query
