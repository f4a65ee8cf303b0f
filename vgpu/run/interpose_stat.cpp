// SPDX-License-Identifier: MIT
// interpose_stat.cpp: querying files without opening them.
#undef _FORTIFY_SOURCE
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <climits>
#include <cstdlib>
#include <cstring>

#include "vgpu/kfd/topology.h"
#include "vgpu/run/interpose.h"

using vgpu::RealPath;

namespace {

// Shows a device as its node: changes *status if `path`, or the file that *status describes, is a
// device. `path` is nullptr after a query of a descriptor.
template <class Status>
int Shown(int result, const char* path, Status* status) {
  if (result != 0) return result;
  auto device = vgpu::DeviceAt(path);
  if (!device) device = vgpu::DeviceOfFile(status->st_dev, status->st_ino);
  if (device) vgpu::ShowAsDevice(*device, status);
  return result;
}

}  // namespace

VGPU_REDIRECT(int, access, (const char* path, int mode) noexcept, RealPath(path).get(), mode)
VGPU_REDIRECT(int, faccessat, (int directory, const char* path, int mode, int flags) noexcept,
              directory, RealPath(path).get(), mode, flags)
VGPU_REDIRECT(ssize_t, readlink, (const char* path, char* target, size_t bytes) noexcept,
              RealPath(path).get(), target, bytes)
VGPU_REDIRECT(ssize_t, readlinkat,
              (int directory, const char* path, char* target, size_t bytes) noexcept, directory,
              RealPath(path).get(), target, bytes)

// Returns the path as the program would name it, without the directory of the machine's files.
VGPU_EXPORT char* realpath(const char* path, char* resolved) noexcept {
  VGPU_NEXT(realpath);
  vgpu::RedirectedPath redirected;
  if (!redirected.Redirect(path)) return next(path, resolved);
  char root[PATH_MAX];
  char* result = next(redirected.c_str(), resolved);
  if (result == nullptr || next(vgpu::MachineRoot().c_str(), root) == nullptr) return result;
  const size_t length = std::strlen(root);
  if (std::strncmp(result, root, length) == 0 && result[length] == '/') {
    std::memmove(result, result + length, std::strlen(result + length) + 1);
  }
  return result;
}

VGPU_EXPORT char* __realpath_chk(const char* path, char* resolved, size_t) noexcept {
  return realpath(path, resolved);
}

VGPU_EXPORT char* canonicalize_file_name(const char* path) noexcept {
  return realpath(path, nullptr);
}

// Queries of a path, which are redirected, and of a descriptor.
#define VGPU_STAT(name, Status)                                            \
  VGPU_EXPORT int name(const char* path, struct Status* status) noexcept { \
    VGPU_NEXT(name);                                                       \
    return Shown(next(RealPath(path).get(), status), path, status);        \
  }
#define VGPU_FSTAT(name, Status)                                 \
  VGPU_EXPORT int name(int fd, struct Status* status) noexcept { \
    VGPU_NEXT(name);                                             \
    return Shown(next(fd, status), nullptr, status);             \
  }
#define VGPU_FSTATAT(name, Status)                                                    \
  VGPU_EXPORT int name(int directory, const char* path, struct Status* status,        \
                       int flags) noexcept {                                          \
    VGPU_NEXT(name);                                                                  \
    return Shown(next(directory, RealPath(path).get(), status, flags), path, status); \
  }
// The versioned forms that programs built against a C library before 2.33 call.
#define VGPU_XSTAT(name, Status)                                               \
  VGPU_EXPORT int name(int version, const char* path, struct Status* status) { \
    VGPU_NEXT_AS(name, int (*)(int, const char*, struct Status*));             \
    return Shown(next(version, RealPath(path).get(), status), path, status);   \
  }
#define VGPU_FXSTAT(name, Status)                                    \
  VGPU_EXPORT int name(int version, int fd, struct Status* status) { \
    VGPU_NEXT_AS(name, int (*)(int, int, struct Status*));           \
    return Shown(next(version, fd, status), nullptr, status);        \
  }

VGPU_STAT(stat, stat)
VGPU_STAT(stat64, stat64)
VGPU_STAT(lstat, stat)
VGPU_STAT(lstat64, stat64)
VGPU_FSTATAT(fstatat, stat)
VGPU_FSTATAT(fstatat64, stat64)
VGPU_FSTAT(fstat, stat)
VGPU_FSTAT(fstat64, stat64)
VGPU_XSTAT(__xstat, stat)
VGPU_XSTAT(__xstat64, stat64)
VGPU_XSTAT(__lxstat, stat)
VGPU_XSTAT(__lxstat64, stat64)
VGPU_FXSTAT(__fxstat, stat)
VGPU_FXSTAT(__fxstat64, stat64)

VGPU_EXPORT int statx(int directory, const char* path, int flags, unsigned mask,
                      struct statx* status) noexcept {
  VGPU_NEXT(statx);
  const int result = next(directory, RealPath(path).get(), flags, mask, status);
  if (result != 0) return result;
  auto device = vgpu::DeviceAt(path);
  if (!device) {
    device =
        vgpu::DeviceOfFile(makedev(status->stx_dev_major, status->stx_dev_minor), status->stx_ino);
  }
  if (!device) return result;
  struct stat shown;
  vgpu::ShowAsDevice(*device, &shown);
  status->stx_mode = static_cast<uint16_t>(shown.st_mode);
  status->stx_rdev_major = major(shown.st_rdev);
  status->stx_rdev_minor = minor(shown.st_rdev);
  return result;
}
