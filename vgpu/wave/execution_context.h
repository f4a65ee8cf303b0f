// SPDX-License-Identifier: MIT
// execution_context.h: what an instruction can reach beside its wave: memory and counters.
//
// Threads    one per thread that runs waves; a workgroup is attached before its waves run
// Errors     an access helper that fails records the fault in the wave and returns nullptr; the
//            handler then returns false. LDS cannot fault: out of range it reads 0 and drops writes
#pragma once

#include <cstddef>
#include <cstdint>

#include "vgpu/wave/cache_model.h"
#include "vgpu/wave/cycle_model.h"
#include "vgpu/wave/instruction.h"
#include "vgpu/wave/wave.h"

namespace vgpu {

enum class Access : uint8_t { kRead, kWrite };

// When this thread's next PC sample is due (host_trap.h).
struct SampleClock {
  uint64_t interval = 0;  // from which `left` was drawn
  uint64_t left = 0;      // instructions until the sample
  uint64_t random = 0x9e3779b97f4a7c15;
};

struct ExecutionContext {
  int gpu = 0;
  uint32_t doorbell = 0;  // the number of the queue's doorbell
  SampleClock sample_clock;
  uint8_t* lds = nullptr;  // of the workgroup that runs; lds_bytes long
  uint32_t lds_bytes = 0;
  bool alone = true;  // no other wave of the workgroup can run at the moment
  // Instructions executed since the last flush into the hardware counters.
  uint64_t counts[kInstructionClasses] = {};
  // Whether hardware counters count at the moment. If they do, `cycles` holds the cycles since the
  // last flush.
  bool counting = false;
  CycleCounts cycles;
  CacheModel* cache = nullptr;  // null while hardware counters do not count
  int engine = 0;               // that the workgroup runs on
  uint32_t compute_unit = 0;    // of the engine
  SectorSet sectors;

  // Host address of `bytes` bytes of device memory, or nullptr with a memory fault.
  uint8_t* Global(Wave& wave, uint64_t va, size_t bytes, Access access) const;

  bool IsLds(const uint8_t* host) const { return host >= lds && host < lds + lds_bytes; }
  // Host address of `bytes` bytes at LDS offset `offset`, or nullptr when any of them lies outside
  // the workgroup's allocation. That is no fault: loads then give 0 and stores do nothing.
  uint8_t* Lds(uint64_t offset, size_t bytes) const {
    if (offset + bytes > lds_bytes) return nullptr;
    return lds + offset;
  }
};

// The mapping in which an instruction's last lane found its data. The next lane's data is nearly
// always in the same mapping. A window lives as long as one instruction, so that it cannot go
// stale.
class MemoryWindow {
 public:
  // As ExecutionContext::Global.
  uint8_t* Find(Wave& wave, const ExecutionContext& context, uint64_t va, size_t bytes,
                Access access) {
    const uint64_t offset = va - va_;
    if (offset < size_ && bytes <= size_ - offset) [[likely]]
      return host_ + offset;
    return Move(wave, context, va, bytes, access);
  }

 private:
  uint8_t* Move(Wave& wave, const ExecutionContext& context, uint64_t va, size_t bytes,
                Access access);

  uint8_t* host_ = nullptr;
  uint64_t va_ = 0;
  uint64_t size_ = 0;
};

// Device address of byte `offset` of a lane's private memory, which starts at `base`. Consecutive
// dwords of one lane are kLanes dwords apart.
inline uint64_t ScratchAddress(uint64_t base, int lane, uint32_t offset) {
  constexpr uint64_t kRow = sizeof(uint32_t) * kLanes;
  return base + (offset >> 2) * kRow + static_cast<uint64_t>(lane) * sizeof(uint32_t) +
         (offset & 3);
}

// "v_add_f32", or "?" when the opcode has no name.
const char* OpcodeName(Format format, uint16_t opcode);

// Records an illegal-instruction fault that names the instruction and the reason ("reserved DPP
// control 0x1ff"). Returns false.
bool FailIllegal(Wave& wave, const Instruction& instruction, const char* reason);

}  // namespace vgpu
