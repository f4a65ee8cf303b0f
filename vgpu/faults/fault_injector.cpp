// SPDX-License-Identifier: MIT
#include "vgpu/faults/fault_injector.h"

#include "vgpu/clock/clock.h"

namespace vgpu {
namespace {

constexpr uint64_t kNsPerUs = 1000;

bool Matches(uint64_t wanted, uint64_t is) { return wanted == FaultPoint::kAny || wanted == is; }

}  // namespace

const FaultPoint* FaultInjector::Take(FaultKind kind, const Queue& queue, uint64_t packet) {
  for (const FaultPoint& point : plan_) {
    if (point.kind == kind && Matches(point.queue, queue.id) && Matches(point.packet, packet)) {
      Count(kind);
      return &point;
    }
  }
  return nullptr;
}

bool FaultInjector::Hold(FaultKind kind, Queue& queue, uint64_t packet) {
  const FaultPoint* point = Take(kind, queue, packet);
  return point == nullptr || WaitUntil(queue, HostRawNs() + point->us * kNsPerUs);
}

uint64_t FaultInjector::ClockJump(const Queue& queue, uint64_t packet) {
  const FaultPoint* point = Take(FaultKind::kClock, queue, packet);
  return point == nullptr ? 0 : point->us * kNsPerUs;
}

uint64_t FaultInjector::QueueError(const Queue& queue, uint64_t packet) {
  const FaultPoint* point = Take(FaultKind::kQueueError, queue, packet);
  return point == nullptr ? 0 : point->bits;
}

uint64_t FaultInjector::PageFault(const Queue& queue, uint64_t packet) {
  const FaultPoint* point = Take(FaultKind::kPageFault, queue, packet);
  return point == nullptr ? 0 : point->address;
}

uint64_t FaultInjector::InterruptDelay() {
  for (const FaultPoint& point : plan_) {
    if (point.kind != FaultKind::kInterrupt) continue;
    Count(FaultKind::kInterrupt);
    return point.us;
  }
  return 0;
}

int FaultInjector::FailCall(unsigned number) {
  const uint64_t all = calls_.fetch_add(1, std::memory_order_relaxed) + 1;
  const uint64_t same = calls_by_number_[number & 0xff].fetch_add(1, std::memory_order_relaxed) + 1;
  for (const FaultPoint& point : plan_) {
    if (point.kind != FaultKind::kCall || !Matches(point.call, number)) continue;
    if (point.nth != (point.call == FaultPoint::kAny ? all : same)) continue;
    Count(FaultKind::kCall);
    return static_cast<int>(point.error);
  }
  return 0;
}

}  // namespace vgpu
