// SPDX-License-Identifier: MIT
// late_interrupts.h: interrupts that reach the driver some time after the device raised them
// (VGPU_FAULTS=interrupt:us=N). The device does not wait meanwhile.
//
// Threads    Add from any; one thread of its own from the first Add on
// Memory     never destroyed once Add was called
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>

#include "vgpu/kfd/event_table.h"

namespace vgpu {

class LateInterrupts {
 public:
  explicit LateInterrupts(EventTable& events) : events_(events) {}

  // All calls pass the same `delay_us`, so that the interrupts stay in order.
  void Add(uint32_t event_id, uint64_t delay_us);

 private:
  struct Interrupt {
    uint32_t event_id;
    uint64_t due_ns;  // raw host time
  };

  void Run();

  EventTable& events_;
  std::mutex mutex_;
  std::condition_variable added_;
  std::deque<Interrupt> waiting_;  // guarded by mutex_
  bool started_ = false;           // guarded by mutex_
};

}  // namespace vgpu
