// SPDX-License-Identifier: MIT
#include "vgpu/mem/memory_file.h"

#include <fcntl.h>
#include <linux/memfd.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

namespace vgpu {
namespace {

int Create(const char* name) {
  const long fd = syscall(SYS_memfd_create, name, MFD_CLOEXEC);
  if (fd < 0) return -errno;
  if (fd > STDERR_FILENO) return static_cast<int>(fd);
  const long moved = syscall(SYS_fcntl, fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  const int error = errno;
  syscall(SYS_close, fd);
  return moved < 0 ? -error : static_cast<int>(moved);
}

// The limit of file sizes (ulimit -f) holds for files of memory, too, and a file that exceeds it
// gets the process a signal that kills by default. A real device's memory is no file, so the limit
// is raised during the call, as far as the hard limit allows.
int Grow(int fd, uint64_t bytes) {
  rlimit limit;
  if (getrlimit(RLIMIT_FSIZE, &limit) != 0) return -errno;
  const bool raise = limit.rlim_cur < bytes;
  const rlimit raised{limit.rlim_max, limit.rlim_max};
  if (raise && (limit.rlim_max < bytes || setrlimit(RLIMIT_FSIZE, &raised) != 0)) return -EFBIG;
  const int error = ftruncate(fd, static_cast<off_t>(bytes)) == 0 ? 0 : -errno;
  if (raise) (void)setrlimit(RLIMIT_FSIZE, &limit);  // lowering it cannot fail
  return error;
}

}  // namespace

int MakeMemoryFile(const char* name, uint64_t bytes) {
  const int fd = Create(name);
  if (fd < 0) return fd;
  const int error = Grow(fd, bytes);
  if (error == 0) return fd;
  syscall(SYS_close, fd);
  return error;
}

}  // namespace vgpu
