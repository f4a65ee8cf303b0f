// SPDX-License-Identifier: MIT
// hook_state.h: what the hooks and the tracer's threads tell each other; one per process.
//
// Threads    any; each member says who writes it
// Memory     lives as long as the hooks
#pragma once

#include <stdint.h>

#include <atomic>

#include "base/fast_clock.h"

namespace rtl::capture {

struct HookState {
  FastClock clock;                  // kept by the worker
  std::atomic<uint64_t> beat{0};    // when the worker last looked
  std::atomic<bool> armed{false};   // relaxed in the hook; see TracedQueue::HookScope
  std::atomic<bool> forked{false};  // a child without the parent's threads: take no lock
  std::atomic<bool> closed{false};  // the totals have been handed over: nothing may be counted
};

}  // namespace rtl::capture
