// SPDX-License-Identifier: MIT
// lifecycle.h: the states of the tracer in one process, and the legal transitions.
//
//   state      meaning                                        next state
//   kNew       not used yet                                   kOpen, kOff
//   kOpen      the trace is open; no runtime is hooked        kTracing, kFinished
//   kTracing   the runtime's tables hold our hooks            kStopped
//   kStopped   hooks pass calls through; the runtime is       kOpen (it unloads), kFinished
//              still loaded
//   kFinished  the trace is complete                          -
//   kOff       disabled, or it could not be opened            -
//   kForked    the child of a fork without exec, of a parent  -   (entered from anywhere)
//              that had loaded a runtime
//
// The child of a fork before any runtime was loaded begins anew, at kNew.
//
// Threads    any; one atomic word
// Errors     an illegal transition is rejected and reported as a broken invariant
#pragma once

#include <stdint.h>

#include <atomic>

namespace rtl::capture {

class Lifecycle {
 public:
  enum class State : uint8_t { kNew, kOpen, kTracing, kStopped, kFinished, kOff, kForked };

  State state() const { return state_.load(std::memory_order_acquire); }  // pairs with (A)

  // True while the trace is open.
  bool open() const { return records() || state() == State::kStopped; }
  // True if events are accepted now.
  bool records() const {
    const State now = state();
    return now == State::kOpen || now == State::kTracing;
  }

  // False if the state is not `from`, because another thread has changed it, or if the transition
  // is illegal.
  bool Advance(State from, State to);

  // For the child of a fork: change the state from any other one. Async-signal-safe.
  void BeginAnew() { state_.store(State::kNew, std::memory_order_release); }  // (A)
  void Fork() { state_.store(State::kForked, std::memory_order_release); }    // (A)

  static bool Legal(State from, State to);

 private:
  std::atomic<State> state_{State::kNew};
};

const char* StateName(Lifecycle::State state);

}  // namespace rtl::capture
