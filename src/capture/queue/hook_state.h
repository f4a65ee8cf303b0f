// SPDX-License-Identifier: MIT
// hook_state.h: the state that the hooks and the tracer's threads share; one per process.
//
// Threads    any; each member names its writer
// Memory     lives as long as the hooks
#pragma once

#include <stdint.h>

#include <atomic>

namespace rtl::capture {

struct HookState {
  std::atomic<uint64_t> beat{0};    // time of the worker's last pass
  std::atomic<bool> armed{false};   // relaxed in the hook; see TracedQueue::HookScope
  std::atomic<bool> forked{false};  // a child without the parent's threads: take no lock
  std::atomic<bool> closed{false};  // the totals were published: nothing may be counted
  // Kernels that were submitted while nothing was paused; numbers them in the order of submission.
  alignas(64) std::atomic<uint64_t> launches{0};
};

}  // namespace rtl::capture
