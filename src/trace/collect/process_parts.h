// SPDX-License-Identifier: MIT
// process_parts.h: divides the events of one process into parts for `rtl trace --dataset`. It has
// the events of the next part, knows when this part is due, and what the earlier parts have.
//
// Threads    the collecting one; after Join, the caller's
// Memory     the events of one part. A part is made between two calls of Poll, or earlier if it
//            grows to kMostGrowth times its size
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
  // A part is due when it has `bytes` bytes of records, or is `ns` old.
  ProcessParts(size_t bytes, uint64_t ns)
      : bytes_(bytes), ns_(ns), events_(2 * kMostGrowth * bytes), limit_(bytes) {}

  // The events of the next part. The ring is emptied before it is full.
  RecordRing& events() { return events_; }
  const RecordRing& events() const { return events_; }
  bool IsDue(uint64_t now) const {
    // Even an empty part is needed: it says that all ranges of the previous part are known.
    if (events_.events() == 0 && !waits_) return false;
    return events_.bytes() >= limit_ || now - began_ >= ns_;
  }
  bool IsTooLarge() const { return events_.bytes() >= kMostGrowth * bytes_; }
  // Called when the part must wait for descriptions that another thread writes. False if the part
  // has become too large to wait.
  bool Wait();

  // To be called around each Poll of the process's spool.
  void BeginPoll() {
    ++polls_;
    is_polling_ = true;
  }
  void EndPoll() { is_polling_ = false; }
  // The number of polls that have begun, and of those that have ended.
  uint64_t polls() const { return polls_; }
  uint64_t whole_polls() const { return polls_ - (is_polling_ ? 1 : 0); }

  // `streams`: those of the earlier parts, for the database of the next one.
  const Streams& streams() const { return streams_; }
  // The next part was handed over as `traced`, and the process goes on.
  void Next(const TracedProcess& traced);
  // Adds the counts of the earlier parts to a reading of the whole process.
  void AddEarlier(Reading* reading) const;
  uint64_t recorded(size_t kind) const { return recorded_[kind]; }

  // When the last event of the previous part ended (BOOTTIME ns).
  uint64_t ended = 0;

 private:
  static constexpr size_t kMostGrowth = 8;

  const size_t bytes_;
  const uint64_t ns_;
  RecordRing events_;
  size_t limit_;
  uint64_t began_ = BootTimeNs();
  bool waits_ = false;  // the previous part had events, and is not complete before the next one
  uint64_t polls_ = 0;
  bool is_polling_ = false;
  Streams streams_;
  Reading earlier_;
  uint64_t recorded_[kEventKindCount] = {};
};

}  // namespace rtl::store
