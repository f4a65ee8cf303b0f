// SPDX-License-Identifier: MIT
// event_plan.h: reads the configuration of this process when it is first needed, and decides which
// events are recorded.
//
// Threads    one at a time
// Errors     a value that cannot be used is reported to the user as a problem; some such values
//            turn recording off
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

  // `counters` and `samples`: for the trace; both must outlive this object.
  EventPlan(ReadConfig read_config, TraceCounters* counters, TracePcSamples* samples)
      : read_config_(read_config), counters_(counters), samples_(samples) {}

  // Reads the configuration, once. False: the process must not be traced.
  bool Configure();
  // Decides once what is recorded. False: the process must not be traced.
  bool Make();
  bool made() const { return made_; }
  bool off() const { return off_; }  // nothing is recorded

  const Config& config() const { return config_; }
  const EventSet& events() const { return events_; }
  const Status& problem() const { return problem_; }  // the first problem that was found

  // Uses this mode instead, because the requested one is not possible.
  void UseMode(Mode mode);
  // Makes Configure and Make run again, after the thread that ran them was interrupted for ever.
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
