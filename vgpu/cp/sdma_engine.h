// SPDX-License-Identifier: MIT
// sdma_engine.h: executes decoded SDMA packets on behalf of one queue.
//
// Threads    the queue's thread
// Blocking   polls and compare-and-swap loops wait for memory; every wait and every long copy ends
//            soon after the queue is to stop
// Errors     by value; nothing is raised here but the event of a TRAP packet
#pragma once

#include <cstdint>

#include "vgpu/cp/sdma_packet.h"
#include "vgpu/queue/interrupts.h"
#include "vgpu/queue/queue.h"

namespace vgpu {

struct SdmaOutcome {
  enum class Code : uint8_t {
    kDone,
    kStopped,    // the queue is to stop; the packet is not finished
    kPageFault,  // fault_va has no page
    kBadPacket,  // `problem` says why
  };
  Code code = Code::kDone;
  uint64_t skip = 0;  // words behind the packet that a conditional packet skips
  uint64_t fault_va = 0;
  bool fault_is_write = false;
  const char* problem = "";

  bool done() const { return code == Code::kDone; }
};

class SdmaEngine {
 public:
  using EventRaiser = void (*)(uint32_t event_id);

  // `count_bits`: of byte counts in indirect buffers, see DecodeSdmaPacket.
  SdmaEngine(Queue& queue, int count_bits, EventRaiser raise_event = RaiseEvent)
      : queue_(queue), count_bits_(count_bits), raise_event_(raise_event) {}

  // `words` are the command words that the packet was decoded from.
  SdmaOutcome Execute(const SdmaPacket& packet, const SdmaWords& words);

 private:
  SdmaOutcome Run(const SdmaNop& packet, const SdmaWords& words);
  SdmaOutcome Run(const SdmaCopyLinear& packet, const SdmaWords& words);
  SdmaOutcome Run(const SdmaCopyWindow& packet, const SdmaWords& words);
  SdmaOutcome Run(const SdmaWrite& packet, const SdmaWords& words);
  SdmaOutcome Run(const SdmaIndirect& packet, const SdmaWords& words);
  SdmaOutcome Run(const SdmaFence& packet, const SdmaWords& words);
  SdmaOutcome Run(const SdmaTrap& packet, const SdmaWords& words);
  SdmaOutcome Run(const SdmaPoll& packet, const SdmaWords& words);
  SdmaOutcome Run(const SdmaConditional& packet, const SdmaWords& words);
  SdmaOutcome Run(const SdmaAtomic& packet, const SdmaWords& words);
  SdmaOutcome Run(const SdmaFill& packet, const SdmaWords& words);
  SdmaOutcome Run(const SdmaTimestamp& packet, const SdmaWords& words);

  SdmaOutcome CopyBytes(uint64_t destination, uint64_t source, uint64_t bytes);
  // Naturally aligned memory of `bytes` bytes; nullptr with *outcome set.
  uint8_t* Aligned(uint64_t va, uint64_t bytes, bool write, SdmaOutcome* outcome) const;
  bool stopping() const { return queue_.stop.load(std::memory_order_relaxed); }

  Queue& queue_;
  const int count_bits_;
  const EventRaiser raise_event_;
  bool in_indirect_ = false;
  uint64_t local_time_offset_ = 0;  // local counter minus global counter
};

}  // namespace vgpu
