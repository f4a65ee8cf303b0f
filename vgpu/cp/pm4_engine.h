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

#include "vgpu/cp/packet_outcome.h"
#include "vgpu/cp/pm4_packet.h"
#include "vgpu/queue/interrupts.h"
#include "vgpu/queue/queue.h"

namespace vgpu {

class Pm4Engine {
 public:
  using EventRaiser = void (*)(uint32_t event_id);

  // `chiplets`: 0: as many as the GPU has.
  explicit Pm4Engine(Queue& queue, EventRaiser raise_event = RaiseEvent, uint32_t chiplets = 0);

  // Executes packets until the words end or one goes wrong.
  PacketOutcome Execute(const uint32_t* words, uint32_t count);

 private:
  PacketOutcome ExecuteAll(const uint32_t* words, uint32_t count);
  PacketOutcome Run(const Pm4Packet& packet);
  PacketOutcome IndirectBuffer(const uint32_t* body);
  PacketOutcome SetRegisters(uint32_t base, const Pm4Packet& packet);
  PacketOutcome WriteData(const Pm4Packet& packet);
  PacketOutcome CopyData(const uint32_t* body);
  PacketOutcome ReleaseMem(const Pm4Packet& packet);
  PacketOutcome WaitRegMem(const uint32_t* body);
  PacketOutcome AtomicMem(const uint32_t* body);
  PacketOutcome DmaData(const uint32_t* body) const;

  // Registers of the chiplets that execute packets: a write goes to all of them, a read to the
  // first.
  void WriteRegister(uint32_t number, uint32_t value);
  uint32_t ReadRegister(uint32_t number) const;
  PacketOutcome Store(uint64_t va, uint64_t value, bool wide) const;
  PacketOutcome Load(uint64_t va, bool wide, uint64_t* value) const;

  Queue& queue_;
  const EventRaiser raise_event_;
  uint32_t chiplets_;           // a bit for each that executes packets at the moment
  int depth_ = 0;               // of indirect buffers
  uint64_t atomic_result_ = 0;  // memory before the last ATOMIC_MEM
};

// Executes `dwords` dwords of PM4 packets. False after a packet that cannot be executed: its name
// is logged, and its page fault is raised; the caller then halts the queue with an error. Also true
// when the queue is to stop: the caller checks queue.stop before it goes on.
[[nodiscard]] bool ExecutePm4(Queue& queue, const uint32_t* ib, uint32_t dwords);

}  // namespace vgpu
