// SPDX-License-Identifier: MIT
// The part of the session for hardware counters and PC samples.
#include <stdio.h>
#include <unistd.h>

#include "base/environment.h"
#include "capture/session/session.h"

namespace rtl::capture {

Status Session::ChooseCounters() {
  if (config_.counters[0] == '\0') return Status::Ok();
  if (config_.mode == Mode::kClr || config_.mode == Mode::kLite)
    return Status::Error("RTL_COUNTERS is ignored in mode %s", ModeName(config_.mode));
  const Status parsed =
      trace_counters_.Parse(config_.counters, EnvironmentValue("RTL_COUNTER_KERNELS"),
                            EnvironmentValue("RTL_COUNTER_GROUP_INTERVAL"));
  sinks_.SetFilter(trace_counters_.filter());
  if (!parsed.ok()) return Status::Error("RTL_COUNTERS: %s; nothing is counted", parsed.message());
  events_.Add(EventKind::kCounter);
  return Status::Ok();
}

Status Session::ChooseSamples() {
  const char* const interval = EnvironmentValue("RTL_PC_SAMPLING");
  if (interval == nullptr) return Status::Ok();
  if (config_.mode == Mode::kClr || config_.mode == Mode::kLite)
    return Status::Error("RTL_PC_SAMPLING is ignored in mode %s", ModeName(config_.mode));
  if (trace_counters_.any())
    return Status::Error("RTL_PC_SAMPLING is ignored with RTL_COUNTERS: a GPU does one of them");
  RTL_TRY(trace_samples_.Parse(interval));
  events_.Add(EventKind::kPcSample);
  return Status::Ok();
}

bool Session::WantsSamples() {
  return (In(Party::kTrace) && events_.Has(EventKind::kPcSample)) ||
         (In(Party::kTools) && tools_->WantsSamples());
}

// The trace's samples begin with the runtime; tools start theirs.
void Session::OpenSampler(Party joined) {
  const auto agent_number = [](const void* data, hsa_agent_t agent) {
    return static_cast<const HsaCapture*>(data)->AgentNumber(agent);
  };
  sampler_.Open(root_table_, tables_, agent_number, &capture_);
  if (joined != Party::kTrace || !In(Party::kTrace) || !events_.Has(EventKind::kPcSample)) return;
  trace_samples_.Open(output_->sink(), &sampler_);
  code_objects_.WatchForSamples(&trace_samples_);
  const Status begun = trace_samples_.Begin();
  if (begun.ok()) return;
  char text[320];
  snprintf(text, sizeof text, "program counters are not sampled in process %d: %s",
           static_cast<int>(getpid()), begun.message());
  Complain(text);
}

CounterUser* Session::CountersFor() {
  CounterUser* const tool = In(Party::kTools) ? tools_->counters() : nullptr;
  if (!In(Party::kTrace) || !events_.Has(EventKind::kCounter)) return tool;
  trace_counters_.Open(output_->sink(), &tables_.api());
  if (tool == nullptr) return &trace_counters_;
  counter_pair_.Open(&trace_counters_, tool);
  return &counter_pair_;
}

}  // namespace rtl::capture
