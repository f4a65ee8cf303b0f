// SPDX-License-Identifier: MIT
// process_parts.h: the events of one process for `rtl trace --dataset`, as parts one after the
// other: the events of the next part, when it is due, and what the earlier ones have.
//
// Threads    the collecting one; after Join, the caller's
// Memory     the events of one part, which is made between two calls of Poll. One that grows to
//            kMostGrowth times its size is cut sooner
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/clock.h"
#include "trace/collect/accounting.h"
#include "trace/collect/record_ring.h"
#include "trace/write/trace_writer.h"

namespace rtl::store {

class ProcessParts {
 public:
  // `bytes`, `ns`: a part is due when it has come to one of the two.
  ProcessParts(size_t bytes, uint64_t ns)
      : bytes_(bytes), ns_(ns), events_(2 * kMostGrowth * bytes), limit_(bytes) {}

  // The next part. It is emptied before the ring is full.
  RecordRing& events() { return events_; }
  const RecordRing& events() const { return events_; }
  bool IsDue(uint64_t now) const {
    // An empty part says that the one before it has all its ranges.
    if (events_.events() == 0 && !waits_) return false;
    return events_.bytes() >= limit_ || now - began_ >= ns_;
  }
  bool IsTooLarge() const { return events_.bytes() >= kMostGrowth * bytes_; }
  // The part waits for descriptions that another thread writes. False: it has become too large.
  bool Wait();

  // `streams`: as of the earlier parts, for the database of the next one.
  const Streams& streams() const { return streams_; }
  // The next part has been handed over as `traced`, and the process goes on.
  void Next(const TracedProcess& traced);
  // What the earlier parts have, to be added to a reading of the whole process.
  void AddEarlier(Reading* reading) const;
  uint64_t recorded(size_t kind) const { return recorded_[kind]; }

  // When the last event of the part before ended (BOOTTIME ns).
  uint64_t ended = 0;

 private:
  static constexpr size_t kMostGrowth = 8;

  const size_t bytes_;
  const uint64_t ns_;
  RecordRing events_;
  size_t limit_;
  uint64_t began_ = BootTimeNs();
  bool waits_ = false;  // the last part had events, and waits for the next
  Streams streams_;
  Reading earlier_;
  uint64_t recorded_[kEventKindCount] = {};
};

}  // namespace rtl::store
