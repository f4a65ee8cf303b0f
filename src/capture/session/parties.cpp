// SPDX-License-Identifier: MIT
#include "capture/session/parties.h"

namespace rtl::capture {

void Parties::Join(Party party) {
  Of(party).in = true;
  if (party == Party::kTrace) sinks_.SetTrace(output_->sink(), plan_->events());
  if (party == Party::kTools) sinks_.SetTools(tools_->sink());
}

void Parties::LeaveAll() {
  for (Membership& each : members_) each.in = false;
}

Status Parties::TellAgents(const HsaCapture& capture) {
  for (const Party party : {Party::kTrace, Party::kTools}) {
    if (!In(party) || Of(party).knows_agents) continue;
    if (party == Party::kTrace && output_->CountsOnly()) continue;
    RTL_TRY(capture.TellAgents(party == Party::kTools ? tools_->sink() : output_->sink()));
    Of(party).knows_agents = true;
  }
  return Status::Ok();
}

bool Parties::ForgetOther(Party party) {
  if (Of(party).others == 0) return false;
  --Of(party).others;
  return true;
}

}  // namespace rtl::capture
