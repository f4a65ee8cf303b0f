// SPDX-License-Identifier: MIT
#include "base/own_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/files_apart.h"
#include "base/unique_fd.h"

namespace rtl {
namespace {

bool ReadThroughProc(uint64_t address, void* out, size_t bytes) {
  ssize_t got = -1;
  FilesApart([&] {
    const UniqueFd fd(open("/proc/self/mem", O_RDONLY | O_CLOEXEC));
    if (fd.valid()) got = pread(fd.get(), out, bytes, static_cast<off_t>(address));
  });
  return got == static_cast<ssize_t>(bytes);
}

}  // namespace

bool ReadOwnMemory(uint64_t address, void* out, size_t bytes) {
  const int saved_errno = errno;
  iovec local{out, bytes};
  iovec remote{reinterpret_cast<void*>(address), bytes};
  const ssize_t got = process_vm_readv(getpid(), &local, 1, &remote, 1, 0);
  bool ok = got == static_cast<ssize_t>(bytes);
  // Sandboxes may forbid this system call; /proc gives the same bytes.
  if (got < 0 && (errno == EPERM || errno == ENOSYS)) ok = ReadThroughProc(address, out, bytes);
  errno = saved_errno;
  return ok;
}

}  // namespace rtl
