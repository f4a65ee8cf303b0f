// SPDX-License-Identifier: MIT
// execution_context.h: what an instruction can reach besides its wave: memory and counters.
//
// Threads    one per thread that runs waves; a workgroup is attached before its waves run
// Errors     an access helper that fails records the fault in the wave and returns nullptr; the
//            handler then returns false. LDS cannot fault: out of range it reads 0 and drops writes
#pragma once

#include <cstddef>
#include <cstdint>

#include "vgpu/wave/instruction.h"
#include "vgpu/wave/wave.h"

namespace vgpu {

enum class Access : uint8_t { kRead, kWrite };

struct ExecutionContext {
  int gpu = 0;
  uint8_t* lds = nullptr;  // of the workgroup that runs; lds_bytes long
  uint32_t lds_bytes = 0;
  // Instructions executed since the last flush into the hardware counters.
  uint64_t counts[kInstructionClasses] = {};

  // Host address of `bytes` bytes of device memory, or nullptr with a memory fault.
  uint8_t* Global(Wave& wave, uint64_t va, size_t bytes, Access access) const;

  // Host address of `bytes` bytes at LDS offset `offset`, or nullptr when any of them lies outside
  // the workgroup's allocation. That is no fault: loads then give 0 and stores do nothing.
  uint8_t* Lds(uint64_t offset, size_t bytes) const {
    if (offset + bytes > lds_bytes) return nullptr;
    return lds + offset;
  }
};

// Device address of byte `offset` of a lane's private memory. Consecutive dwords of one lane are
// kLanes dwords apart, so a multi-dword access has to translate every dword for itself.
uint64_t ScratchAddress(const Wave& wave, int lane, uint32_t offset);

// "v_add_f32", or "?" when the opcode has no name.
const char* OpcodeName(Format format, uint16_t opcode);

// Records an illegal-instruction fault that names the instruction. Returns false.
bool FailUnknown(Wave& wave, const Instruction& instruction);

// The same with a reason ("reserved DPP control 0x1ff").
bool FailIllegal(Wave& wave, const Instruction& instruction, const char* reason);

}  // namespace vgpu
