// SPDX-License-Identifier: MIT
// quantile.h: the quantiles of many durations, without keeping them.
//
// Values below 256 are kept exactly. A bucket for greater values holds values within 1/128 of each
// other. A quantile is the middle of its bucket, limited to the least and the greatest value: it is
// at most 0.4 % off.
//
// Threads    none; a value without shared state
// Memory     one counter per bucket in use: a few hundred for durations of one kind, 7,296 at most
#pragma once

#include <cstdint>
#include <map>

namespace rtl::analysis {

// The sums of durations, in nanoseconds. All are zero if there are none.
struct Durations {
  uint64_t total = 0, min = 0, max = 0;
  uint64_t median = 0;  // within 0.4 %
};

class QuantileSketch {
 public:
  void Add(uint64_t value);
  void Add(const QuantileSketch& more);
  // The smallest value that is not below the share `fraction` (0..1) of all values. 0 if there are
  // none.
  uint64_t At(double fraction) const;
  uint64_t count() const { return count_; }
  uint64_t total() const { return total_; }
  Durations Sums() const { return {total_, least_, most_, At(0.5)}; }

 private:
  std::map<uint32_t, uint64_t> buckets_;
  uint64_t count_ = 0, total_ = 0;
  uint64_t least_ = 0;
  uint64_t most_ = 0;
};

}  // namespace rtl::analysis
