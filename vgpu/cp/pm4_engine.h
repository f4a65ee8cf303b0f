// SPDX-License-Identifier: MIT
// pm4_engine.h: executes PM4 packets of the gfx9 compute command processor for one queue.
//
// Threads    the queue's thread
// Blocking   WAIT_REG_MEM waits for memory, at the longest until the queue is to stop
// Errors     by value; the reason is ready to be printed
// Limits     cache control has no effect, because nothing is cached. A wait for a register is
//            refused unless it holds at once: no packet of another queue will ever change the
//            register
// Chiplets   each has registers of its own; PRED_EXEC chooses among them. What goes to memory is
//            done once, by the first one
#pragma once

#include <cstdint>

#include "vgpu/counters/perfmon.h"
#include "vgpu/counters/register_file.h"
#include "vgpu/cp/pm4_packet.h"
#include "vgpu/queue/interrupts.h"
#include "vgpu/queue/queue.h"

namespace vgpu {

struct Pm4Outcome {
  enum class Code : uint8_t {
    kDone,
    kStopped,    // the queue is to stop; the packet is not finished
    kPageFault,  // fault_va has no page
    kBadPacket,  // `problem` says why
  };
  Code code = Code::kDone;
  uint64_t fault_va = 0;
  bool fault_is_write = false;
  const char* problem = "";
  uint32_t header = 0;  // of the packet that went wrong

  bool done() const { return code == Code::kDone; }
};

class Pm4Engine {
 public:
  using EventRaiser = void (*)(uint32_t event_id);

  // `chiplets`: 0: as many as the GPU has.
  explicit Pm4Engine(Queue& queue, EventRaiser raise_event = RaiseEvent, uint32_t chiplets = 0);

  // Executes packets until the words end or one goes wrong.
  Pm4Outcome Execute(const uint32_t* words, uint32_t count);

 private:
  Pm4Outcome ExecuteAll(const uint32_t* words, uint32_t count);
  Pm4Outcome Run(const Pm4Packet& packet);
  Pm4Outcome IndirectBuffer(const uint32_t* body);
  Pm4Outcome SetRegisters(uint32_t base, const Pm4Packet& packet);
  Pm4Outcome WriteData(const Pm4Packet& packet);
  Pm4Outcome CopyData(const uint32_t* body);
  Pm4Outcome ReleaseMem(const Pm4Packet& packet);
  Pm4Outcome WaitRegMem(const uint32_t* body);
  Pm4Outcome AtomicMem(const uint32_t* body);
  Pm4Outcome DmaData(const uint32_t* body) const;

  // Of the chiplets that execute packets: writes go to all of them, the first one answers a read.
  void WriteRegister(uint32_t number, uint32_t value);
  uint32_t ReadRegister(uint32_t number) const;
  Pm4Outcome Store(uint64_t va, uint64_t value, bool wide) const;
  Pm4Outcome Load(uint64_t va, bool wide, uint64_t* value) const;
  // Naturally aligned memory of `bytes` bytes; nullptr with *outcome set.
  uint8_t* Aligned(uint64_t va, uint64_t bytes, bool write, Pm4Outcome* outcome) const;

  Queue& queue_;
  const EventRaiser raise_event_;
  uint32_t chiplets_;           // a bit for each that executes packets at the moment
  int depth_ = 0;               // of indirect buffers
  uint64_t atomic_result_ = 0;  // memory before the last ATOMIC_MEM
};

}  // namespace vgpu
