// SPDX-License-Identifier: MIT
#include "capture/hsa/agents.h"

#include <hsa/hsa_ext_amd.h>
#include <string.h>

#include "base/thread_state.h"
#include "model/records.h"

namespace rtl::capture {
namespace {

// In the headers of newer runtimes only: HSA_AMD_AGENT_INFO_TIMESTAMP_FREQUENCY.
constexpr int kInfoTimestampFrequency = 0xA016;

// What an attribute says; `out` keeps its zeros where the runtime or this kind of agent does not
// know it, which is what the record then says too.
template <typename T>
void Ask(const HsaApi& api, hsa_agent_t agent, int attribute, T* out) {
  T value = {};
  if (api.agent_get_info(agent, static_cast<hsa_agent_info_t>(attribute), &value) ==
      HSA_STATUS_SUCCESS) {
    *out = value;
  }
}

// The runtime fills 64 bytes, terminated or not.
struct Text64 {
  char bytes[64] = {};
};

void CopyText(const Text64& text, char* out, size_t bytes) {
  const size_t length = strnlen(text.bytes, sizeof(text.bytes));
  const size_t copied = length < bytes ? length : bytes - 1;
  memcpy(out, text.bytes, copied);
  out[copied] = '\0';
}

AgentRecord Describe(const HsaApi& api, hsa_agent_t agent) {
  AgentRecord record;
  record.head.type = RecordType::kAgent;
  record.head.thread = ThreadId::Current();
  hsa_device_type_t type = HSA_DEVICE_TYPE_CPU;
  Ask(api, agent, HSA_AGENT_INFO_DEVICE, &type);
  record.is_gpu = type == HSA_DEVICE_TYPE_GPU ? 1 : 0;
  Ask(api, agent, HSA_AGENT_INFO_NODE, &record.node);
  Ask(api, agent, HSA_AMD_AGENT_INFO_BDFID, &record.bdf);
  Ask(api, agent, HSA_AMD_AGENT_INFO_COMPUTE_UNIT_COUNT, &record.compute_units);
  Ask(api, agent, kInfoTimestampFrequency, &record.timestamp_hz);
  Text64 text;
  Ask(api, agent, HSA_AGENT_INFO_NAME, &text);
  CopyText(text, record.name, sizeof(record.name));
  text = {};
  Ask(api, agent, HSA_AMD_AGENT_INFO_PRODUCT_NAME, &text);
  CopyText(text, record.product, sizeof(record.product));
  text = {};
  Ask(api, agent, HSA_AMD_AGENT_INFO_UUID, &text);
  CopyText(text, record.uuid, sizeof(record.uuid));
  return record;
}

}  // namespace

hsa_status_t Agents::Remember(hsa_agent_t agent, void* self) {
  Agents* const agents = static_cast<Agents*>(self);
  if (agents->count_ < kMaxAgents) agents->agents_[agents->count_++] = agent;
  return HSA_STATUS_SUCCESS;
}

Status Agents::Load(const HsaApi& api, RecordSink* sink) {
  count_ = 0;
  const hsa_status_t status = api.iterate_agents(&Agents::Remember, this);
  if (status != HSA_STATUS_SUCCESS) {
    return Status::Error("hsa_iterate_agents failed with status 0x%x", status);
  }
  for (uint32_t i = 0; i < count_; ++i) {
    hsa_device_type_t type = HSA_DEVICE_TYPE_CPU;
    Ask(api, agents_[i], HSA_AGENT_INFO_DEVICE, &type);
    gpu_[i] = type == HSA_DEVICE_TYPE_GPU;
  }
  if (sink == nullptr) return Status::Ok();
  uint32_t gpus = 0;
  for (uint32_t i = 0; i < count_; ++i) {
    AgentRecord record = Describe(api, agents_[i]);
    record.agent = i + 1;
    if (record.is_gpu != 0) record.gpu = gpus++;
    if (!sink->Write(&record, sizeof(record), nullptr, 0)) {
      return Status::Error("the trace has no room for the list of agents");
    }
  }
  return Status::Ok();
}

uint32_t Agents::NumberOf(hsa_agent_t agent) const {
  for (uint32_t i = 0; i < count_; ++i) {
    if (agents_[i].handle == agent.handle) return i + 1;
  }
  return 0;
}

}  // namespace rtl::capture
