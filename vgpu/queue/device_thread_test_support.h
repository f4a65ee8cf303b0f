// SPDX-License-Identifier: MIT
// device_thread_test_support.h: a process that gets no more threads.
#pragma once

#include <sys/resource.h>
#include <unistd.h>

namespace vgpu {

// To be called in a child of the test: it is no superuser after this.
inline bool RefuseThreads() {
  constexpr uid_t kNobody = 65534;  // a superuser has no limit
  if (geteuid() == 0 && (setgid(kNobody) != 0 || setuid(kNobody) != 0)) return false;
  const rlimit none{0, 0};
  return setrlimit(RLIMIT_NPROC, &none) == 0;
}

}  // namespace vgpu
