// SPDX-License-Identifier: MIT
// fault_injector.h: injects the faults of the plan, and counts them.
//
// Threads    any
// Blocking   Stall, Delay and LateDoorbell wait, and end early when the queue is to stop
// Memory     one injector per process; a forked child starts with its own, which counts from zero
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "vgpu/config/fault_plan.h"
#include "vgpu/queue/queue.h"

namespace vgpu {

class FaultInjector {
 public:
  explicit FaultInjector(std::vector<FaultPoint> plan) : plan_(std::move(plan)) {}

  // Waits before a packet is started. False when the queue is to stop instead.
  [[nodiscard]] bool Stall(Queue& queue, uint64_t packet) {
    return Hold(FaultKind::kStall, queue, packet);
  }
  // Waits between the end of a packet and its completion.
  [[nodiscard]] bool Delay(Queue& queue, uint64_t packet) {
    return Hold(FaultKind::kDelay, queue, packet);
  }
  // Waits before the device sees a doorbell that has rung.
  [[nodiscard]] bool LateDoorbell(Queue& queue) {
    return Hold(FaultKind::kDoorbell, queue, FaultPoint::kAny);
  }
  // How many nanoseconds are to be added to the packet's times; 0: none.
  uint64_t ClockJump(const Queue& queue, uint64_t packet);
  // Whether the packet's completion signal must never change.
  bool LosesCompletion(const Queue& queue, uint64_t packet) {
    return Take(FaultKind::kLost, queue, packet) != nullptr;
  }
  // Whether the packet's times must not be written.
  bool LeavesTimesOut(const Queue& queue, uint64_t packet) {
    return Take(FaultKind::kUntimed, queue, packet) != nullptr;
  }
  // The error with which the packet is to end; 0: none.
  uint64_t QueueError(const Queue& queue, uint64_t packet);
  // The address whose read is to fail the packet; 0: none.
  uint64_t PageFault(const Queue& queue, uint64_t packet);
  // How late an interrupt comes, in microseconds; 0: not late.
  uint64_t InterruptDelay();
  // The errno with which this driver call is to fail; 0: it is carried out.
  int FailCall(unsigned number);

  uint64_t count(FaultKind kind) const {
    return counts_[static_cast<int>(kind)].load(std::memory_order_relaxed);
  }
  uint64_t calls() const { return calls_.load(std::memory_order_relaxed); }

 private:
  bool Hold(FaultKind kind, Queue& queue, uint64_t packet);
  // The first point of the plan that matches the packet; counts it. nullptr: no point matches.
  const FaultPoint* Take(FaultKind kind, const Queue& queue, uint64_t packet);
  void Count(FaultKind kind) {
    counts_[static_cast<int>(kind)].fetch_add(1, std::memory_order_relaxed);
  }

  const std::vector<FaultPoint> plan_;
  std::atomic<uint64_t> counts_[kFaultKinds] = {};
  std::atomic<uint64_t> calls_{0};  // driver calls so far, of all numbers
  std::atomic<uint64_t> calls_by_number_[256] = {};
};

}  // namespace vgpu
