// SPDX-License-Identifier: MIT
// lds_read.h: the loads from LDS that are part of a run. Stores end the run.
#pragma once

#include <algorithm>
#include <optional>

#include "vgpu/wave/handlers.h"
#include "vgpu/wave/instruction.h"

namespace vgpu::jit {

// One or two elements of `dwords` dwords, at these offsets from the lane's address.
struct LdsRead {
  uint32_t dwords = 0;
  uint32_t elements = 1;
  uint32_t offset[2] = {};

  // The number of bytes from the lane's address to the end of what the load reads.
  uint32_t Reach() const { return std::max(offset[0], offset[1]) + dwords * 4; }
};

inline std::optional<LdsRead> LdsReadOf(const Instruction& in) {
  if (in.format != Format::kDs || in.gds) return std::nullopt;
  const auto one = [&](uint32_t dwords) {
    const auto offset = static_cast<uint32_t>(in.offset);
    return LdsRead{dwords, 1, {offset, offset}};
  };
  const auto two = [&](uint32_t dwords, uint32_t stride) {
    const uint32_t unit = dwords * 4 * stride;
    return LdsRead{dwords, 2, {in.offset0 * unit, in.offset1 * unit}};
  };
  switch (in.opcode) {
    case isa::DS_ds_read_b32:
      return one(1);
    case isa::DS_ds_read_b64:
      return one(2);
    case isa::DS_ds_read_b128:
      return one(4);
    case isa::DS_ds_read2_b32:
      return two(1, 1);
    case isa::DS_ds_read2_b64:
      return two(2, 1);
    case isa::DS_ds_read2st64_b32:
      return two(1, 64);
    case isa::DS_ds_read2st64_b64:
      return two(2, 64);
    default:
      return std::nullopt;
  }
}

}  // namespace vgpu::jit
