// SPDX-License-Identifier: MIT
#include "vgpu/kfd/late_interrupts.h"

#include <chrono>
#include <thread>

#include "vgpu/clock/clock.h"
#include "vgpu/queue/device_thread.h"

namespace vgpu {

void LateInterrupts::Add(uint32_t event_id, uint64_t delay_us) {
  std::lock_guard lock(mutex_);
  waiting_.push_back({event_id, HostRawNs() + delay_us * 1000});
  started_ = started_ || StartDeviceThread("vgpu-interrupt", [this] { Run(); });
  if (started_) return added_.notify_one();
  (void)events_.Interrupt(event_id);  // at once is better than never
  waiting_.clear();
}

void LateInterrupts::Run() {
  for (;;) {
    std::unique_lock lock(mutex_);
    added_.wait(lock, [this] { return !waiting_.empty(); });
    const Interrupt next = waiting_.front();
    waiting_.pop_front();
    lock.unlock();
    for (uint64_t now = HostRawNs(); now < next.due_ns; now = HostRawNs()) {
      std::this_thread::sleep_for(std::chrono::nanoseconds(next.due_ns - now));
    }
    // This fails if the event was destroyed meanwhile. No thread waits for the event then.
    (void)events_.Interrupt(next.event_id);
  }
}

}  // namespace vgpu
