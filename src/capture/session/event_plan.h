// SPDX-License-Identifier: MIT
// event_plan.h: the configuration of this process, read when it is first needed, and the events
// that are to be recorded by it.
//
// Threads    one at a time
// Errors     a value that cannot be followed is a problem for the user; some turn recording off
#pragma once

#include "base/config.h"
#include "base/status.h"
#include "capture/counters/trace_counters.h"
#include "capture/pc_sampling/trace_pc_samples.h"
#include "model/event_kinds.h"

namespace rtl::capture {

class EventPlan {
 public:
  // The source of the configuration: the environment, or a test.
  using ReadConfig = Status (*)(Config* out);

  // The counters and samples of the trace; both outlive this object.
  EventPlan(ReadConfig read_config, TraceCounters* counters, TracePcSamples* samples)
      : read_config_(read_config), counters_(counters), samples_(samples) {}

  // Reads the configuration, once. False: the process must not be traced.
  bool Configure();
  // Decides what is recorded, once. False: as Configure.
  bool Make();
  bool made() const { return made_; }
  bool off() const { return off_; }  // nothing is recorded

  const Config& config() const { return config_; }
  const EventSet& events() const { return events_; }
  const Status& problem() const { return problem_; }  // the first one

  // The requested mode is not possible.
  void UseMode(Mode mode);
  // Reads and decides again, after a thread that did was interrupted for ever.
  void Forget();

 private:
  Status Choose();
  Status ChooseCounters();
  Status ChooseSamples();

  const ReadConfig read_config_;
  TraceCounters* const counters_;
  TracePcSamples* const samples_;
  bool configured_ = false;
  bool made_ = false;
  bool off_ = false;
  Status problem_ = Status::Ok();
  Config config_;
  EventSet events_;
};

}  // namespace rtl::capture
