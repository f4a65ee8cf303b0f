// SPDX-License-Identifier: MIT
// worker_progress.h: tells a queue's hook whether the worker still runs, and waits until the worker
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
  // `stall_ns`: if the worker makes no pass for this time, it is suspected to be stalled.
  // `room_wait_ns`: the longest time that a hook waits for room; at least 2 ms.
  void Open(const HookState* state, Bell* bell, int64_t stall_ns, uint64_t room_wait_ns) {
    state_ = state;
    bell_ = bell;
    stall_ns_ = stall_ns;
    room_wait_ns_ = room_wait_ns;
  }

  // HOT. True if the worker is stalled.
  [[gnu::always_inline]] inline bool Stalled(uint64_t now) {
    const uint64_t beat = state_->beat.load(std::memory_order_relaxed);
    // Signed, because the beat may be newer than `now`.
    return static_cast<int64_t>(now - beat) > stall_ns_ && StalledAgain(now, beat);
  }
  // Called when the chain is full: waits until the worker makes room. False if the chain is still
  // full.
  bool WaitForRoom(const PendingChain& chain);

 private:
  bool StalledAgain(uint64_t now, uint64_t beat);

  const HookState* state_ = nullptr;
  Bell* bell_ = nullptr;
  int64_t stall_ns_ = INT64_MAX;
  uint64_t room_wait_ns_ = 0;
  uint64_t retired_in_vain_ = UINT64_MAX;  // position of the chain when WaitForRoom last timed out
  uint64_t suspected_beat_ = UINT64_MAX;   // the worker's last beat when it was last suspected
  uint64_t suspected_at_ = 0;
};

}  // namespace rtl::capture
