// SPDX-License-Identifier: MIT
// gpu_load.h: computes the load of a GPU over time. For each slice of time, it computes the share
// in which a kernel ran, and the average number of submitted kernels that had not ended. Slices are
// as short as kMostSlices allows: if there would be more, pairs of slices are merged.
//
// Threads    one
// Memory     kMostSlices numbers of each kind, and the kernels in flight
#pragma once

#include <cstdint>
#include <vector>

#include "export/in_flight.h"

namespace rtl::exporting {

// Sums durations for each slice of time.
class TimeSlices {
 public:
  static constexpr size_t kMostSlices = 2048;
  static constexpr uint64_t kShortestSlice = 1024;  // in ns

  // The first slice begins at the first `start` that is added; later intervals are cut off before
  // it.
  void Add(uint64_t start, uint64_t end);

  uint64_t first() const { return first_; }
  uint64_t width() const { return width_; }
  // The sum of each slice, in nanoseconds.
  std::vector<uint64_t> Sums() const;

 private:
  void Fold();

  uint64_t first_ = 0;
  uint64_t width_ = 0;  // 0: nothing was added yet
  std::vector<uint64_t> part_ = std::vector<uint64_t>(kMostSlices);
  // Intervals that cover whole slices: plus one at the first slice, minus one after the last.
  std::vector<int64_t> whole_ = std::vector<int64_t>(kMostSlices + 1);
};

class GpuLoad {
 public:
  // Kernels must be added in the order of `submit`, and no kernel may start before the `submit` of
  // one that is added later.
  void Add(uint64_t submit, uint64_t start, uint64_t end);
  // To be called after the last Add.
  void Finish();

  const TimeSlices& busy() const { return busy_; }
  const TimeSlices& in_flight() const { return in_flight_; }

 private:
  struct Run {
    uint64_t start = 0;
    uint64_t end = 0;
  };
  struct StartsBefore {
    bool operator()(const Run& a, const Run& b) const { return a.start < b.start; }
  };

  void TakeUntil(uint64_t time);

  TimeSlices busy_;
  TimeSlices in_flight_;
  InFlight<Run, StartsBefore> runs_;
  Run covered_;  // the last period in which kernels ran without a gap
};

}  // namespace rtl::exporting
