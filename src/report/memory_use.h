// SPDX-License-Identifier: MIT
// memory_use.h: the allocated memory over time, from those allocations that were recorded.
//
// Threads    one
// Memory     kMostPoints for each process and GPU, and an entry per live allocation
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

namespace rtl::report {

class MemoryUse {
 public:
  static constexpr size_t kMostPoints = 8192;

  struct Place {
    int64_t process = 0;
    int32_t gpu = -1;  // -1: host memory
    auto operator<=>(const Place&) const = default;
  };
  struct Point {
    uint64_t time = 0;
    uint64_t bytes = 0;  // allocated from this time on
  };
  struct Series {
    std::vector<Point> points;
    uint64_t now = 0;
    uint64_t most = 0;
  };

  // Calls must come in the order of `time`.
  void Allocate(Place place, uint64_t time, uint64_t address, uint64_t bytes);
  // Does nothing if no allocation at the address is known.
  void Free(int64_t process, uint64_t time, uint64_t address);

  const std::map<Place, Series>& series() const { return series_; }

 private:
  struct Block {
    Place place;
    uint64_t bytes = 0;
  };
  struct Hash {
    size_t operator()(const std::pair<int64_t, uint64_t>& key) const {
      return static_cast<size_t>(key.second * 0x9E3779B97F4A7C15u) ^ static_cast<size_t>(key.first);
    }
  };
  static void Append(Series* series, uint64_t time);

  std::map<Place, Series> series_;
  std::unordered_map<std::pair<int64_t, uint64_t>, Block, Hash> blocks_;  // by process and address
};

}  // namespace rtl::report
