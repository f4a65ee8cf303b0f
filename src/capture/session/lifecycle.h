// SPDX-License-Identifier: MIT
// lifecycle.h: the life of the tracer in one process, written down once.
//
//   state      meaning                                        left for
//   kNew       nobody has asked for anything yet              kOpen, kOff
//   kOpen      the trace is open; no runtime is hooked        kTracing, kFinished
//   kTracing   the runtime's tables hold our hooks            kStopped
//   kStopped   hooks pass through; the runtime is still there kOpen (it goes), kFinished
//   kFinished  the trace is complete                          -
//   kOff       disabled, or it could not be opened            -
//   kForked    the child of a fork without exec               -   (entered from anywhere)
//
// Threads    any; one atomic word
// Errors     an illegal transition is refused and reported as a broken invariant
#pragma once

#include <stdint.h>

#include <atomic>

namespace rtl::capture {

class Lifecycle {
 public:
  enum class State : uint8_t { kNew, kOpen, kTracing, kStopped, kFinished, kOff, kForked };

  State state() const { return state_.load(std::memory_order_acquire); }  // pairs with (A)

  // False when the state is not `from` (somebody was faster) or the step is illegal.
  bool Advance(State from, State to);

  // For the child of a fork: from whatever state there is. Async-signal-safe.
  void Fork() { state_.store(State::kForked, std::memory_order_release); }  // (A)

  static bool Legal(State from, State to);

 private:
  std::atomic<State> state_{State::kNew};
};

const char* StateName(Lifecycle::State state);

}  // namespace rtl::capture
