// SPDX-License-Identifier: MIT
#include "vgpu/cp/pm4.h"

#include <cinttypes>

#include "vgpu/config/log.h"
#include "vgpu/cp/pm4_engine.h"
#include "vgpu/cp/pm4_packet.h"
#include "vgpu/queue/interrupts.h"

namespace vgpu {

bool ExecutePm4(Queue& queue, const uint32_t* ib, uint32_t dwords) {
  Pm4Engine engine(queue);
  const Pm4Outcome outcome = engine.Execute(ib, dwords);
  const uint32_t opcode = outcome.header >> 8 & 0xff;
  switch (outcome.code) {
    case Pm4Outcome::Code::kDone:
    case Pm4Outcome::Code::kStopped:
      return true;
    case Pm4Outcome::Code::kPageFault:
      Log(LogLevel::kError, "queue %u: page fault at 0x%" PRIx64 " (%s) in PM4 packet %s", queue.id,
          outcome.fault_va, outcome.fault_is_write ? "write" : "read", Pm4Name(opcode));
      RaiseMemoryFault(queue.gpu, outcome.fault_va, outcome.fault_is_write);
      return false;
    case Pm4Outcome::Code::kBadPacket:
      Log(LogLevel::kError, "queue %u: PM4 packet %s (%08x): %s", queue.id, Pm4Name(opcode),
          outcome.header, outcome.problem);
      return false;
  }
  return false;
}

}  // namespace vgpu
