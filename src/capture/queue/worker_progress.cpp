// SPDX-License-Identifier: MIT
#include "capture/queue/worker_progress.h"

#include <sched.h>
#include <time.h>

#include <algorithm>

#include "base/clock.h"

namespace rtl::capture {

// The worker is far behind. It lacks a processor, which this thread can lend it for a moment; or it
// waits for room itself, and nothing may be lost. After a wait that timed out there is no second
// one until the worker has made progress.
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
    // An interrupted nap is fine.
    (void)(waited < kRoomNs ? sched_yield() : nanosleep(&nap, nullptr));
    if (chain.Retired() != retired) return true;
    waited = BootTimeNs() - start;
  } while (waited < std::max(kRoomNs, room_wait_ns_) &&
           state_->armed.load(std::memory_order_relaxed));
  retired_in_vain_ = retired;
  return false;
}

// The worker has not made a pass for a long time. After the process was stopped or the machine
// slept, it only has not had its turn yet: so it is suspected first, and gets the same time again.
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
