// SPDX-License-Identifier: MIT
// gpu_load.h: the load of a GPU over time: per slice of time, the share in which a kernel ran, and
// the average number of submitted kernels that had not ended. Slices are as short as kMostSlices
// allows: when there would be more, pairs of slices are merged.
//
// Threads    one
// Memory     kMostSlices numbers of each kind, and the kernels in flight
#pragma once

#include <cstdint>
#include <vector>

#include "export/in_flight.h"

namespace rtl::exporting {

// Sums durations by slices of time.
class TimeSlices {
 public:
  static constexpr size_t kMostSlices = 2048;
  static constexpr uint64_t kShortestSlice = 1024;  // ns

  // The first slice begins at the first `start`; earlier time is cut.
  void Add(uint64_t start, uint64_t end);

  uint64_t first() const { return first_; }
  uint64_t width() const { return width_; }
  // Nanoseconds per slice.
  std::vector<uint64_t> Sums() const;

 private:
  void Fold();

  uint64_t first_ = 0;
  uint64_t width_ = 0;  // 0: nothing was added
  std::vector<uint64_t> part_ = std::vector<uint64_t>(kMostSlices);
  // Whole slices, by beginnings and ends
  std::vector<int64_t> whole_ = std::vector<int64_t>(kMostSlices + 1);
};

class GpuLoad {
 public:
  // In the order of `submit`. No kernel starts before the `submit` of one that is added later.
  void Add(uint64_t submit, uint64_t start, uint64_t end);
  // Ends the additions.
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
  Run covered_;  // the last period of kernels without a gap
};

}  // namespace rtl::exporting
