// SPDX-License-Identifier: MIT
// topology.h: reads the agents of the machine from the kernel driver's topology.
//
//   <root>/<node>/{properties,name,gpu_id,mem_banks/N/properties,caches/N/…,io_links/N/…}
//
// Threads    Load: one; everything else afterwards: any
// Blocking   Load: file I/O on sysfs
// Memory     allocated once, never freed: tools keep pointers
// Errors     without a topology there is only the CPU, as the processor describes itself
#pragma once

#include <rocprofiler-sdk/agent.h>
#include <stdint.h>

namespace rtl::sdk {

class Topology {
 public:
  static constexpr uint32_t kMost = 128;
  static constexpr char kRoot[] = "/sys/class/kfd/kfd/topology/nodes";

  void Load(const char* root);
  uint32_t count() const { return count_; }
  const rocprofiler_agent_t& at(uint32_t index) const { return agents_[index]; }
  const rocprofiler_agent_t* begin() const { return agents_; }
  const rocprofiler_agent_t* end() const { return agents_ + count_; }
  const void** pointers() { return pointers_; }
  // The agent of the driver's node; its handle is zero if there is none.
  rocprofiler_agent_id_t IdOf(uint32_t node) const;

 private:
  struct Node;
  bool ReadNode(const char* root, uint32_t node, rocprofiler_agent_t* agent);
  void Add(rocprofiler_agent_t agent);
  void AddProcessorAlone();

  uint32_t count_ = 0;
  rocprofiler_agent_t agents_[kMost] = {};
  const void* pointers_[kMost] = {};
};

// Which runtimes show an agent, according to ROCR_VISIBLE_DEVICES, HIP_VISIBLE_DEVICES,
// CUDA_VISIBLE_DEVICES and GPU_DEVICE_ORDINAL. `agent` must have its type, logical_node_type_id and
// uuid.
rocprofiler_agent_runtime_visiblity_t VisibilityOf(const rocprofiler_agent_t& agent);

// The index of a GPU in a list of visible devices ("0,2", "GPU-e1f…"); -1 if the list does not have
// it. This index is the GPU's number in the library that reads the variable. As in the runtime,
// entries after an invalid one are ignored.
int PlaceInList(const char* list, int number, const rocprofiler_uuid_t& uuid);

}  // namespace rtl::sdk
