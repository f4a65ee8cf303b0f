// SPDX-License-Identifier: MIT
// process_barrier.h: a memory barrier on every processor that runs a thread of this process
// (membarrier(2)).
//
// The kernel registers a process with a single thread at once. With more threads it first waits
// until all processors were idle or in the kernel, which takes 10 ms and more. Therefore the first
// of our libraries that is loaded registers (the preloaded roctx library).
//
// Threads    any
// Blocking   Register, as above
#pragma once

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace rtl::process_barrier {

// False: this kernel lacks the call or forbids it.
inline bool Register() {
  return syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
}

// False: the process has not been registered.
inline bool Pass() { return syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0; }

}  // namespace rtl::process_barrier
