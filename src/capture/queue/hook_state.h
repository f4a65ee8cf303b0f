// SPDX-License-Identifier: MIT
// hook_state.h: the state that the hooks and the tracer's threads share; one per process.
//
// Threads    any; each member names its writer
// Memory     lives as long as the hooks
#pragma once

#include <stdint.h>

#include <atomic>

#include "base/demand.h"
#include "model/losses.h"

namespace rtl::capture {

struct HookState {
  std::atomic<uint64_t> beat{0};    // time of the worker's last pass
  std::atomic<bool> armed{false};   // relaxed in the hook; see TracedQueue::HookScope
  std::atomic<bool> forked{false};  // a child without the parent's threads: take no lock
  std::atomic<bool> closed{false};  // the totals of queues were published
  // The trace ends and the process goes on: what hooks see while they are disarmed is not its own.
  std::atomic<bool> leaving{false};

  // For tools alone, whose contexts may all be stopped: what is submitted then is not seen. Null: a
  // trace wants everything. Set before the hooks are there.
  const Demand* demand = nullptr;
  bool Quiet() const { return demand != nullptr && demand->Quiet(); }

  // What the trace leaves out by a pause or by its mode, tools get nevertheless. Null: there are none.
  std::atomic<const Demand*> tools{nullptr};
  bool ToolsWant() const {
    const Demand* const wish = tools.load(std::memory_order_relaxed);
    return wish != nullptr && !wish->Quiet();
  }

  // The process exits: a thread that is inside a tool's callback may be the one that does.
  std::atomic<bool> exiting{false};

  // The process has begun to exit with kernels that did not end within the budget.
  std::atomic<bool> gave_up_waiting{false};

  // The cause for kernels that are in flight when their queue is destroyed.
  Loss WhyUnended() const {
    return gave_up_waiting.load(std::memory_order_relaxed) ? Loss::kShutdown
                                                           : Loss::kQueueDestroyed;
  }
  // The cause for events that hooks see while they are disarmed.
  Loss WhyDisarmed() const {
    return forked.load(std::memory_order_relaxed) ? Loss::kForked : Loss::kShutdown;
  }
  // Kernels that were submitted while nothing was paused; numbers them in the order of submission.
  alignas(64) std::atomic<uint64_t> launches{0};
};

}  // namespace rtl::capture
