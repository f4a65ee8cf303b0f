// SPDX-License-Identifier: MIT
// lanes.h: assigns slices that cannot share a track to several lanes.
//
// Memory     one number per lane, or per open slice
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rtl::exporting {

// No queue runs more at once; only damaged data exceeds it.
inline constexpr size_t kMaxLanes = 256;

// Slices that never nest: each goes to the first lane that is free at its start.
class FlatLanes {
 public:
  size_t Place(uint64_t start, uint64_t end) {
    size_t lane = 0;
    while (lane < free_at_.size() && free_at_[lane] > start) ++lane;
    if (lane == kMaxLanes) lane = kMaxLanes - 1;
    if (lane == free_at_.size()) free_at_.push_back(0);
    free_at_[lane] = end;
    return lane;
  }

 private:
  std::vector<uint64_t> free_at_;
};

// Slices that nest: one lane's open slices, innermost last.
struct OpenSlice {
  uint64_t end = 0;
  int64_t range = 0;  // string id of a roctx range; 0: an API call
  uint64_t start = 0;
};
using NestedLane = std::vector<OpenSlice>;

// Whether a slice that ends at `end` fits into the open slices of the lane.
inline bool FitsInto(const NestedLane& lane, uint64_t end) {
  return lane.empty() || end <= lane.back().end;
}

}  // namespace rtl::exporting
