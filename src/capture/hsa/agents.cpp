// SPDX-License-Identifier: MIT
#include "capture/hsa/agents.h"

#include <errno.h>
#include <fcntl.h>
#include <hsa/hsa_ext_amd.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/files_apart.h"
#include "base/thread_state.h"
#include "base/unique_fd.h"
#include "model/records.h"

namespace rtl::capture {
namespace {

// HSA_AMD_AGENT_INFO_TIMESTAMP_FREQUENCY, which only the headers of newer runtimes have.
constexpr int kInfoTimestampFrequency = 0xA016;

// Reads an attribute. If the runtime or this kind of agent lacks it, `out` is unchanged, so the
// record has zeros.
template <typename T>
void Ask(const HsaApi& api, hsa_agent_t agent, int attribute, T* out) {
  T value = {};
  if (api.agent_get_info(agent, static_cast<hsa_agent_info_t>(attribute), &value) ==
      HSA_STATUS_SUCCESS) {
    *out = value;
  }
}

// A text attribute: the runtime fills 64 bytes, with or without a terminator.
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

// Lines "name value" about an agent, read from the files of its node in the driver's topology.
class NodeText {
 public:
  explicit NodeText(uint32_t node) : node_(node) {}

  // Appends a file of such lines; lines without room are omitted.
  void AddLines(const char* file) {
    used_ += Read(file, text_ + used_, sizeof text_ - used_);
    while (used_ > 0 && text_[used_ - 1] != '\n') --used_;
  }
  // Appends a file with one value.
  void AddValue(const char* file, const char* name) {
    char value[128];
    const size_t length = Read(file, value, sizeof value);
    const size_t line = length == 0 ? 0 : strcspn(value, "\n");
    const size_t needed = strlen(name) + line + 2;
    if (line == 0 || needed >= sizeof text_ - used_) return;
    used_ += static_cast<size_t>(snprintf(text_ + used_, sizeof text_ - used_, "%s %.*s\n", name,
                                          static_cast<int>(line), value));
  }
  const char* text() const { return text_; }
  uint32_t bytes() const { return static_cast<uint32_t>(used_); }

 private:
  // Reads a file into `out` and terminates the text. Returns its length.
  size_t Read(const char* file, char* out, size_t room) const {
    char path[128];
    snprintf(path, sizeof path, "/sys/class/kfd/kfd/topology/nodes/%u/%s", node_, file);
    size_t used = 0;
    FilesApart([&] {
      const UniqueFd fd(open(path, O_RDONLY | O_CLOEXEC));
      while (fd.valid() && used < room - 1) {
        const ssize_t got = read(fd.get(), out + used, room - 1 - used);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        used += static_cast<size_t>(got);
      }
    });
    out[used] = '\0';
    return used;
  }

  const uint32_t node_;
  size_t used_ = 0;
  char text_[4096] = {};
};

bool WriteProperties(const AgentRecord& agent, RecordSink* sink) {
  NodeText node(agent.node);
  node.AddLines("properties");
  if (node.bytes() == 0) return true;
  node.AddValue("gpu_id", "gpu_id");
  node.AddValue("name", "model_name");
  AgentPropertiesRecord record;
  record.head.type = RecordType::kAgentProperties;
  record.head.thread = agent.head.thread;
  record.agent = agent.agent;
  record.text_bytes = node.bytes();
  return sink->Write(&record, sizeof record, node.text(), record.text_bytes);
}

}  // namespace

hsa_status_t Agents::Remember(hsa_agent_t agent, void* self) {
  Agents* const agents = static_cast<Agents*>(self);
  if (agents->count_ < kMaxAgents) agents->agents_[agents->count_++] = agent;
  return HSA_STATUS_SUCCESS;
}

Status Agents::Load(const HsaApi& api) {
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
  return Status::Ok();
}

Status Agents::Tell(const HsaApi& api, RecordSink* sink) const {
  uint32_t gpus = 0;
  for (uint32_t i = 0; i < count_; ++i) {
    AgentRecord record = Describe(api, agents_[i]);
    record.agent = i + 1;
    if (record.is_gpu != 0) record.gpu = gpus++;
    if (!sink->Write(&record, sizeof(record), nullptr, 0) || !WriteProperties(record, sink)) {
      return Status::Error("the trace has no room for the list of agents");
    }
  }
  return Status::Ok();
}

bool Agents::OnlyGpu(hsa_agent_t* agent) const {
  uint32_t gpus = 0;
  for (uint32_t i = 0; i < count_; ++i) {
    if (!gpu_[i]) continue;
    ++gpus;
    *agent = agents_[i];
  }
  return gpus == 1;
}

uint32_t Agents::NumberOf(hsa_agent_t agent) const {
  for (uint32_t i = 0; i < count_; ++i) {
    if (agents_[i].handle == agent.handle) return i + 1;
  }
  return 0;
}

}  // namespace rtl::capture
