// SPDX-License-Identifier: MIT
#include "capture/counters/counter_memory.h"

#include <hsa/hsa_ext_amd.h>
#include <string.h>

#include "base/thread_state.h"
#include "capture/hsa/hsa_slots.h"

namespace rtl::capture {
namespace {

// HSA_AMD_MEMORY_POOL_EXECUTABLE_FLAG, which only newer runtimes' headers have. The flag is needed
// because a command processor fetches commands as it fetches code.
constexpr uint32_t kExecutable = 1u << 2;

template <typename Function>
bool Take(const HsaSlots& slots, uint32_t index, Function* out) {
  void** const slot = slots.Of(index);
  if (slot == nullptr) return false;
  *out = reinterpret_cast<Function>(*slot);
  return *out != nullptr;
}

}  // namespace

hsa_status_t CounterMemory::OnPool(uint64_t pool, void* data) {
  auto* const search = static_cast<Search*>(data);
  const CounterMemory& self = *search->memory;
  uint32_t segment = UINT32_MAX;
  uint32_t flags = 0;
  bool allowed = false;
  (void)self.pool_info_(pool, HSA_AMD_MEMORY_POOL_INFO_SEGMENT, &segment);
  (void)self.pool_info_(pool, HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS, &flags);
  (void)self.pool_info_(pool, HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALLOWED, &allowed);
  if (segment != HSA_AMD_SEGMENT_GLOBAL || !allowed ||
      (flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED) == 0)
    return HSA_STATUS_SUCCESS;
  search->pool = pool;
  return HSA_STATUS_INFO_BREAK;
}

hsa_status_t CounterMemory::OnAgent(hsa_agent_t agent, void* data) {
  auto* const search = static_cast<Search*>(data);
  hsa_device_type_t type = HSA_DEVICE_TYPE_GPU;
  if (search->memory->api_->agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type) !=
          HSA_STATUS_SUCCESS ||
      type != HSA_DEVICE_TYPE_CPU)
    return HSA_STATUS_SUCCESS;
  (void)search->memory->iterate_pools_(agent, OnPool, search);
  return search->pool == 0 ? HSA_STATUS_SUCCESS : HSA_STATUS_INFO_BREAK;
}

Status CounterMemory::Open(const HsaApi& api, void* root_table) {
  api_ = &api;
  const HsaSlots slots(root_table);
  if (!Take(slots, kIndexOf_hsa_amd_agent_iterate_memory_pools, &iterate_pools_) ||
      !Take(slots, kIndexOf_hsa_amd_memory_pool_get_info, &pool_info_) ||
      !Take(slots, kIndexOf_hsa_amd_memory_pool_allocate, &allocate_) ||
      !Take(slots, kIndexOf_hsa_amd_memory_pool_free, &free_) ||
      !Take(slots, kIndexOf_hsa_amd_agents_allow_access, &allow_))
    return Status::Error("this HSA runtime has no memory pools");
  Search search = {this, 0};
  (void)api.iterate_agents(OnAgent, &search);  // an iteration that OnAgent stopped is no failure
  pool_ = search.pool;
  return pool_ == 0 ? Status::Error("the host has no memory that GPUs see") : Status::Ok();
}

void* CounterMemory::Allocate(hsa_agent_t gpu, uint64_t bytes) const {
  const ReentryGuard guard;
  void* memory = nullptr;
  if (allocate_(pool_, bytes, kExecutable, &memory) != HSA_STATUS_SUCCESS &&
      allocate_(pool_, bytes, 0, &memory) != HSA_STATUS_SUCCESS)
    return nullptr;
  if (allow_(1, &gpu, nullptr, memory) != HSA_STATUS_SUCCESS) {
    Free(memory);
    return nullptr;
  }
  memset(memory, 0, bytes);
  return memory;
}

}  // namespace rtl::capture
