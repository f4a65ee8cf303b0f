// SPDX-License-Identifier: MIT
#include "vgpu/mem/memory_file.h"

#include <fcntl.h>
#include <linux/memfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

namespace vgpu {

int MakeMemoryFile(const char* name) {
  const long fd = syscall(SYS_memfd_create, name, MFD_CLOEXEC);
  if (fd < 0) return -errno;
  if (fd > STDERR_FILENO) return static_cast<int>(fd);
  const long moved = syscall(SYS_fcntl, fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  const int error = errno;
  syscall(SYS_close, fd);
  return moved < 0 ? -error : static_cast<int>(moved);
}

}  // namespace vgpu
