// SPDX-License-Identifier: MIT
#include "trace/collect/process_parts.h"

#include <algorithm>

namespace rtl::store {

bool ProcessParts::Wait() {
  if (limit_ >= kMostGrowth * bytes_) return false;
  limit_ += bytes_ / 4;
  return true;
}

void ProcessParts::Next(const TracedProcess& traced) {
  streams_ = traced.streams;
  earlier_.rejected += traced.rejected;
  for (size_t k = 0; k < kEventKindCount; ++k) {
    recorded_[k] += traced.recorded[k];
    earlier_.duplicates[k] += traced.duplicates[k];
    earlier_.left_out[k] += traced.left_out[k];
  }
  waits_ = events_.events() != 0;
  events_.Clear();
  // Open ranges are in the next part again.
  uint64_t& markers = recorded_[static_cast<size_t>(EventKind::kMarker)];
  markers -= std::min<uint64_t>(markers, events_.open_ranges(0));
  began_ = BootTimeNs();
  limit_ = bytes_;
}

void ProcessParts::AddEarlier(Reading* reading) const {
  reading->rejected += earlier_.rejected;
  for (size_t k = 0; k < kEventKindCount; ++k) {
    reading->duplicates[k] += earlier_.duplicates[k];
    reading->left_out[k] += earlier_.left_out[k];
  }
}

}  // namespace rtl::store
