// SPDX-License-Identifier: MIT
// Starts and stops hardware counters and PC samples.
#include <stdio.h>
#include <unistd.h>

#include "capture/session/session.h"

namespace rtl::capture {

bool Session::WantsSamples() {
  return (In(Party::kTrace) && events().Has(EventKind::kPcSample)) ||
         (In(Party::kTools) && tools_->WantsSamples());
}

// Opens the sampler. The trace samples from here on; tools start their samples themselves.
void Session::OpenSampler(Party joined) {
  const auto agent_number = [](const void* data, hsa_agent_t agent) {
    return static_cast<const HsaCapture*>(data)->AgentNumber(agent);
  };
  sampler_.Open(root_table_, tables_, agent_number, &capture_);
  if (joined != Party::kTrace || !In(Party::kTrace) || !events().Has(EventKind::kPcSample)) return;
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
  if (!In(Party::kTrace) || !events().Has(EventKind::kCounter)) return tool;
  trace_counters_.Open(output_->sink(), &tables_.api());
  if (tool == nullptr) return &trace_counters_;
  counter_pair_.Open(&trace_counters_, tool);
  return &counter_pair_;
}

}  // namespace rtl::capture
