// SPDX-License-Identifier: MIT
#include "capture/session/lifecycle.h"

#include "base/log.h"

namespace rtl::capture {
namespace {

using State = Lifecycle::State;

struct Step {
  State from, to;
};
constexpr Step kSteps[] = {
    {State::kNew, State::kOpen},         {State::kNew, State::kOff},
    {State::kOpen, State::kTracing},     {State::kOpen, State::kFinished},
    {State::kTracing, State::kStopped},  {State::kStopped, State::kOpen},
    {State::kStopped, State::kFinished},
};

}  // namespace

bool Lifecycle::Legal(State from, State to) {
  if (to == State::kForked) return true;
  for (const Step& step : kSteps) {
    if (step.from == from && step.to == to) return true;
  }
  return false;
}

bool Lifecycle::Advance(State from, State to) {
  if (!Legal(from, to)) {
    BrokenInvariant("the session cannot go from %s to %s", StateName(from), StateName(to));
    return false;
  }
  State expected = from;
  return state_.compare_exchange_strong(expected, to, std::memory_order_acq_rel,  // (A)
                                        std::memory_order_relaxed);
}

const char* StateName(State state) {
  switch (state) {
    case State::kNew:
      return "new";
    case State::kOpen:
      return "open";
    case State::kTracing:
      return "tracing";
    case State::kStopped:
      return "stopped";
    case State::kFinished:
      return "finished";
    case State::kOff:
      return "off";
    case State::kForked:
      return "forked";
  }
  return "?";
}

}  // namespace rtl::capture
