// SPDX-License-Identifier: MIT
// dpp.h: DPP controls that stay within a row of 16 lanes.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include <array>

#include "vgpu/wave/translator_abi.h"

namespace vgpu::jit {

static_assert(kChunkLanes == 16, "a DPP row is a chunk");

struct DppRow {
  std::array<int, kChunkLanes> from = {};
  std::array<bool, kChunkLanes> has_source = {};

  llvm::Value* Sources(llvm::IRBuilder<>& b) const {
    std::vector<llvm::Constant*> bits;
    for (const bool has : has_source) bits.push_back(b.getInt1(has));
    return llvm::ConstantVector::get(bits);
  }
};

inline llvm::Value* BankLanes(llvm::IRBuilder<>& b, uint32_t bank_mask) {
  std::vector<llvm::Constant*> bits;
  for (uint32_t lane = 0; lane < kChunkLanes; ++lane)
    bits.push_back(b.getInt1(bank_mask >> lane / 4 & 1));
  return llvm::ConstantVector::get(bits);
}

// Whether the control is one of these: quad_perm, row shifts and rotations, mirrors.
constexpr bool IsDppRow(uint32_t control) {
  if (control < 0x100) return true;
  if (control < 0x130) return (control & 0xf) != 0;
  return control == 0x140 || control == 0x141;
}

constexpr int DppFrom(uint32_t control, int lane) {
  if (control < 0x100) return (lane & ~3) | static_cast<int>(control >> 2 * (lane & 3) & 3);
  const int distance = static_cast<int>(control & 0xf);
  if (control < 0x110) return lane + distance < 16 ? lane + distance : -1;
  if (control < 0x120) return lane >= distance ? lane - distance : -1;
  if (control < 0x130) return (lane - distance) & 15;
  return control == 0x140 ? lane ^ 15 : lane ^ 7;
}

inline DppRow DppRowOf(uint32_t control) {
  DppRow row;
  for (int lane = 0; lane < static_cast<int>(kChunkLanes); ++lane) {
    const int from = DppFrom(control, lane);
    row.has_source[static_cast<size_t>(lane)] = from >= 0;
    row.from[static_cast<size_t>(lane)] = from >= 0 ? from : 0;
  }
  return row;
}

}  // namespace vgpu::jit
