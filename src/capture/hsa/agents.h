// SPDX-License-Identifier: MIT
// agents.h: the runtime's agents, numbered in the order in which it lists them.
//
// Threads    Load: once, before anything else. NumberOf: any, no lock
// Memory     fixed; agents beyond kMaxAgents have number zero
#pragma once

#include <stdint.h>

#include "base/status.h"
#include "capture/hsa/hsa_api.h"
#include "model/record_sink.h"

namespace rtl::capture {

class Agents {
 public:
  static constexpr uint32_t kMaxAgents = 256;

  Status Load(const HsaApi& api);
  // Writes an AgentRecord for each agent. An error means that the sink has no room for them.
  Status Tell(const HsaApi& api, RecordSink* sink) const;

  // The 1-based number of an agent; zero if it is not known.
  uint32_t NumberOf(hsa_agent_t agent) const;
  uint32_t count() const { return count_; }
  // False if there is no GPU, or more than one.
  bool OnlyGpu(hsa_agent_t* agent) const;
  // True if the agent with this number is a GPU.
  bool IsGpu(uint32_t number) const { return number != 0 && number <= count_ && gpu_[number - 1]; }

 private:
  static hsa_status_t Remember(hsa_agent_t agent, void* self);

  uint32_t count_ = 0;
  hsa_agent_t agents_[kMaxAgents];
  bool gpu_[kMaxAgents] = {};
};

}  // namespace rtl::capture
