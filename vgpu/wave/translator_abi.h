// SPDX-License-Identifier: MIT
// translator_abi.h: what libvgpu.so and libvgpu_jit.so agree on.
//
// libvgpu.so finds blocks, decodes them, and runs the translated code; libvgpu_jit.so makes host
// code of decoded instructions and knows LLVM. Both are built together; kTranslatorVersion and the
// sizes in the request catch a library of another build.
#pragma once

#include <cstdint>

#include "vgpu/wave/instruction.h"

namespace vgpu {

constexpr uint32_t kTranslatorVersion = 1;
constexpr char kTranslatorSymbol[] = "VgpuTranslate";

// Lanes that translated code computes at a time. A run of vector instructions is executed for the
// first chunk of lanes, then for the next.
constexpr uint32_t kChunkLanes = 16;

// Runs one wave from the block's first instruction. It passes through the block again as long as
// its last branch leads back to the start and `budget` is not used up. Returns
//   whole passes << 32 | instructions of the last pass, if it was not whole, << 1 | stop
// where `stop` means what a handler's false means: the wave is to be looked at.
using BlockFunction = uint64_t (*)(Wave*, ExecutionContext*, uint32_t budget);

// Executes instructions [first, first + count) by their handlers for one chunk of lanes, from the
// wave's state in memory. Vector registers of those lanes are written; scalar ones are as before.
// The chunk's bits of the masks that vector instructions wrote go to `masks`, in the order of
// `codes`, the first SGPR of each.
using ReplayFunction = void (*)(Wave*, ExecutionContext*, const Instruction* first, uint32_t count,
                                uint32_t chunk, uint16_t* masks, const uint8_t* codes,
                                uint32_t mask_count);

struct BlockSource {
  const Instruction* instructions =
      nullptr;                      // must stay where they are as long as the code may run
  const uint8_t* common = nullptr;  // of each: its opcode means what it means in gfx906
  uint32_t count = 0;
  uint32_t mode = 0;  // the wave's MODE, which the code may take for granted
  uint64_t pc = 0;
};

struct TranslateRequest {
  uint32_t version = kTranslatorVersion;
  uint32_t wave_bytes = 0;
  const BlockSource* blocks = nullptr;
  uint32_t count = 0;
  ReplayFunction replay = nullptr;
  // LLVM has met what it cannot translate. The calling thread does not come back.
  void (*failed)(const char* why) = nullptr;
  BlockFunction* functions = nullptr;  // out: one for each block; nullptr: not translated
};

// False, with the reason in `why` (of `why_bytes` bytes), when nothing can be translated here.
using TranslateFunction = bool (*)(const TranslateRequest&, char* why, uint32_t why_bytes);

}  // namespace vgpu
