// SPDX-License-Identifier: MIT
// process_barrier.h: a memory barrier on every processor that runs a thread of this process
// (membarrier(2)).
//
// The kernel registers a process with a single thread at once. With more threads it first waits
// until all processors were idle or in the kernel, which takes 10 ms and more. Therefore the first
// of our libraries that is loaded registers (the preloaded roctx library).
//
// Threads    any
// Blocking   Register, as above. Everywhere: as Register; 1 ms where the kernel has no such call
#pragma once

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

namespace rtl::process_barrier {

// False: this kernel lacks the call or forbids it.
inline bool Register() {
  return syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
}

// False: the process has not been registered.
inline bool Pass() { return syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0; }

// What any thread has written before is visible afterwards, and what a thread reads later is what
// we wrote before. So the other threads need the order of their instructions and no barrier.
inline void Everywhere() {
  if (Pass() || (Register() && Pass())) return;
  if (syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0) == 0) return;
  // A store leaves a processor's buffer within nanoseconds; give it far more.
  const timespec nap = {0, 1'000'000};
  (void)nanosleep(&nap, nullptr);
}

}  // namespace rtl::process_barrier
