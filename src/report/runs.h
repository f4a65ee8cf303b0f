// SPDX-License-Identifier: MIT
// runs.h: what the timeline of a page draws: rows of slices that follow each other, of which there may
// be any number, in a bounded number of runs.
//
//   slices   ▏▏▏▏▏ ▏▏  ▏ ▏▏   ████████  ▏▏▏▏
//   runs     ▒▒▒▒▒▒▒▒  ▒▒▒▒   ████████  ▒▒▒▒     none of which is longer than the resolution, unless
//                                                it is one slice
//
// A run is one slice, or neighbours that are together no longer than the resolution. The resolution is
// zero as long as the runs fit; it doubles when they do not. So what is longer is always exact, and of
// what is shorter the page knows how many, how long they ran, and of what most of them was.
//
// Threads    one
// Memory     `most` runs of 40 bytes
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rtl::report {

// Where a slice of a GPU came from.
struct Link {
  uint32_t track = 0;  // of the call or submission; 0: not known
  uint32_t lead =
      0;  // from the beginning of the call to the submission, ns and one more; 0: no call
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
  uint64_t extra = 0;  // of one slice: its wait; of several: how long they ran together
  uint32_t count = 1;
  uint32_t what = 0;   // of several: that of the greater part, if one has more than half
  uint32_t more = 0;   // of one slice: its Link::lead; of several: how much greater
  uint32_t track = 0;  // of one slice: its Link::track

  uint64_t busy() const { return count == 1 ? end - start : extra; }
  uint32_t votes() const;
};

class RunRows {
 public:
  static constexpr uint64_t kFirstResolution = 1024;  // ns

  explicit RunRows(size_t most) : most_(most) {}

  // `least`: slices of this row are together from this resolution on.
  size_t AddRow(uint64_t least = 0);
  // In the order of `start`. What overlaps the row's last slice becomes one run with it.
  void Add(size_t row, const Slice& slice);
  // The next resolution; false when there is nothing left to put together.
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

// A few runs of a row, for views in which they are too many to draw one by one.
struct RunGroup {
  uint32_t runs = 0;
  uint32_t what = 0;  // ran longest
};
inline constexpr uint32_t kRunsOfAGroup = 64;
// None has a gap in it that is longer than `gap`, or more than kRunsOfAGroup runs.
std::vector<RunGroup> GroupRuns(const std::vector<Run>& runs, uint64_t gap);

}  // namespace rtl::report
