// SPDX-License-Identifier: MIT
#include "report/memory_use.h"

#include <algorithm>

namespace rtl::report {

void MemoryUse::Allocate(Place place, uint64_t time, uint64_t address, uint64_t bytes) {
  // If a block is still known there, its release was not recorded.
  Free(place.process, time, address);
  blocks_[{place.process, address}] = {place, bytes};
  Series& series = series_[place];
  series.now += bytes;
  series.most = std::max(series.most, series.now);
  Append(&series, time);
}

void MemoryUse::Free(int64_t process, uint64_t time, uint64_t address) {
  const auto block = blocks_.find({process, address});
  if (block == blocks_.end()) return;
  Series& series = series_[block->second.place];
  series.now -= std::min(series.now, block->second.bytes);
  blocks_.erase(block);
  Append(&series, time);
}

// Too many points are halved: of two neighbours, the greater value is kept.
void MemoryUse::Append(Series* series, uint64_t time) {
  std::vector<Point>& points = series->points;
  if (!points.empty() && points.back().time == time) points.pop_back();
  points.push_back({time, series->now});
  if (points.size() < kMostPoints) return;
  const size_t half = points.size() / 2;
  for (size_t i = 0; i < half; ++i) {
    const Point& a = points[2 * i];
    const Point& b = points[2 * i + 1];
    points[i] = {a.time, std::max(a.bytes, b.bytes)};
  }
  points.resize(half);
  points.push_back({time, series->now});
}

}  // namespace rtl::report
