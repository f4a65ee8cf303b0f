// SPDX-License-Identifier: MIT
// thread_handles.h: the kernel's ids of the threads of other processes by their pthread handles. By
// these py-spy names the threads of Python before 3.11, which does not know the ids.
//
// A handle is the address of a thread's control block in the C library. The block begins with its
// own address and contains the list of robust mutexes, whose address the kernel tells. So nothing
// is stopped, and no version of the C library has to be known.
//
// Threads    one
// Blocking   never
// Errors     a thread that cannot be read, or has ended before a look, is not known
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace rtl::cli {

class ThreadHandles {
 public:
  // Looks for the threads that the process has now. Looks are made in the order of their times.
  void LookAt(pid_t process, uint64_t now);
  // The thread that had the handle then, or was the nearest in time to have it. Zero: none is known.
  uint32_t ThreadOf(pid_t process, uint64_t handle, uint64_t time) const;

 private:
  struct Owner {
    uint32_t thread = 0;
    uint64_t first = 0, last = 0;  // times at which it was seen
  };
  using Handle = std::pair<pid_t, uint64_t>;

  uint64_t Read(pid_t process, pid_t thread);

  std::map<Handle, std::vector<Owner>> owners_;                 // one after the other
  std::map<pid_t, std::map<uint32_t, uint64_t>> at_last_look_;  // handles by thread; zero: none
  uint64_t offset_ = 0;  // of the list in a control block, as it was found last
};

}  // namespace rtl::cli
