// SPDX-License-Identifier: MIT
#include "vgpu/queue/interrupts.h"

#include <errno.h>
#include <linux/kfd_ioctl.h>

#include <cstddef>
#include <cstdio>

#include "vgpu/config/log.h"
#include "vgpu/kfd/driver.h"

namespace vgpu {
namespace {

// Where a queue's waves are saved. The runtime fills it before it creates the queue.
struct SaveAreaHeader {
  uint32_t wave_state[4];
  uint32_t debug_offset, debug_bytes;
  uint64_t error_payload;  // address in the process
  uint32_t error_event;
  uint32_t reserved;
};
static_assert(offsetof(SaveAreaHeader, error_payload) == 24 && sizeof(SaveAreaHeader) == 40);

// Reports the fault to monitoring programs, with the number of the process in hexadecimal and its
// name.
void ReportFault(Driver* driver, int gpu) {
  char text[KFD_SMI_EVENT_MSG_SIZE];
  std::snprintf(text, sizeof(text), "%x:%s\n", static_cast<unsigned>(driver->pid),
                program_invocation_short_name);
  driver->smi_events.Report(gpu, KFD_SMI_EVENT_VMFAULT, text);
}

}  // namespace

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

bool RaiseException(const Queue& queue, uint32_t code) {
  Driver* driver = FindDriver();
  const auto* area = reinterpret_cast<const SaveAreaHeader*>(queue.save_area);
  if (driver == nullptr || !driver->debuggable.load(std::memory_order_relaxed) || area == nullptr ||
      area->error_payload == 0) {
    return false;
  }
  auto* payload = reinterpret_cast<uint64_t*>(area->error_payload);
  __atomic_fetch_or(payload, uint64_t{1} << (code - 1), __ATOMIC_ACQ_REL);
  return driver->events.Set(area->error_event) == 0;
}

void RaiseMemoryFault(int gpu, uint64_t va, bool write) {
  Log(LogLevel::kError, "page fault of GPU %d: %s of 0x%llx, which is not mapped there", gpu,
      write ? "write" : "read", static_cast<unsigned long long>(va));
  Driver* driver = FindDriver();
  if (driver == nullptr) return;
  driver->faults.fetch_add(1, std::memory_order_relaxed);
  ReportFault(driver, gpu);
  driver->events.MemoryFault(GpuIdOf(gpu), va);
}

}  // namespace vgpu
