// SPDX-License-Identifier: MIT
// sdma_engine.h: executes decoded SDMA packets on behalf of one queue.
//
// Threads    the queue's thread
// Blocking   polls and compare-and-swap loops wait for memory; every wait and every long copy ends
//            soon after the queue is to stop
// Errors     by value; nothing is raised here but the event of a TRAP packet
#pragma once

#include <cstdint>

#include "vgpu/cp/packet_outcome.h"
#include "vgpu/cp/sdma_packet.h"
#include "vgpu/queue/interrupts.h"
#include "vgpu/queue/queue.h"

namespace vgpu {

class SdmaEngine {
 public:
  using EventRaiser = void (*)(uint32_t event_id);

  // `count_bits`: the width of byte counts in indirect buffers, see DecodeSdmaPacket.
  SdmaEngine(Queue& queue, int count_bits, EventRaiser raise_event = RaiseEvent)
      : queue_(queue), count_bits_(count_bits), raise_event_(raise_event) {}

  // `words` are the command words that the packet was decoded from.
  PacketOutcome Execute(const SdmaPacket& packet, const SdmaWords& words);

 private:
  PacketOutcome Run(const SdmaNop& packet, const SdmaWords& words);
  PacketOutcome Run(const SdmaCopyLinear& packet, const SdmaWords& words);
  PacketOutcome Run(const SdmaCopyWindow& packet, const SdmaWords& words);
  PacketOutcome Run(const SdmaWrite& packet, const SdmaWords& words);
  PacketOutcome Run(const SdmaIndirect& packet, const SdmaWords& words);
  PacketOutcome Run(const SdmaFence& packet, const SdmaWords& words);
  PacketOutcome Run(const SdmaTrap& packet, const SdmaWords& words);
  PacketOutcome Run(const SdmaPoll& packet, const SdmaWords& words);
  PacketOutcome Run(const SdmaConditional& packet, const SdmaWords& words);
  PacketOutcome Run(const SdmaAtomic& packet, const SdmaWords& words);
  PacketOutcome Run(const SdmaFill& packet, const SdmaWords& words);
  PacketOutcome Run(const SdmaTimestamp& packet, const SdmaWords& words);

  PacketOutcome CopyBytes(uint64_t destination, uint64_t source, uint64_t bytes);
  bool stopping() const { return queue_.stop.load(std::memory_order_relaxed); }

  Queue& queue_;
  const int count_bits_;
  const EventRaiser raise_event_;
  bool in_indirect_ = false;
  uint64_t local_time_offset_ = 0;  // local counter minus global counter
};

// Processes the packets of a user mode SDMA queue until it is stopped or halted by an error.
void RunSdmaQueue(Queue& queue);

}  // namespace vgpu
