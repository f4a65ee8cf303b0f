// SPDX-License-Identifier: MIT
#include "analysis/serial_copies.h"

#include <algorithm>

namespace rtl::analysis {

void SerialCopyFinder::Count(const Open& copy) {
  ++found_.copies;
  found_.total += copy.end - copy.start;
}

void SerialCopyFinder::AddKernel(uint64_t submit, uint64_t start, uint64_t end) {
  for (const Open& copy : open_) {
    const bool beside = start < copy.end;
    const bool held_up = submit != 0 && submit < copy.end;
    if (!beside && (copy.waited || held_up)) Count(copy);
  }
  open_.clear();
  kernels_until_ = std::max(kernels_until_, end);
}

void SerialCopyFinder::AddCopy(uint64_t submit, uint64_t start, uint64_t end) {
  // No other copy ran since the last kernel.
  const bool behind_kernel = copies_until_ <= kernels_until_;
  copies_until_ = std::max(copies_until_, end);
  if (kernels_until_ > start || end < start) return;
  if (open_.size() >= kMostOpen) {
    if (open_.front().waited) Count(open_.front());
    open_.erase(open_.begin());
  }
  open_.push_back({start, end, behind_kernel && submit != 0 && submit < kernels_until_});
}

SerialCopies SerialCopyFinder::Finish() {
  for (const Open& copy : open_) {
    if (copy.waited) Count(copy);
  }
  open_.clear();
  return found_;
}

}  // namespace rtl::analysis
