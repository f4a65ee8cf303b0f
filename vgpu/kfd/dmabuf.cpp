// SPDX-License-Identifier: MIT
#include "vgpu/kfd/dmabuf.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "vgpu/mem/memory_file.h"

namespace vgpu {
namespace {

// The name as MakeMemoryFile takes it, and as the kernel shows it.
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

struct Packed {
  uint64_t pid : 22;  // the kernel's largest is 2^22 - 1
  uint64_t id : 24;
  uint64_t file : 12;
  uint64_t gpu : 3;
  uint64_t vram : 1;
  uint64_t known : 2;  // never 0, unlike a handle that is not filled
  uint64_t first_page : 34;
  uint64_t pages : 30;
};
static_assert(sizeof(Packed) == 4 * sizeof(uint32_t));
constexpr uint64_t kKnown = 2;

}  // namespace

int MakeDmabuf(const SharedBuffer& shared, int flags) {
  char name[128];
  std::snprintf(name, sizeof(name), kName, shared.pid, shared.id, shared.file,
                static_cast<unsigned long long>(shared.offset), shared.gpu, shared.vram ? 1 : 0);
  const int file = MakeMemoryFile(name, shared.bytes);
  if (file < 0) return file;
  int fd = -1;
  if (pwrite(file, &shared.notes, sizeof(shared.notes), 0) == sizeof(shared.notes)) {
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

bool PackIpcHandle(const SharedBuffer& shared, uint32_t (&handle)[4]) {
  Packed packed{};
  packed.pid = static_cast<uint32_t>(shared.pid);
  packed.id = shared.id;
  packed.file = static_cast<uint32_t>(shared.file);
  packed.gpu = static_cast<uint32_t>(shared.gpu);
  packed.vram = shared.vram;
  packed.known = kKnown;
  packed.first_page = shared.offset / kPageBytes;
  packed.pages = shared.bytes / kPageBytes;
  std::memcpy(handle, &packed, sizeof(packed));
  SharedBuffer again;
  return UnpackIpcHandle(handle, &again) && again.pid == shared.pid && again.id == shared.id &&
         again.file == shared.file && again.offset == shared.offset &&
         again.bytes == shared.bytes && again.gpu == shared.gpu;
}

bool UnpackIpcHandle(const uint32_t (&handle)[4], SharedBuffer* out) {
  Packed packed;
  std::memcpy(&packed, handle, sizeof(packed));
  if (packed.known != kKnown || packed.pages == 0) return false;
  out->pid = static_cast<int>(packed.pid);
  out->id = static_cast<uint32_t>(packed.id);
  out->file = static_cast<int>(packed.file);
  out->gpu = static_cast<int>(packed.gpu);
  out->vram = packed.vram != 0;
  out->offset = packed.first_page * kPageBytes;
  out->bytes = packed.pages * kPageBytes;
  return true;
}

}  // namespace vgpu
