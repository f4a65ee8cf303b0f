// SPDX-License-Identifier: MIT
// translator_abi.h: the interface between libvgpu.so and libvgpu_jit.so.
//
// libvgpu.so finds blocks, decodes them, and runs the translated code. libvgpu_jit.so translates
// decoded instructions to host code and knows LLVM. Both are built together; kTranslatorVersion and
// the sizes in the request detect a library of another build.
#pragma once

#include <cstdint>

#include "vgpu/wave/instruction.h"

namespace vgpu {

constexpr uint32_t kTranslatorVersion = 1;
constexpr char kTranslatorSymbol[] = "VgpuTranslate";

// Lanes that translated code computes at a time. A run of vector instructions is executed for the
// first chunk of lanes, then for the next.
constexpr uint32_t kChunkLanes = 16;

// Runs one wave from the block's first instruction. It repeats the block as long as its last branch
// leads back to the start and `budget` is not used up. Returns
//   whole passes << 32 | instructions of the last pass, if it was not whole, << 1 | stop
// where `stop` means the same as a handler's false: the wave has to be checked.
using BlockFunction = uint64_t (*)(Wave*, ExecutionContext*, uint32_t budget);

// Calls the handlers of the `count` instructions from `first` on for one chunk of lanes. They find
// the wave's state in memory and write the vector registers of these lanes; scalar registers get
// their old values back. `codes` has the first SGPR of each mask that the instructions wrote: the
// chunk's bits of these masks go to `masks`, in the same order.
using ReplayFunction = void (*)(Wave*, ExecutionContext*, const Instruction* first, uint32_t count,
                                uint32_t chunk, uint16_t* masks, const uint8_t* codes,
                                uint32_t mask_count);

struct BlockSource {
  const Instruction* instructions =
      nullptr;                      // must stay where they are as long as the code may run
  const uint8_t* common = nullptr;  // for each instruction: its opcode means the same as on gfx906
  uint32_t count = 0;
  uint32_t mode = 0;  // the wave's MODE, on which the code may rely
  uint64_t pc = 0;
};

struct TranslateRequest {
  uint32_t version = kTranslatorVersion;
  uint32_t wave_bytes = 0;
  const BlockSource* blocks = nullptr;
  uint32_t count = 0;
  ReplayFunction replay = nullptr;
  // LLVM found something that it cannot translate. The calling thread does not return.
  void (*failed)(const char* why) = nullptr;
  BlockFunction* functions = nullptr;  // out: one for each block; nullptr: not translated
};

// False, with the reason in `why` (of `why_bytes` bytes), when translation is not possible.
using TranslateFunction = bool (*)(const TranslateRequest&, char* why, uint32_t why_bytes);

}  // namespace vgpu
