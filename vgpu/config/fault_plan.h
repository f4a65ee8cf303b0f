// SPDX-License-Identifier: MIT
// fault_plan.h: the faults that the user requested (VGPU_FAULTS), as data.
//
//   stall:queue=2:packet=5:us=300,interrupt:us=500,ioctl:nth=12:errno=12
//
// Commas separate points. A point is a name and its fields. docs/reference/vgpu.md lists them.
//
// Threads    a value
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace vgpu {

enum class FaultKind : uint8_t {
  kStall,       // a packet starts late
  kDelay,       // a packet ends on time, and its completion comes late
  kQueueError,  // a packet ends in an error, and the queue halts
  kPageFault,   // a packet reads an address that is not mapped
  kInterrupt,   // interrupts reach the host late
  kCall,        // a driver call fails and does nothing
  kClock,       // a packet's times are late
  kLost,        // a packet runs, and its completion signal never changes
  kUntimed,     // a packet completes, and its times are not written
  kDoorbell,    // a doorbell is noticed late
};
constexpr int kFaultKinds = 10;

struct FaultPoint {
  static constexpr uint64_t kAny = ~uint64_t{0};

  FaultKind kind = FaultKind::kStall;
  uint64_t queue = kAny;   // the driver's id of the queue, from 1 on
  uint64_t packet = kAny;  // index in the queue, from 0 on
  uint64_t us = 0;         // how long
  uint64_t bits = 0;       // kQueueError: error bits for the signal queue_inactive_signal
  uint64_t address = 0;
  uint64_t call = kAny;  // number of the driver call
  uint64_t nth = kAny;   // which of these driver calls fails, from 1 on
  uint64_t error = 0;    // errno
};

// False, with the reason in *why, when the text is no plan. An empty text is an empty plan.
[[nodiscard]] bool ParseFaultPlan(std::string_view text, std::vector<FaultPoint>* plan,
                                  std::string* why);

}  // namespace vgpu
