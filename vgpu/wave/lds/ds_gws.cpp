// SPDX-License-Identifier: MIT
// DS: global wave sync. One operation for the whole wave, with the data of its first enabled lane.
#include "vgpu/wave/execution_context.h"
#include "vgpu/wave/gws.h"
#include "vgpu/wave/handlers.h"

namespace vgpu {
namespace {

uint32_t Resource(const Wave& wave, const Instruction& in) {
  return (wave.m0() >> 16 & 0x3f) + in.offset0;
}

uint32_t Data(const Wave& wave, const Instruction& in) {
  const uint64_t exec = wave.exec();
  const int lane = exec != 0 ? __builtin_ctzll(exec) : 0;
  return wave.vgpr[in.vaddr][lane];
}

bool Init(Wave& wave, const Instruction& in, ExecutionContext& context) {
  InitGws(context.gpu, Resource(wave, in), Data(wave, in));
  return true;
}

// A wave that has to wait executes the instruction again at its next turn.
bool Barrier(Wave& wave, const Instruction& in, ExecutionContext& context) {
  const uint32_t resource = Resource(wave, in);
  if (wave.gws_ticket == 0) {
    wave.gws_ticket = ArriveAtGws(context.gpu, resource, Data(wave, in));
    if (wave.gws_ticket == 0) return true;
  } else if (GwsIsOpen(context.gpu, resource, wave.gws_ticket)) {
    wave.gws_ticket = 0;
    return true;
  }
  wave.pc -= in.dwords * sizeof(uint32_t);
  --context.counts[static_cast<size_t>(in.counted_as)];  // it is one instruction
  wave.yield = true;
  return false;
}

}  // namespace

Handler FindDsGws(uint16_t opcode) {
  if (opcode == isa::DS_ds_gws_init) return Init;
  if (opcode == isa::DS_ds_gws_barrier) return Barrier;
  return nullptr;
}

}  // namespace vgpu
