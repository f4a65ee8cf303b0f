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
  std::atomic<uint64_t> beat{0};   // time of the worker's last pass
  std::atomic<bool> armed{false};  // read relaxed in the hooks; see TracedQueue::HookScope
  // this is a child of a fork, without the parent's threads: take no lock
  std::atomic<bool> forked{false};
  std::atomic<bool> closed{false};  // the totals of the queues are published
  // The trace ends and the process goes on: events that hooks see while they are disarmed do not
  // belong to the trace.
  std::atomic<bool> leaving{false};

  // If there are tools and no trace: the tools' demand. While it is quiet, the hooks ignore what is
  // submitted. Null if there is a trace, which wants everything. Set before the hooks are
  // installed.
  const Demand* demand = nullptr;
  bool Quiet() const { return demand != nullptr && demand->Quiet(); }

  // The demand of the tools, which also get what the trace leaves out by a pause or by its mode.
  // Null if there are no tools.
  std::atomic<const Demand*> tools{nullptr};
  bool ToolsWant() const {
    const Demand* const wish = tools.load(std::memory_order_relaxed);
    return wish != nullptr && !wish->Quiet();
  }

  // The process is ending. A thread in a tool's callback may be the one that ends it.
  std::atomic<bool> exiting{false};

  // The process began to end while kernels were in flight that did not end within the budget.
  std::atomic<bool> gave_up_waiting{false};

  // The cause of loss for kernels in flight when their queue is destroyed.
  Loss WhyUnended() const {
    return gave_up_waiting.load(std::memory_order_relaxed) ? Loss::kShutdown
                                                           : Loss::kQueueDestroyed;
  }
  // The cause of loss for events that hooks see while they are disarmed.
  Loss WhyDisarmed() const {
    return forked.load(std::memory_order_relaxed) ? Loss::kForked : Loss::kShutdown;
  }
  // The number of kernels submitted outside of pauses; numbers these kernels in the order of
  // submission.
  alignas(64) std::atomic<uint64_t> launches{0};
};

}  // namespace rtl::capture
