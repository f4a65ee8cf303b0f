// SPDX-License-Identifier: MIT
// runs.h: reduces rows of consecutive slices to a limited number of runs, which the timeline of a
// page draws.
//
//   slices   ▏▏▏▏▏ ▏▏  ▏ ▏▏   ████████  ▏▏▏▏
//   runs     ▒▒▒▒▒▒▒▒  ▒▒▒▒   ████████  ▒▒▒▒     none is longer than the resolution, unless it
//                                                is one slice
//
// A run is one slice, or neighbouring slices that together are no longer than the resolution. The
// resolution is zero as long as the runs fit, and doubles whenever they do not. So slices longer
// than the resolution are always exact. For a run of several slices, the page has their number,
// their running time and the shape of the majority.
//
// Threads    one
// Memory     `most` runs of 40 bytes
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rtl::report {

// Where a slice of GPU work comes from.
struct Link {
  uint32_t track = 0;  // track of the call or submission; 0: not known
  uint32_t lead = 0;   // ns from the begin of the call to the submission, plus one; 0: no call
};

struct Slice {
  uint64_t start = 0;
  uint64_t end = 0;
  uint64_t wait = 0;  // ns since its submission; 0: not known
  uint32_t what = 0;  // index of its shape (shapes.h)
  Link link = {};
};

struct Run {
  uint64_t start = 0;
  uint64_t end = 0;
  uint64_t extra = 0;  // of one slice: its wait; of several: the sum of their running times
  uint32_t count = 1;
  uint32_t what = 0;   // shape; of several slices: that of the majority by time, if there is one
  uint32_t more = 0;   // of one slice: Link::lead; of several: votes of the majority (runs.cpp)
  uint32_t track = 0;  // of one slice: Link::track; of several: 0

  uint64_t busy() const { return count == 1 ? end - start : extra; }
  uint32_t votes() const;
};

class RunRows {
 public:
  static constexpr uint64_t kFirstResolution = 1024;  // ns

  explicit RunRows(size_t most) : most_(most) {}

  // `least`: the row's resolution is at least this.
  size_t AddRow(uint64_t least = 0);
  // Slices must come in the order of `start`. A slice that overlaps the last one of its row is
  // merged with it.
  void Add(size_t row, const Slice& slice);
  // Doubles the resolution and merges runs. False: nothing is left to merge.
  bool Coarsen();

  const std::vector<Run>& row(size_t index) const { return rows_[index].runs; }
  size_t rows() const { return rows_.size(); }
  size_t size() const { return size_; }
  uint64_t resolution() const { return resolution_; }  // ns; 0: every slice is a run

 private:
  struct Row {
    uint64_t least = 0;
    std::vector<Run> runs;
  };
  bool Join(const Row& row, Run* last, const Run& next) const;
  void Squeeze(Row* row);

  const size_t most_;
  size_t size_ = 0;
  uint64_t resolution_ = 0;
  std::vector<Row> rows_;
};

// Adjacent runs of a row, for views with too many runs to draw one by one.
struct RunGroup {
  uint32_t runs = 0;
  uint32_t what = 0;  // the shape with the most running time
};
inline constexpr uint32_t kRunsOfAGroup = 64;
// Groups adjacent runs. No group has a gap longer than `gap`, or more than kRunsOfAGroup runs.
std::vector<RunGroup> GroupRuns(const std::vector<Run>& runs, uint64_t gap);

}  // namespace rtl::report
