// SPDX-License-Identifier: MIT
// grid_launch.h: the requirements of a dispatch packet and its kernel descriptor, worked out once.
//
// Immutable after PrepareLaunch; any thread may read it.
#pragma once

#include <cstdint>

#include "vgpu/wave/launch.h"
#include "vgpu/wave/wave.h"

namespace vgpu {

struct Dim3 {
  uint32_t x = 1;
  uint32_t y = 1;
  uint32_t z = 1;

  uint64_t Product() const { return uint64_t{x} * y * z; }
};

constexpr int kMaxUserSgprs = 32;

struct GridLaunch {
  int gpu = 0;
  uint32_t doorbell = 0;      // number of the queue's doorbell
  uint32_t packet_index = 0;  // of the dispatch packet in the queue's ring
  uint64_t entry = 0;         // GPU address of the first instruction
  Dim3 grid;                  // work-items
  Dim3 group;  // work-items of a whole workgroup; workgroups at the far ends may be smaller
  Dim3 groups;

  uint32_t user_sgprs[kMaxUserSgprs] = {};
  uint32_t user_sgpr_count = 0;
  bool wants_group_id[3] = {};
  bool wants_group_info = false;
  bool wants_scratch_offset = false;
  bool sets_flat_scratch = false;  // the hardware writes FLAT_SCRATCH (gfx942)
  uint64_t scratch_base = 0;       // of the queue's scratch memory
  uint32_t item_id_vgprs = 1;      // 1: x, 2: x and y, 3: all
  bool item_ids_packed = false;    // all of them in v0, ten bits each

  uint32_t mode = 0;          // initial MODE
  uint32_t vgprs = 0;         // allocated to a work-item
  uint32_t accumulators = 0;  // allocated to a work-item, too
  uint32_t gpr_alloc = 0;     // the GPR_ALLOC register
  uint32_t lds_bytes = 0;
  uint32_t lds_alloc = 0;  // the LDS_ALLOC register

  uint32_t scratch_wave_bytes = 0;  // 0: the kernel uses no private memory
  uint32_t scratch_waves = 0;       // how many waves the queue's scratch memory holds

  uint32_t waves_per_group() const {
    return static_cast<uint32_t>((group.Product() + kLanes - 1) / kLanes);
  }
  // The number of workgroups that the GPU has room for at a time.
  uint32_t MaxResidentGroups() const;
};

// Fills *launch. Any result but kOk: the dispatch cannot start.
[[nodiscard]] DispatchResult PrepareLaunch(const DispatchRequest& request, GridLaunch* launch);

}  // namespace vgpu
