// SPDX-License-Identifier: MIT
// lanes.h: distributes slices that cannot share a track over several lanes.
//
// Memory     one number per lane, or per open slice
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rtl::exporting {

// Only damaged data has more lanes, because no queue runs that many kernels at once.
inline constexpr size_t kMaxLanes = 256;

// For slices that never nest: each goes to the first lane that is free at its start.
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

// For slices that nest: a lane's open slices, the innermost last.
struct OpenSlice {
  uint64_t end = 0;
  int64_t range = 0;  // string id of a roctx range; 0: the slice is an API call
  uint64_t start = 0;
};
using NestedLane = std::vector<OpenSlice>;

// True if a slice that ends at `end` nests in the open slices of the lane.
inline bool FitsInto(const NestedLane& lane, uint64_t end) {
  return lane.empty() || end <= lane.back().end;
}

}  // namespace rtl::exporting
