// SPDX-License-Identifier: MIT
// hsa_support.h: the parts that all HSA programs of this folder share.
#pragma once

#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>

#include "check.h"

namespace programs {

inline void HsaCheck(hsa_status_t status, const char* what) {
  if (status == HSA_STATUS_SUCCESS || status == HSA_STATUS_INFO_BREAK) return;
  const char* why = "unknown status";
  (void)hsa_status_string(status, &why);  // on failure the text above stays
  Die(what, why);
}
#define HSA_CHECK(call) ::programs::HsaCheck((call), #call)

struct Machine {
  hsa_agent_t cpu = {}, gpu = {};
  hsa_amd_memory_pool_t system = {};  // fine grained host memory
  hsa_amd_memory_pool_t kernargs = {};
  hsa_amd_memory_pool_t vram = {};  // of the first GPU
};

inline hsa_status_t AddAgent(hsa_agent_t agent, void* data) {
  auto& machine = *static_cast<Machine*>(data);
  hsa_device_type_t type;
  HSA_CHECK(hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type));
  hsa_agent_t& slot = type == HSA_DEVICE_TYPE_GPU ? machine.gpu : machine.cpu;
  if (slot.handle == 0) slot = agent;
  return HSA_STATUS_SUCCESS;
}

inline bool IsGlobal(hsa_amd_memory_pool_t pool) {
  hsa_amd_segment_t segment;
  HSA_CHECK(hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_SEGMENT, &segment));
  return segment == HSA_AMD_SEGMENT_GLOBAL;
}

inline hsa_status_t AddHostPool(hsa_amd_memory_pool_t pool, void* data) {
  auto& machine = *static_cast<Machine*>(data);
  if (!IsGlobal(pool)) return HSA_STATUS_SUCCESS;
  uint32_t flags = 0;
  HSA_CHECK(hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS, &flags));
  if ((flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_KERNARG_INIT) != 0) {
    machine.kernargs = pool;
  } else if ((flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED) != 0) {
    machine.system = pool;
  }
  return HSA_STATUS_SUCCESS;
}

inline hsa_status_t AddGpuPool(hsa_amd_memory_pool_t pool, void* data) {
  auto& machine = *static_cast<Machine*>(data);
  if (IsGlobal(pool) && machine.vram.handle == 0) machine.vram = pool;
  return HSA_STATUS_SUCCESS;
}

// Starts the runtime and finds the first CPU, the first GPU and their memory.
inline Machine StartHsa() {
  Machine machine;
  HSA_CHECK(hsa_init());
  HSA_CHECK(hsa_iterate_agents(AddAgent, &machine));
  if (machine.gpu.handle == 0) Die("hsa_iterate_agents", "there is no GPU");
  HSA_CHECK(hsa_amd_agent_iterate_memory_pools(machine.cpu, AddHostPool, &machine));
  HSA_CHECK(hsa_amd_agent_iterate_memory_pools(machine.gpu, AddGpuPool, &machine));
  return machine;
}

// Memory of a pool that the GPU may use, filled with zeros.
template <typename T>
T* Allocate(const Machine& machine, hsa_amd_memory_pool_t pool, size_t count) {
  void* memory = nullptr;
  const size_t bytes = (count * sizeof(T) + 4095) / 4096 * 4096;
  HSA_CHECK(hsa_amd_memory_pool_allocate(pool, bytes, 0, &memory));
  HSA_CHECK(hsa_amd_agents_allow_access(1, &machine.gpu, nullptr, memory));
  std::memset(memory, 0, bytes);
  return static_cast<T*>(memory);
}

inline void Free(void* memory) { HSA_CHECK(hsa_amd_memory_pool_free(memory)); }

inline hsa_queue_t* CreateQueue(const Machine& machine, uint32_t packets) {
  hsa_queue_t* queue = nullptr;
  HSA_CHECK(hsa_queue_create(machine.gpu, packets, HSA_QUEUE_TYPE_MULTI, nullptr, nullptr,
                             UINT32_MAX, UINT32_MAX, &queue));
  return queue;
}

inline hsa_signal_t CreateSignal(hsa_signal_value_t value) {
  hsa_signal_t signal = {};
  HSA_CHECK(hsa_signal_create(value, 0, nullptr, &signal));
  return signal;
}

// Blocks in the kernel driver until the signal is zero.
inline void WaitForZero(hsa_signal_t signal) {
  while (hsa_signal_wait_scacquire(signal, HSA_SIGNAL_CONDITION_LT, 1, UINT64_MAX,
                                   HSA_WAIT_STATE_BLOCKED) > 0) {
  }
}

constexpr uint16_t kSystemFences =
    HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCACQUIRE_FENCE_SCOPE |
    HSA_FENCE_SCOPE_SYSTEM << HSA_PACKET_HEADER_SCRELEASE_FENCE_SCOPE;

// Writes one 64-byte packet with this header and rings the doorbell.
template <typename Packet>
void Submit(hsa_queue_t* queue, const Packet& packet, uint16_t header) {
  static_assert(sizeof(Packet) == 64);
  const uint64_t index = hsa_queue_add_write_index_screlease(queue, 1);
  while (index - hsa_queue_load_read_index_scacquire(queue) >= queue->size) {
  }
  auto* slot = static_cast<char*>(queue->base_address) + index % queue->size * 64;
  std::memcpy(slot + 4, reinterpret_cast<const char*>(&packet) + 4, 60);
  uint32_t first;
  std::memcpy(&first, &packet, 4);
  first = (first & 0xffff0000u) | header;
  // The header makes the packet valid; everything else is written before.
  __atomic_store_n(reinterpret_cast<uint32_t*>(slot), first, __ATOMIC_RELEASE);
  hsa_signal_store_screlease(queue->doorbell_signal, static_cast<hsa_signal_value_t>(index));
}

// A kernel of one instruction, s_endpgm, behind the smallest valid descriptor. The caller frees it.
inline uint32_t* EmptyKernel(const Machine& machine) {
  auto* code = Allocate<uint32_t>(machine, machine.system, 1024);
  code[4] = 256;  // kernel_code_entry_byte_offset
  code[64] = 0xbf810000;
  return code;
}

inline hsa_kernel_dispatch_packet_t Dispatch(const void* kernel, uint32_t grid,
                                             uint16_t workgroup) {
  hsa_kernel_dispatch_packet_t packet = {};
  packet.setup = 1 << HSA_KERNEL_DISPATCH_PACKET_SETUP_DIMENSIONS;
  packet.workgroup_size_x = workgroup;
  packet.workgroup_size_y = 1;
  packet.workgroup_size_z = 1;
  packet.grid_size_x = grid;
  packet.grid_size_y = 1;
  packet.grid_size_z = 1;
  packet.kernel_object = reinterpret_cast<uint64_t>(kernel);
  return packet;
}
constexpr uint16_t kDispatchHeader =
    HSA_PACKET_TYPE_KERNEL_DISPATCH << HSA_PACKET_HEADER_TYPE | kSystemFences;
constexpr uint16_t kBarrierHeader = HSA_PACKET_TYPE_BARRIER_AND << HSA_PACKET_HEADER_TYPE |
                                    1 << HSA_PACKET_HEADER_BARRIER | kSystemFences;

}  // namespace programs
