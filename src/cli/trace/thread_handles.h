// SPDX-License-Identifier: MIT
// thread_handles.h: finds the kernel's id of another process's thread from its pthread handle.
// py-spy identifies threads by their handles if Python is older than 3.11, because such a Python
// does not know the ids.
//
// A handle is the address of the thread's control block in the C library. The block begins with its
// own address and contains the list of robust mutexes, whose address the kernel reports. So no
// thread is stopped, and the code does not depend on the version of the C library.
//
// Threads    one
// Blocking   never
// Errors     a thread that cannot be read, or that ended before a look, is not known
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace rtl::cli {

class ThreadHandles {
 public:
  // Looks at the threads that the process has now. Calls must come in the order of `now`.
  void LookAt(pid_t process, uint64_t now);
  // The thread that had the handle at this time, or else the one that had it nearest to this time.
  // Zero: none is known.
  uint32_t ThreadOf(pid_t process, uint64_t handle, uint64_t time) const;

 private:
  struct Owner {
    uint32_t thread = 0;
    uint64_t first = 0, last = 0;  // times at which it was seen
  };
  using Handle = std::pair<pid_t, uint64_t>;

  uint64_t Read(pid_t process, pid_t thread);

  // By handle: the threads that had it, one after the other.
  std::map<Handle, std::vector<Owner>> owners_;
  // Handle by thread; zero: it could not be read.
  std::map<pid_t, std::map<uint32_t, uint64_t>> at_last_look_;
  uint64_t offset_ = 0;  // offset of the list in a control block, as last found
};

}  // namespace rtl::cli
