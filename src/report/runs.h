// SPDX-License-Identifier: MIT
// runs.h: the runs that the timeline of a page draws: rows of any number of consecutive slices, in
// a bounded number of runs.
//
//   slices   ▏▏▏▏▏ ▏▏  ▏ ▏▏   ████████  ▏▏▏▏
//   runs     ▒▒▒▒▒▒▒▒  ▒▒▒▒   ████████  ▒▒▒▒     none is longer than the resolution, unless it
//                                                is one slice
//
// A run is one slice, or neighbours that are together no longer than the resolution. The resolution
// is zero as long as the runs fit; it doubles when they do not. So longer slices are always exact.
// Of shorter ones the page knows their number, their running time, and the shape of the majority.
//
// Threads    one
// Memory     `most` runs of 40 bytes
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rtl::report {

// The origin of a slice of GPU work.
struct Link {
  uint32_t track = 0;  // of the call or submission; 0: not known
  uint32_t lead = 0;   // from the beginning of the call to the submission, ns plus one; 0: no call
};

struct Slice {
  uint64_t start = 0;
  uint64_t end = 0;
  uint64_t wait = 0;  // since it was submitted; 0: not known
  uint32_t what = 0;  // an index (shapes.h)
  Link link = {};
};

struct Run {
  uint64_t start = 0;
  uint64_t end = 0;
  uint64_t extra = 0;  // of one slice: its wait; of several: their total running time
  uint32_t count = 1;
  uint32_t what = 0;   // of several: that of the greater part, if one has more than half
  uint32_t more = 0;   // of one slice: its Link::lead; of several: the surplus of the greater part
  uint32_t track = 0;  // of one slice: its Link::track

  uint64_t busy() const { return count == 1 ? end - start : extra; }
  uint32_t votes() const;
};

class RunRows {
 public:
  static constexpr uint64_t kFirstResolution = 1024;  // ns

  explicit RunRows(size_t most) : most_(most) {}

  // `least`: slices of this row are merged from this resolution on.
  size_t AddRow(uint64_t least = 0);
  // In the order of `start`. A slice that overlaps the row's last slice is merged with it.
  void Add(size_t row, const Slice& slice);
  // The next resolution; false when nothing is left to merge.
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
  uint32_t what = 0;  // the shape that ran longest
};
inline constexpr uint32_t kRunsOfAGroup = 64;
// No group has a gap longer than `gap`, or more than kRunsOfAGroup runs.
std::vector<RunGroup> GroupRuns(const std::vector<Run>& runs, uint64_t gap);

}  // namespace rtl::report
