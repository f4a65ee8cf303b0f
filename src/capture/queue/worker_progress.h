// SPDX-License-Identifier: MIT
// worker_progress.h: what a queue's hook knows of the worker: whether it still runs, and whether it
// makes room.
//
// Threads    under the lock of TracedQueue::OnPackets
// Blocking   WaitForRoom: 2 ms, or as long as configured (RTL_LOSSLESS)
#pragma once

#include <stdint.h>

#include <atomic>

#include "base/bell.h"
#include "capture/queue/hook_state.h"
#include "capture/signal/pending_chain.h"

namespace rtl::capture {

class WorkerProgress {
 public:
  // `stall_ns`: a worker without a pass for this time is suspected. `room_wait_ns`: how long a hook
  // waits for room at the most; it always waits 2 ms.
  void Open(const HookState* state, Bell* bell, int64_t stall_ns, uint64_t room_wait_ns) {
    state_ = state;
    bell_ = bell;
    stall_ns_ = stall_ns;
    room_wait_ns_ = room_wait_ns;
  }

  // HOT. The worker does not run any more.
  [[gnu::always_inline]] inline bool Stalled(uint64_t now) {
    const uint64_t beat = state_->beat.load(std::memory_order_relaxed);
    // Signed: the beat may be newer.
    return static_cast<int64_t>(now - beat) > stall_ns_ && StalledAgain(now, beat);
  }
  // The chain is full. False: it still is.
  bool WaitForRoom(const PendingChain& chain);

 private:
  bool StalledAgain(uint64_t now, uint64_t beat);

  const HookState* state_ = nullptr;
  Bell* bell_ = nullptr;
  int64_t stall_ns_ = INT64_MAX;
  uint64_t room_wait_ns_ = 0;
  uint64_t retired_in_vain_ = UINT64_MAX;  // the chain's position when WaitForRoom timed out
  uint64_t suspected_beat_ = UINT64_MAX;   // the worker's last beat when it was suspected
  uint64_t suspected_at_ = 0;
};

}  // namespace rtl::capture
