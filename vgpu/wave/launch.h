// SPDX-License-Identifier: MIT
// launch.h: runs the grid of one kernel dispatch packet.
//
// Threads    ExecuteDispatch runs on the queue's thread, which executes workgroups itself; threads
//            of the process-wide pool help with big grids, one bounded slice at a time
// Blocking   until the grid is done, a wave faults, or *stop becomes true
// Errors     by value; the caller turns them into queue errors or memory exceptions
#pragma once

#include <hsa/hsa.h>

#include <atomic>
#include <cstdint>
#include <string>

namespace vgpu {

struct DispatchRequest {
  const hsa_kernel_dispatch_packet_t* packet = nullptr;
  void* amd_queue = nullptr;  // amd_queue_t*
  int gpu = 0;
  uint64_t dispatch_id = 0;
  uint32_t doorbell = 0;                    // number of the queue's doorbell in the process's page
  const std::atomic<bool>* stop = nullptr;  // polled between slices; may be null
};

struct DispatchResult {
  enum class Code : uint8_t {
    kOk,
    kStopped,
    kMemoryFault,  // fault_va is the address
    kIllegalInstruction,
    kApertureViolation,
    kTrap,
  };
  Code code = Code::kOk;
  bool fault_is_write = false;
  uint64_t fault_va = 0;
  std::string message;  // one line; empty when kOk or kStopped
};

[[nodiscard]] DispatchResult ExecuteDispatch(const DispatchRequest& request);

// A forked child starts without helpers and without anything under way. To be called when no other
// thread exists.
void ForgetDispatches();

}  // namespace vgpu
