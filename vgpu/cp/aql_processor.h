// SPDX-License-Identifier: MIT
// aql_processor.h: the packet processor of user mode AQL queues.
//
// Packets are processed one after the other, which is right for both values of the barrier bit.
//
// Threads    the queue's thread
// Blocking   on barriers, on kernels and on packets that are announced but not written yet
// Errors     reported as the firmware does: a bit in the queue's queue_inactive_signal, or a memory
//            exception. A runtime that takes exceptions of queues gets them from the driver. The
//            queue then stays halted
#pragma once

#include <hsa/amd_hsa_queue.h>
#include <hsa/amd_hsa_signal.h>
#include <hsa/hsa.h>

#include <cstdint>

#include "vgpu/cp/completion_log.h"
#include "vgpu/faults/fault_injector.h"
#include "vgpu/queue/queue.h"
#include "vgpu/wave/launch.h"

namespace vgpu {

// What the firmware sets in queue_inactive_signal.
enum class QueueError : uint64_t {
  kScratch = 1,  // recoverable: the runtime provides scratch memory and clears this bit
  kDimensions = 2,
  kGroupMemory = 4,
  kCodeObject = 8,
  kPacket = 32,
  kWorkgroupSize = 64,
  kScratchIsFree = 512,  // no error: the runtime may take back what it lent for one dispatch
  kApertureViolation = 0x20000000,
  kIllegalInstruction = 0x40000000,
  kTrap = 0x80000000,
};

// The rest of the device, as the packet processor sees it.
struct AqlDevice {
  DispatchResult (*execute)(const DispatchRequest& request);
  bool (*execute_pm4)(Queue& queue, const uint32_t* ib, uint32_t dwords);
  void (*raise_event)(uint32_t event_id);
  bool (*raise_exception)(const Queue& queue, uint32_t code);
  void (*raise_memory_fault)(int gpu, uint64_t va, bool write);
  uint64_t (*now)();  // raw nanoseconds
  // WaitForDoorbell of queue.h.
  bool (*wait_for_doorbell)(Queue& queue, uint64_t seen, uint64_t* value);
  // Returns at that time; false when the queue is to stop instead.
  bool (*wait_until)(Queue& queue, uint64_t raw_ns);
  uint64_t (*ticks_at)(uint64_t raw_ns);
  bool run_kernels = true;   // false: only their time passes
  uint64_t dispatch_ns = 0;  // least time that a kernel takes
  FaultInjector* faults = nullptr;
  CompletionLog* completions = nullptr;  // nullptr: there is no log
};

class AqlProcessor {
 public:
  enum class Outcome : uint8_t {
    kDone,        // a packet was completed
    kNotWritten,  // the next packet's header is still INVALID
    kHalted,      // the next packet is in error, which has been reported
    kStopped,     // the queue is to stop
  };

  AqlProcessor(Queue& queue, const AqlDevice& device);

  // Processes the packet at the read index.
  [[nodiscard]] Outcome ProcessNext();

  // Processes what the doorbell announces until the queue is stopped or halted.
  void Run();

 private:
  // Times of one packet, in raw nanoseconds.
  struct Span {
    uint64_t start = 0;
    uint64_t end = 0;
  };

  // How planned faults change what is written into a completion signal.
  struct Written {
    uint64_t later_ns = 0;
    bool no_times = false;
    bool no_completion = false;
  };

  Outcome Dispatch(hsa_kernel_dispatch_packet_t& packet);
  Outcome BarrierAnd(hsa_barrier_and_packet_t& packet);
  Outcome BarrierOr(hsa_barrier_or_packet_t& packet);
  Outcome Vendor(uint8_t* packet);
  Outcome BarrierValue(uint8_t* packet);
  Outcome IndirectBuffer(uint8_t* packet);

  // Makes sure that the queue has the scratch memory that the kernel needs.
  Outcome ProvideScratch(const hsa_kernel_dispatch_packet_t& packet);
  // Hands scratch memory back that the runtime lent for the packet that has just completed.
  Outcome ReturnScratch();
  // Reports the error to the runtime, and waits until the runtime clears the signal.
  Outcome ReportAndWait(QueueError error);
  uint64_t KernelStart();
  // The packet after the present one is a kernel, and the host has rung for it.
  bool NextIsThere() const;
  Outcome RunKernel(const hsa_kernel_dispatch_packet_t& packet);
  Outcome Fail(const DispatchResult& result);

  // Applies the faults planned for this packet, before it is read. kDone: go on.
  Outcome Inject();
  // The packet's entry in the log, without the time of its completion. nullptr: not logged.
  CompletionEntry* LogCompletion(uint16_t header, hsa_signal_t signal, const Span& span) const;

  Written SpoiltBy(FaultInjector* faults) const;

  // Retires the packet and then completes its signal.
  Outcome Finish(void* packet, hsa_signal_t signal, const Span& span);
  Outcome Report(QueueError error);
  Outcome MemoryFault(uint64_t va, bool write);

  // The device's view of a signal. The caller handles null handles.
  amd_signal_t* SignalAt(hsa_signal_t signal) const;
  void Interrupt(uint64_t mailbox, uint32_t event_id) const;
  bool Announced();
  uint64_t WrittenEnd() const;
  uint8_t* PacketAt(uint64_t index) const;
  uint16_t HeaderAt(uint64_t index) const;

  Queue& queue_;
  const AqlDevice device_;
  amd_queue_t& amd_queue_;
  const uint64_t slots_;
  uint64_t index_;      // of the next packet
  uint64_t limit_ = 0;  // packets below it may be read
  static constexpr uint64_t kNotRung = ~uint64_t{0};
  uint64_t doorbell_seen_ = kNotRung;
  uint64_t follows_at_ = 0;  // start time of a kernel that already waits in the ring; 0: none
};

// Processes the queue's packets until the queue is stopped or an error halts it. If `faults` is
// nullptr, no fault is injected; if `completions` is nullptr, nothing is logged.
void RunAqlQueue(Queue& queue, FaultInjector* faults, CompletionLog* completions);

}  // namespace vgpu
