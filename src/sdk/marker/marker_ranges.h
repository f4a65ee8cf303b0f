// SPDX-License-Identifier: MIT
// marker_ranges.h: the service MARKER_CORE_RANGE, which reports each ROCTx range as one event, from
// the call that begins the range to the call that ends it. It also reports marks.
//
//   roctxRangePushA   ──► open, on its thread's stack ──► roctxRangePop
//   roctxRangeStartA  ──► open, by its id             ──► roctxRangeStop, on any thread
//
// A range is not a call, so it is not the ancestor of the calls inside it. If a range is open when
// the tool is finalized, its end is not reported.
//
// Threads    any
// Blocking   a lock held for a few instructions
// Memory     a block for each open range, which a later range reuses, and a copy of the range's
//            text
// Errors     if there is no memory, ranges are not reported, and one line says so once
#pragma once

#include <rocprofiler-sdk/callback_tracing.h>
#include <stdint.h>

#include <atomic>

#include "base/mutex.h"
#include "sdk/calls/api_calls.h"
#include "sdk/contexts/external_ids.h"
#include "sdk/contexts/ticket_table.h"

namespace rtl::sdk {

class MarkerRanges {
 public:
  static constexpr uint32_t kMostLibraries = 4;

  explicit MarkerRanges(ApiCalls* calls) : calls_(calls) {}
  MarkerRanges(const MarkerRanges&) = delete;
  MarkerRanges& operator=(const MarkerRanges&) = delete;

  // Called when configuration is complete.
  void Open();
  // True if some context subscribes, whether it is started or not.
  bool asked() const { return asked_.load(std::memory_order_acquire); }

  // Begins a range and returns its number; zero if no started context subscribes, or if there is no
  // memory.
  uint32_t Begin(int32_t operation, const char* message);
  // Ends the range with this number; zero is ignored.
  void End(uint32_t range);

  // Called for every push and pop, with or without a subscriber, so that pushes and pops match.
  void Push(uint32_t library, uint32_t range);
  uint32_t Pop(uint32_t library) {
    return static_cast<uint32_t>(stacks_[library].Pop(ThreadId::Current()));
  }

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
    uint32_t next;  // next range in its bucket
  };
  struct Bucket {
    Mutex mutex{Rank::kTools};
    uint32_t first RTL_GUARDED_BY(mutex) = 0;
  };

  Range* At(uint32_t range) const { return static_cast<Range*>(open_.At(range)); }
  void Complain();

  ApiCalls* const calls_;
  std::atomic<bool> asked_{false};
  std::atomic<bool> complained_{false};
  TicketTable open_;
  ExternalIds stacks_[kMostLibraries];  // numbers of the open ranges of each thread
  Bucket started_[kBuckets];
};

}  // namespace rtl::sdk
