// SPDX-License-Identifier: MIT
#include "sdk/tracer.h"

#include <string.h>

namespace rtl::sdk {
namespace {

template <typename T>
T ReadRecord(const void* record) {
  T value;
  memcpy(&value, record, sizeof value);
  return value;
}

}  // namespace

Tracer::Tracer(Contexts* contexts, const Topology* topology, Retirement* retirement)
    : topology_(topology),
      code_objects_(contexts, this),
      async_(contexts, this, retirement),
      counting_(contexts, &async_),
      device_counts_(contexts, &counting_),
      pc_samples_(this, &code_objects_) {}

rocprofiler_agent_id_t Tracer::AgentOf(uint32_t number) const {
  if (number > kMostAgents) return {};
  return {agents_[number].load(std::memory_order_relaxed)};  // written before the first dispatch
}

bool Tracer::Write(const void* record, size_t bytes, const char* text, size_t text_bytes) {
  switch (static_cast<const RecordHeader*>(record)->type) {
    case RecordType::kAgent: {
      const auto agent = ReadRecord<AgentRecord>(record);
      if (agent.agent <= kMostAgents)
        agents_[agent.agent].store(AgentAt(agent.node).handle, std::memory_order_relaxed);
      break;
    }
    case RecordType::kKernel:
      code_objects_.Note(ReadRecord<KernelRecord>(record), text);
      break;
    default:
      break;  // no service uses such a record; kernels and copies go to AsyncTracing
  }
  return true;
}

}  // namespace rtl::sdk
