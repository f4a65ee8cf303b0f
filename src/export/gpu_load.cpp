// SPDX-License-Identifier: MIT
#include "export/gpu_load.h"

#include <algorithm>

namespace rtl::exporting {

void TimeSlices::Add(uint64_t start, uint64_t end) {
  if (width_ == 0) {
    first_ = start;
    width_ = kShortestSlice;
  }
  start = std::max(start, first_);
  if (end <= start) return;
  while ((end - 1 - first_) / width_ >= kMostSlices) Fold();
  const size_t from = (start - first_) / width_;
  const size_t until = (end - 1 - first_) / width_;
  if (from == until) {
    part_[from] += end - start;
    return;
  }
  part_[from] += first_ + (from + 1) * width_ - start;
  part_[until] += end - first_ - until * width_;
  ++whole_[from + 1];
  --whole_[until];
}

std::vector<uint64_t> TimeSlices::Sums() const {
  std::vector<uint64_t> sums = part_;
  int64_t whole = 0;
  for (size_t i = 0; i < kMostSlices; ++i) {
    whole += whole_[i];
    sums[i] += static_cast<uint64_t>(whole) * width_;
  }
  return sums;
}

void TimeSlices::Fold() {
  const std::vector<uint64_t> sums = Sums();
  std::fill(part_.begin(), part_.end(), 0);
  std::fill(whole_.begin(), whole_.end(), 0);
  for (size_t i = 0; i < kMostSlices; ++i) part_[i / 2] += sums[i];
  width_ *= 2;
}

void GpuLoad::Add(uint64_t submit, uint64_t start, uint64_t end) {
  TakeUntil(submit);
  in_flight_.Add(submit, end);
  runs_.Push({start, end});
}

void GpuLoad::Finish() {
  TakeUntil(UINT64_MAX);
  busy_.Add(covered_.start, covered_.end);
}

void GpuLoad::TakeUntil(uint64_t time) {
  while (!runs_.empty() && runs_.First().start <= time) {
    const Run run = runs_.First();
    runs_.Pop();
    if (run.start > covered_.end) {
      if (covered_.end != 0) busy_.Add(covered_.start, covered_.end);
      covered_ = run;
    } else {
      covered_.end = std::max(covered_.end, run.end);
    }
  }
}

}  // namespace rtl::exporting
