// SPDX-License-Identifier: MIT
// counting.h: hardware counters and PC samples of the hooked runtime, for the parties that want
// them.
//
// Threads    under the session's lock
#pragma once

#include "capture/counters/counter_pair.h"
#include "capture/counters/trace_counters.h"
#include "capture/pc_sampling/trace_pc_samples.h"
#include "capture/session/engine.h"
#include "capture/session/parties.h"

namespace rtl::capture {

class Counting {
 public:
  Counting(TraceOutput* output, Parties* parties, Engine* engine)
      : output_(output), parties_(parties), engine_(engine) {}
  Counting(const Counting&) = delete;
  Counting& operator=(const Counting&) = delete;

  // What the trace counts and samples.
  TraceCounters* counters() { return &counters_; }
  TracePcSamples* samples() { return &samples_; }

  // The user of counters: the trace, the tools, or both; null if nothing is counted.
  CounterUser* User();
  bool WantsSamples() const;
  // Opens the sampler, which tools start themselves. For the trace, if it has joined, sampling
  // begins; the error says why it cannot.
  Status OpenSampler(void* root_table, Party joined);
  // Fetches the trace's last samples.
  void EndSamples() {
    if (samples_.any()) samples_.End();
  }

 private:
  TraceOutput* const output_;
  Parties* const parties_;
  Engine* const engine_;
  TraceCounters counters_;
  TracePcSamples samples_;
  CounterPair pair_;
};

}  // namespace rtl::capture
