// SPDX-License-Identifier: MIT
#include "vgpu/wave/grid_launch.h"

#include <hsa/amd_hsa_queue.h>
#include <hsa/hsa.h>

#include <algorithm>
#include <bit>

#include "vgpu/config/gpu_model.h"
#include "vgpu/mem/address_space.h"
#include "vgpu/wave/bit_operations.h"
#include "vgpu/wave/isa.h"
#include "vgpu/wave/memory_words.h"
#include "vgpu/wave/wave.h"

namespace vgpu {
namespace {

// A kernel descriptor (code object v3 and later). amd_kernel_code_t (v2) has the fields used here
// at the same offsets.
constexpr size_t kDescriptorBytes = 64;
constexpr size_t kEntryOffset = 16;
constexpr size_t kRsrc3 = 44;
constexpr size_t kRsrc1 = 48;
constexpr size_t kRsrc2 = 52;
constexpr size_t kProperties = 56;

// Kernel code properties: the user SGPRs that the kernel needs, in this order.
enum Property : uint32_t {
  kPrivateSegmentBuffer = 1u << 0,
  kDispatchPtr = 1u << 1,
  kQueuePtr = 1u << 2,
  kKernargPtr = 1u << 3,
  kDispatchId = 1u << 4,
  kFlatScratchInit = 1u << 5,
  kPrivateSegmentSize = 1u << 6,
};

constexpr uint32_t kLdsGranule = 512;
constexpr uint32_t kVgprGranule = 4;
constexpr uint32_t kVgprGranuleUnified = 8;  // of a file that accumulation registers share
constexpr uint32_t kScratchGranule = 1024;
constexpr uint32_t kLdsBytesPerCu = 64 * 1024;

constexpr uint32_t DivideUp(uint32_t value, uint32_t unit) { return (value + unit - 1) / unit; }

DispatchResult Refuse(DispatchResult::Code code, const char* message, uint64_t va = 0) {
  DispatchResult result;
  result.code = code;
  result.fault_va = va;
  result.message = message;
  return result;
}

void SetGeometry(const hsa_kernel_dispatch_packet_t& packet, GridLaunch* launch) {
  const int dimensions = packet.setup & 3;
  launch->grid.x = packet.grid_size_x;
  launch->grid.y = dimensions > 1 ? packet.grid_size_y : 1;
  launch->grid.z = dimensions > 2 ? packet.grid_size_z : 1;
  launch->group = {packet.workgroup_size_x, packet.workgroup_size_y, packet.workgroup_size_z};
  launch->groups.x = DivideUp(launch->grid.x, launch->group.x);
  launch->groups.y = DivideUp(launch->grid.y, launch->group.y);
  launch->groups.z = DivideUp(launch->grid.z, launch->group.z);
}

void SetUserSgprs(const DispatchRequest& request, uint32_t properties, GridLaunch* launch) {
  const auto* queue = static_cast<const amd_queue_t*>(request.amd_queue);
  const hsa_kernel_dispatch_packet_t& packet = *request.packet;
  const uint32_t* descriptor = queue->scratch_resource_descriptor;
  const uint64_t scratch_base = descriptor[0] | static_cast<uint64_t>(descriptor[1] & 0xffff) << 32;
  launch->scratch_base = scratch_base;
  const auto add = [launch](uint32_t value) {
    launch->user_sgprs[launch->user_sgpr_count++] = value;
  };
  const auto add64 = [&](auto value) {  // a number or an address
    const auto bits = std::bit_cast<uint64_t>(value);
    add(static_cast<uint32_t>(bits));
    add(static_cast<uint32_t>(bits >> 32));
  };
  if (properties & kPrivateSegmentBuffer) {
    for (int i = 0; i < 4; ++i) add(descriptor[i]);
  }
  if (properties & kDispatchPtr) add64(request.packet);
  if (properties & kQueuePtr) add64(request.amd_queue);
  if (properties & kKernargPtr) add64(packet.kernarg_address);
  if (properties & kDispatchId) add64(request.dispatch_id);
  if (properties & kFlatScratchInit) add64(scratch_base);
  if (properties & kPrivateSegmentSize) add(packet.private_segment_size);
}

uint32_t PacketIndex(const DispatchRequest& request) {
  const uint32_t packets = static_cast<const amd_queue_t*>(request.amd_queue)->hsa_queue.size;
  return static_cast<uint32_t>(request.dispatch_id) & (packets - 1);
}

void SetRegisters(uint32_t rsrc1, uint32_t rsrc2, GridLaunch* launch) {
  const uint32_t vgpr_granules = Bits(rsrc1, 0, 6);
  const uint32_t sgpr_granules = Bits(rsrc1, 6, 4);
  launch->vgprs = (vgpr_granules + 1) * kVgprGranule;
  launch->gpr_alloc = vgpr_granules << 8 | sgpr_granules << 24;
  // MODE: float mode, DX10 clamp, IEEE.
  launch->mode = Bits(rsrc1, 12, 8) | Bits(rsrc1, 21, 1) << 8 | Bits(rsrc1, 23, 1) << 9;
  launch->wants_scratch_offset = Bits(rsrc2, 0, 1);
  launch->user_sgpr_count = std::max(launch->user_sgpr_count, Bits(rsrc2, 1, 5));
  for (int i = 0; i < 3; ++i) launch->wants_group_id[i] = Bits(rsrc2, 7 + i, 1);
  launch->wants_group_info = Bits(rsrc2, 10, 1);
  launch->item_id_vgprs = std::min(Bits(rsrc2, 11, 2) + 1, 3u);
}

// On gfx90a vector registers and accumulation registers share one file: the accumulation registers
// begin behind the vector registers.
void SetUnifiedRegisters(uint32_t rsrc1, uint32_t rsrc3, GridLaunch* launch) {
  const uint32_t all = (Bits(rsrc1, 0, 6) + 1) * kVgprGranuleUnified;
  const uint32_t accumulators_begin = (Bits(rsrc3, 0, 6) + 1) * kVgprGranule;
  launch->vgprs = std::min({all, accumulators_begin, uint32_t{kVgprs}});
  launch->accumulators = std::min(all - launch->vgprs, uint32_t{kVgprs});
  launch->item_ids_packed = true;
}

void SetLds(uint32_t bytes, GridLaunch* launch) {
  const uint32_t granules = DivideUp(bytes, kLdsGranule);
  launch->lds_bytes = granules * kLdsGranule;
  launch->lds_alloc = granules << 12;
}

DispatchResult SetScratch(const DispatchRequest& request, GridLaunch* launch) {
  if (request.packet->private_segment_size == 0) return {};
  const auto* queue = static_cast<const amd_queue_t*>(request.amd_queue);
  launch->scratch_waves = Bits(queue->compute_tmpring_size, 0, 12);
  launch->scratch_wave_bytes = Bits(queue->compute_tmpring_size, 12, 13) * kScratchGranule;
  if (launch->scratch_waves < launch->waves_per_group()) {
    return Refuse(DispatchResult::Code::kApertureViolation,
                  "the queue's scratch memory cannot hold one workgroup");
  }
  return {};
}

}  // namespace

uint32_t GridLaunch::MaxResidentGroups() const {
  const GpuModel& model = GetGpuModel();
  const uint32_t units = model.AllComputeUnits();
  const uint32_t waves = units * model.simds_per_cu * model.waves_per_simd;
  uint32_t limit = waves / waves_per_group();
  if (lds_bytes != 0) {
    limit = std::min(limit, units * (kLdsBytesPerCu / lds_bytes));
  }
  if (scratch_wave_bytes != 0) limit = std::min(limit, scratch_waves / waves_per_group());
  return std::max(limit, 1u);
}

DispatchResult PrepareLaunch(const DispatchRequest& request, GridLaunch* launch) {
  const uint64_t va = request.packet->kernel_object;
  const uint8_t* descriptor = Translate(request.gpu, va, kDescriptorBytes);
  if (descriptor == nullptr) {
    return Refuse(DispatchResult::Code::kMemoryFault, "no kernel descriptor at that address", va);
  }
  launch->gpu = request.gpu;
  launch->doorbell = request.doorbell;
  launch->packet_index = PacketIndex(request);
  launch->entry = va + LoadWord<uint64_t>(descriptor + kEntryOffset);
  SetGeometry(*request.packet, launch);
  SetUserSgprs(request, LoadWord<uint16_t>(descriptor + kProperties), launch);
  SetRegisters(LoadWord<uint32_t>(descriptor + kRsrc1), LoadWord<uint32_t>(descriptor + kRsrc2),
               launch);
  if (GetIsa().has_accumulators) {
    SetUnifiedRegisters(LoadWord<uint32_t>(descriptor + kRsrc1),
                        LoadWord<uint32_t>(descriptor + kRsrc3), launch);
  }
  if (GetIsa().sets_flat_scratch_up) {
    launch->sets_flat_scratch = launch->wants_scratch_offset;
    launch->wants_scratch_offset = false;
  }
  SetLds(request.packet->group_segment_size, launch);
  return SetScratch(request, launch);
}

}  // namespace vgpu
