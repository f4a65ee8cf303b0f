// SPDX-License-Identifier: MIT
#include "capture/session/counting.h"

namespace rtl::capture {

CounterUser* Counting::User() {
  CounterUser* const tool = parties_->In(Party::kTools) ? parties_->tools()->counters() : nullptr;
  if (!parties_->TraceHas(EventKind::kCounter)) return tool;
  counters_.Open(output_->sink(), &engine_->tables.api());
  if (tool == nullptr) return &counters_;
  pair_.Open(&counters_, tool);
  return &pair_;
}

bool Counting::WantsSamples() const {
  return parties_->TraceHas(EventKind::kPcSample) ||
         (parties_->In(Party::kTools) && parties_->tools()->WantsSamples());
}

Status Counting::OpenSampler(void* root_table, Party joined) {
  engine_->sampler.Open(root_table, engine_->tables, HsaCapture::AgentNumberIn, &engine_->capture);
  if (joined != Party::kTrace || !parties_->TraceHas(EventKind::kPcSample)) return Status::Ok();
  samples_.Open(output_->sink(), &engine_->sampler);
  engine_->code_objects.WatchForSamples(&samples_);
  return samples_.Begin();
}

}  // namespace rtl::capture
