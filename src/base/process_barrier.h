// SPDX-License-Identifier: MIT
// process_barrier.h: executes a memory barrier on every processor that runs a thread of this
// process (membarrier(2)).
//
// The kernel registers a process with a single thread at once. If there are more threads, it first
// waits until all processors were idle or in the kernel, which takes 10 ms or more. So the first
// library of the tracer that is loaded registers the process: the preloaded roctx library.
//
// Threads    any
// Blocking   Register: 10 ms or more if there are several threads. Everywhere: as Register; 1 ms if
//            the kernel has no such call
#pragma once

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

namespace rtl::process_barrier {

// False if this kernel lacks the call or forbids it.
inline bool Register() {
  return syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
}

// False if the process is not registered.
inline bool Pass() { return syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0; }

// After this call the calling thread sees what other threads have written before, and what they
// read later includes what the calling thread has written before. So the other threads need no
// barrier; their instructions must only stay in order.
inline void Everywhere() {
  if (Pass() || (Register() && Pass())) return;
  if (syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0) == 0) return;
  // A store leaves a processor's buffer within nanoseconds; this gives it far more time.
  const timespec nap = {0, 1'000'000};
  (void)nanosleep(&nap, nullptr);
}

}  // namespace rtl::process_barrier
