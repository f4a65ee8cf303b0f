// SPDX-License-Identifier: MIT
#include "vgpu/kfd/events.h"

#include "vgpu/kfd/driver.h"
#include "vgpu/run/log.h"

namespace vgpu {

void RaiseEvent(uint32_t event_id) {
  Driver* driver = FindDriver();
  const uint64_t late_us = driver == nullptr ? 0 : driver->faults_to_inject.InterruptDelay();
  if (late_us != 0) {
    driver->late_interrupts.Add(event_id, late_us);
    return;
  }
  if (driver == nullptr || driver->events.Interrupt(event_id) != 0) {
    Log(LogLevel::kError, "interrupt with event %u, which does not exist", event_id);
  }
}

void RaiseMemoryFault(int gpu, uint64_t va, bool write) {
  Log(LogLevel::kError, "page fault of GPU %d: %s of 0x%llx, which is not mapped there", gpu,
      write ? "write" : "read", static_cast<unsigned long long>(va));
  Driver* driver = FindDriver();
  if (driver == nullptr) return;
  driver->faults.fetch_add(1, std::memory_order_relaxed);
  driver->events.MemoryFault(GpuIdOf(gpu), va);
}

}  // namespace vgpu
