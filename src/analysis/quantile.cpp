// SPDX-License-Identifier: MIT
#include "analysis/quantile.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace rtl::analysis {
namespace {

// The number of a bucket consists of the position of the highest bit of the value and of the seven
// bits after it.
constexpr int kFractionBits = 7;
constexpr uint64_t kExactBelow = uint64_t{2} << kFractionBits;

uint32_t BucketOf(uint64_t value) {
  if (value < kExactBelow) return static_cast<uint32_t>(value);
  const int shift = std::bit_width(value) - 1 - kFractionBits;
  return static_cast<uint32_t>((uint64_t(shift) << kFractionBits) + (value >> shift));
}

uint64_t MiddleOf(uint32_t bucket) {
  if (bucket < kExactBelow) return bucket;
  const int shift = static_cast<int>(bucket >> kFractionBits) - 1;
  const uint64_t fraction = (bucket & ((1u << kFractionBits) - 1)) | (1u << kFractionBits);
  return (fraction << shift) + ((uint64_t{1} << shift) - 1) / 2;
}

}  // namespace

void QuantileSketch::Add(uint64_t value) {
  least_ = count_ == 0 ? value : std::min(least_, value);
  most_ = std::max(most_, value);
  ++buckets_[BucketOf(value)];
  ++count_;
  total_ += value;
}

void QuantileSketch::Add(const QuantileSketch& more) {
  if (more.count_ == 0) return;
  least_ = count_ == 0 ? more.least_ : std::min(least_, more.least_);
  most_ = std::max(most_, more.most_);
  for (const auto& [bucket, count] : more.buckets_) buckets_[bucket] += count;
  count_ += more.count_;
  total_ += more.total_;
}

uint64_t QuantileSketch::At(double fraction) const {
  const double wanted = std::ceil(fraction * static_cast<double>(count_));
  const uint64_t rank = std::clamp<uint64_t>(static_cast<uint64_t>(wanted), 1, count_ | 1);
  uint64_t below = 0;
  for (const auto& [bucket, count] : buckets_) {
    below += count;
    if (below >= rank) return std::clamp(MiddleOf(bucket), least_, most_);
  }
  return 0;
}

}  // namespace rtl::analysis
