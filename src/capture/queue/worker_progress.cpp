// SPDX-License-Identifier: MIT
#include "capture/queue/worker_progress.h"

#include <sched.h>
#include <time.h>

#include <algorithm>

#include "base/clock.h"

namespace rtl::capture {

// Called when the worker is far behind: it may lack a processor, which this thread yields to it for
// a moment, or it may be waiting for room itself, while nothing may be lost. After a wait that
// timed out, the hook does not wait again until the worker has made progress.
[[gnu::cold]] bool WorkerProgress::WaitForRoom(const PendingChain& chain) {
  constexpr uint64_t kRoomNs = 2'000'000;
  constexpr long kNapNs = 100'000;
  const uint64_t retired = chain.Retired();
  if (retired == retired_in_vain_) return false;
  bell_->RingUrgent();
  const uint64_t start = BootTimeNs();
  uint64_t waited = 0;
  do {
    const timespec nap = {0, kNapNs};
    // If the nap is interrupted, the loop checks once more.
    (void)(waited < kRoomNs ? sched_yield() : nanosleep(&nap, nullptr));
    if (chain.Retired() != retired) return true;
    waited = BootTimeNs() - start;
  } while (waited < std::max(kRoomNs, room_wait_ns_) &&
           state_->armed.load(std::memory_order_relaxed));
  retired_in_vain_ = retired;
  return false;
}

// The worker has not made a pass for a long time. If the process was stopped or the machine slept,
// the worker only has not had a processor yet. So it is suspected first, and gets the same time
// again.
[[gnu::cold]] bool WorkerProgress::StalledAgain(uint64_t now, uint64_t beat) {
  if (beat != suspected_beat_) {
    suspected_beat_ = beat;
    suspected_at_ = now;
    bell_->Ring();
    return false;
  }
  return static_cast<int64_t>(now - suspected_at_) > stall_ns_;
}

}  // namespace rtl::capture
