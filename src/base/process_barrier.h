// SPDX-License-Identifier: MIT
// process_barrier.h: a memory barrier on every processor that runs a thread of this process
// (membarrier(2)).
//
// The kernel registers a process at once while it has a single thread, and else after all processors
// have been seen idle or in the kernel, which takes 10 ms and more. So whatever of ours is loaded
// first registers (the roctx library, which is preloaded), and the others find that done.
//
// Threads    any
// Blocking   Register, as above
#pragma once

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace rtl::process_barrier {

// False: this kernel has none, or forbids it.
inline bool Register() {
  return syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
}

// False: the process has not been registered.
inline bool Pass() { return syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0; }

}  // namespace rtl::process_barrier
