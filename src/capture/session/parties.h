// SPDX-License-Identifier: MIT
// parties.h: the two parties of a session: the trace, and the tools of rocprofiler-sdk's services.
// Here is which of them has joined the hooked runtime, and which records each gets.
//
// Threads    under the session's lock; sinks(): as in party_sinks.h
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "capture/hooks/hsa_capture.h"
#include "capture/session/event_plan.h"
#include "capture/session/party_sinks.h"
#include "capture/session/tool_side.h"
#include "capture/session/trace_output.h"

namespace rtl::capture {

enum class Party : uint8_t { kTrace, kTools };

class Parties {
 public:
  Parties(TraceOutput* output, const EventPlan* plan) : output_(output), plan_(plan) {}
  Parties(const Parties&) = delete;
  Parties& operator=(const Parties&) = delete;

  // Adds the tools; null: there are none.
  void UseTools(ToolSide* tools) { tools_ = tools; }
  ToolSide* tools() const { return tools_; }
  PartySinks* sinks() { return &sinks_; }

  bool In(Party party) const { return Of(party).in; }
  // True if the trace has joined and records such events.
  bool TraceHas(EventKind kind) const { return In(Party::kTrace) && plan_->events().Has(kind); }
  // From now on the party gets the records of the hooked runtime.
  void Join(Party party);
  void Leave(Party party) { Of(party).in = false; }
  void LeaveAll();
  // Tells each party that has joined which agents there are, once.
  Status TellAgents(const HsaCapture& capture);

  // Other runtimes that a party has met; they are not traced.
  void MeetOther(Party party) { ++Of(party).others; }
  uint32_t others(Party party) const { return Of(party).others; }
  // A runtime of the party is unloaded. True if it was another one than the hooked one.
  bool ForgetOther(Party party);

 private:
  static constexpr size_t kParties = 2;
  struct Membership {
    bool in = false;
    bool knows_agents = false;
    uint32_t others = 0;
  };
  Membership& Of(Party party) { return members_[static_cast<size_t>(party)]; }
  const Membership& Of(Party party) const { return members_[static_cast<size_t>(party)]; }

  TraceOutput* const output_;
  const EventPlan* const plan_;
  ToolSide* tools_ = nullptr;
  PartySinks sinks_;
  Membership members_[kParties];
};

}  // namespace rtl::capture
