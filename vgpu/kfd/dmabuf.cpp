// SPDX-License-Identifier: MIT
#include "vgpu/kfd/dmabuf.h"

#include <fcntl.h>
#include <linux/memfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

namespace vgpu {
namespace {

// The name as memfd_create takes it, and as the kernel shows it.
constexpr char kName[] = "vgpu-dmabuf:%d:%u:%d:%llx:%d:%d";
constexpr char kShownName[] = "/memfd:vgpu-dmabuf:%d:%u:%d:%llx:%d:%d";

// Open for writing only, so that no process maps a file without bytes.
int ReopenForWriting(int fd, int flags) {
  char path[64];
  std::snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
  return static_cast<int>(syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | (flags & O_CLOEXEC), 0));
}

bool ReadNotes(const char* path, BufferNotes* out) {
  const int file = static_cast<int>(syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0));
  if (file < 0) return false;
  const bool whole = pread(file, out, sizeof(*out), 0) == sizeof(*out);
  syscall(SYS_close, file);
  return whole;
}

}  // namespace

int MakeDmabuf(const SharedBuffer& shared, int flags) {
  char name[128];
  std::snprintf(name, sizeof(name), kName, shared.pid, shared.id, shared.file,
                static_cast<unsigned long long>(shared.offset), shared.gpu, shared.vram ? 1 : 0);
  const int file = static_cast<int>(syscall(SYS_memfd_create, name, MFD_CLOEXEC));
  if (file < 0) return -errno;
  int fd = -1;
  if (ftruncate(file, static_cast<off_t>(shared.bytes)) == 0 &&
      pwrite(file, &shared.notes, sizeof(shared.notes), 0) == sizeof(shared.notes)) {
    fd = ReopenForWriting(file, flags);
  }
  const int error = errno;
  syscall(SYS_close, file);
  return fd < 0 ? -error : fd;
}

int ReadDmabuf(int fd, SharedBuffer* out) {
  char path[64];
  char name[192];
  std::snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
  const long length = syscall(SYS_readlinkat, AT_FDCWD, path, name, sizeof(name) - 1);
  if (length < 0) return -EBADF;
  name[length] = '\0';
  unsigned long long offset = 0;
  int vram = 0;
  SharedBuffer shared;
  const int fields = std::sscanf(name, kShownName, &shared.pid, &shared.id, &shared.file, &offset,
                                 &shared.gpu, &vram);
  struct stat status;
  if (fields != 6 || syscall(SYS_fstat, fd, &status) != 0) return -EINVAL;
  if (!ReadNotes(path, &shared.notes)) return -EINVAL;
  shared.offset = offset;
  shared.vram = vram != 0;
  shared.bytes = static_cast<uint64_t>(status.st_size);
  *out = shared;
  return 0;
}

}  // namespace vgpu
