// SPDX-License-Identifier: MIT
// marker_ranges.h: MARKER_CORE_RANGE: ranges of ROCTx as one event each, from the call that begins
// one to the call that ends it, and marks.
//
//   roctxRangePushA   ──► open, on its thread's stack ──► roctxRangePop
//   roctxRangeStartA  ──► open, by its id             ──► roctxRangeStop, on any thread
//
// A range is no call: what lies inside of it does not have it as ancestor. One that is open when the
// tool is finalized has no end.
//
// Threads    any
// Blocking   a lock held for a few instructions
// Memory     a block for each range that is open, which is used again, and a copy of its text
// Errors     one line, once: without memory ranges are not told
#pragma once

#include <rocprofiler-sdk/callback_tracing.h>
#include <stdint.h>

#include <atomic>

#include "base/mutex.h"
#include "sdk/api_calls.h"
#include "sdk/external_ids.h"
#include "sdk/ticket_table.h"

namespace rtl::sdk {

class MarkerRanges {
 public:
  static constexpr uint32_t kMostLibraries = 4;

  explicit MarkerRanges(ApiCalls* calls) : calls_(calls) {}
  MarkerRanges(const MarkerRanges&) = delete;
  MarkerRanges& operator=(const MarkerRanges&) = delete;

  // Contexts are complete.
  void Open();
  // Some context asks, started or not.
  bool asked() const { return asked_.load(std::memory_order_acquire); }

  // The number of a range that is told now; zero: nobody listens, or there is no memory.
  uint32_t Begin(int32_t operation, const char* message);
  // Tells of its end; of zero nothing.
  void End(uint32_t range);

  // Each call that pushes and pops, whether somebody listens or not: the depths must agree.
  void Push(uint32_t library, uint32_t range);
  uint32_t Pop(uint32_t library) { return static_cast<uint32_t>(stacks_[library].Pop(Thread())); }

  void Start(uint32_t library, uint64_t id, uint32_t range);
  uint32_t Stop(uint32_t library, uint64_t id);

 private:
  static constexpr uint32_t kBuckets = 64;
  struct Range {
    ApiCalls::Call call;
    rocprofiler_callback_tracing_marker_api_data_t payload;
    char* message;
    uint64_t id;
    uint32_t library;
    uint32_t next;  // in its bucket
  };
  struct Bucket {
    Mutex mutex{Rank::kTools};
    uint32_t first RTL_GUARDED_BY(mutex) = 0;
  };

  static uint64_t Thread();
  Range* At(uint32_t range) const { return static_cast<Range*>(open_.At(range)); }
  void Complain();

  ApiCalls* const calls_;
  std::atomic<bool> asked_{false};
  std::atomic<bool> complained_{false};
  TicketTable open_;
  ExternalIds stacks_[kMostLibraries];  // of numbers of ranges, by thread
  Bucket started_[kBuckets];
};

}  // namespace rtl::sdk
