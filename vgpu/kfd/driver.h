// SPDX-License-Identifier: MIT
// driver.h: the kernel driver's state for this process.
//
// Threads    any
// Memory     never destroyed: runtimes free device memory from exit handlers that run very late
// Fork       the child has no driver state until it opens a device itself
#pragma once

#include <atomic>
#include <cstdint>

#include "vgpu/cp/completion_log.h"
#include "vgpu/faults/fault_injector.h"
#include "vgpu/kfd/event_table.h"
#include "vgpu/kfd/late_interrupts.h"
#include "vgpu/kfd/pc_sampling.h"
#include "vgpu/kfd/queue_table.h"
#include "vgpu/kfd/smi_events.h"
#include "vgpu/kfd/sync_objects.h"
#include "vgpu/mem/memory_manager.h"
#include "vgpu/mem/svm_ranges.h"

namespace vgpu {

struct Driver {
  Driver();

  int pid = 0;
  MemoryManager memory;
  SvmRanges svm;
  EventTable events;
  LateInterrupts late_interrupts{events};
  FaultInjector faults_to_inject;
  CompletionLog completions;  // open when VGPU_COMPLETIONS names a file
  QueueTable queues;
  SmiEvents smi_events;
  SyncObjects sync_objects;
  PcSampling pc_sampling;
  std::atomic<bool> debuggable{false};  // RUNTIME_ENABLE was called, and not undone
  std::atomic<uint64_t> faults{0};      // page faults of the device
  std::atomic<bool> reported{false};    // this process's line of the report is written
};

// The driver's state, made on first use. nullptr, with one line on stderr, when that fails.
Driver* GetDriver();
// The driver's state; nullptr when this process never opened a device.
Driver* FindDriver();

// The process has mapped or unmapped these addresses. Called from inside mmap and munmap.
void MemoryChanged(uint64_t va, uint64_t bytes);

// The ids of the GPUs in topology and driver calls.
uint32_t GpuIdOf(int gpu);
// -1 when there is no such GPU.
int GpuOfId(uint32_t gpu_id);

}  // namespace vgpu
