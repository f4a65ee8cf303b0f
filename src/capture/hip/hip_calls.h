// SPDX-License-Identifier: MIT
// hip_calls.h: what every door to the HIP API does with a call: Enter when it begins, Exit when it
// returns. One call, one record, whatever doors are open: a call that is made while another one is
// open on its thread is HIP's own, or the same one seen by a second door, and is not recorded.
//
// Threads    Enter and Exit: the application's, any. The rest: one at a time
// Blocking   never; a thread's first call takes a lock and may make system calls
// Memory     a block per thread (open_call.h)
// Losses     a call is seen when it begins; a record that the sink refuses is kSpoolFull, a call
//            that is open when the process ends is counted by the reader
#pragma once

#include <stdint.h>

#include <atomic>

#include "base/fast_clock.h"
#include "capture/hip/hip_layout.h"
#include "capture/hip/open_call.h"
#include "model/record_sink.h"

namespace rtl::capture {

class HipCalls {
 public:
  constexpr HipCalls() = default;
  HipCalls(const HipCalls&) = delete;
  HipCalls& operator=(const HipCalls&) = delete;

  struct Services {
    RecordSink* sink = nullptr;
    std::atomic<uint64_t>* seen = nullptr;  // counts the calls; its values are correlation ids
    const FastClock* clock = nullptr;       // the one that stamps packets
  };
  void Arm(const Services& services, const CopyStep* steps);
  // From now on nothing begins; calls that are open are still recorded. Async-signal-safe.
  void Disarm() { armed_.store(false, std::memory_order_relaxed); }
  bool armed() const { return armed_.load(std::memory_order_relaxed); }

  // Null: this call is not to be recorded, and has no Exit.
  ThreadCalls* Enter(uint32_t api, const CallLayout* layout);
  // `data`: where the arguments lie, as `layout` says.
  void Exit(ThreadCalls* calls, const uint8_t* data, int32_t result, bool result_known);
  // The same, for a door that needs time to find the result.
  uint64_t Now() const { return services_.clock->NowNs(); }
  void ExitAt(uint64_t end, ThreadCalls* calls, const uint8_t* data, int32_t result,
              bool result_known);

 private:
  ThreadCalls* FirstOfThread();

  std::atomic<bool> armed_{false};
  Services services_;
  const CopyStep* steps_ = nullptr;
};

}  // namespace rtl::capture
