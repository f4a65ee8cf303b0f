// SPDX-License-Identifier: MIT
// topology.h: the agents of the machine, from the kernel driver's topology.
//
//   <root>/<node>/{properties,name,gpu_id,mem_banks/N/properties,caches/N/…,io_links/N/…}
//
// Threads    Load: one; everything else afterwards: any
// Blocking   Load: file I/O on sysfs
// Memory     allocated once, never freed: tools keep pointers
// Errors     without a topology: only the CPU, from the processor's own description
#pragma once

#include <rocprofiler-sdk/agent.h>
#include <stddef.h>
#include <stdint.h>

namespace rtl::sdk {

class Topology {
 public:
  static constexpr uint32_t kMost = 128;
  static constexpr char kRoot[] = "/sys/class/kfd/kfd/topology/nodes";

  void Load(const char* root);
  uint32_t count() const { return count_; }
  const rocprofiler_agent_t& at(uint32_t index) const { return agents_[index]; }
  const void** pointers() { return pointers_; }
  // The agent of the driver's node; a zero handle when there is none.
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

}  // namespace rtl::sdk
