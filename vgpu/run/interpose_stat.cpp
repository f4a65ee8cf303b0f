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

// Of a path, or of a descriptor when there is none.
template <class Status>
int Shown(int result, const char* path, Status* status) {
  if (result != 0) return result;
  auto device = vgpu::DeviceAt(path);
  if (!device) device = vgpu::DeviceOfFile(status->st_dev, status->st_ino);
  if (device) vgpu::ShowAsDevice(*device, status);
  return result;
}

// The versioned forms that programs built against a C library before 2.33 call.
using XStat = int (*)(int version, const char* path, struct stat* status);
using XStat64 = int (*)(int version, const char* path, struct stat64* status);
using FXStat = int (*)(int version, int fd, struct stat* status);
using FXStat64 = int (*)(int version, int fd, struct stat64* status);

}  // namespace

VGPU_EXPORT int access(const char* path, int mode) noexcept {
  VGPU_NEXT(access);
  return next(RealPath(path).get(), mode);
}

VGPU_EXPORT int faccessat(int directory, const char* path, int mode, int flags) noexcept {
  VGPU_NEXT(faccessat);
  return next(directory, RealPath(path).get(), mode, flags);
}

VGPU_EXPORT ssize_t readlink(const char* path, char* target, size_t bytes) noexcept {
  VGPU_NEXT(readlink);
  return next(RealPath(path).get(), target, bytes);
}

VGPU_EXPORT ssize_t readlinkat(int directory, const char* path, char* target,
                               size_t bytes) noexcept {
  VGPU_NEXT(readlinkat);
  return next(directory, RealPath(path).get(), target, bytes);
}

// The link's target, as the program would name it.
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

VGPU_EXPORT int stat(const char* path, struct stat* status) noexcept {
  VGPU_NEXT(stat);
  return Shown(next(RealPath(path).get(), status), path, status);
}

VGPU_EXPORT int stat64(const char* path, struct stat64* status) noexcept {
  VGPU_NEXT(stat64);
  return Shown(next(RealPath(path).get(), status), path, status);
}

VGPU_EXPORT int lstat(const char* path, struct stat* status) noexcept {
  VGPU_NEXT(lstat);
  return Shown(next(RealPath(path).get(), status), path, status);
}

VGPU_EXPORT int lstat64(const char* path, struct stat64* status) noexcept {
  VGPU_NEXT(lstat64);
  return Shown(next(RealPath(path).get(), status), path, status);
}

VGPU_EXPORT int fstatat(int directory, const char* path, struct stat* status, int flags) noexcept {
  VGPU_NEXT(fstatat);
  return Shown(next(directory, RealPath(path).get(), status, flags), path, status);
}

VGPU_EXPORT int fstatat64(int directory, const char* path, struct stat64* status,
                          int flags) noexcept {
  VGPU_NEXT(fstatat64);
  return Shown(next(directory, RealPath(path).get(), status, flags), path, status);
}

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

VGPU_EXPORT int fstat(int fd, struct stat* status) noexcept {
  VGPU_NEXT(fstat);
  return Shown(next(fd, status), nullptr, status);
}

VGPU_EXPORT int fstat64(int fd, struct stat64* status) noexcept {
  VGPU_NEXT(fstat64);
  return Shown(next(fd, status), nullptr, status);
}

VGPU_EXPORT int __xstat(int version, const char* path, struct stat* status) {
  VGPU_NEXT_AS(__xstat, XStat);
  return Shown(next(version, RealPath(path).get(), status), path, status);
}

VGPU_EXPORT int __xstat64(int version, const char* path, struct stat64* status) {
  VGPU_NEXT_AS(__xstat64, XStat64);
  return Shown(next(version, RealPath(path).get(), status), path, status);
}

VGPU_EXPORT int __lxstat(int version, const char* path, struct stat* status) {
  VGPU_NEXT_AS(__lxstat, XStat);
  return Shown(next(version, RealPath(path).get(), status), path, status);
}

VGPU_EXPORT int __lxstat64(int version, const char* path, struct stat64* status) {
  VGPU_NEXT_AS(__lxstat64, XStat64);
  return Shown(next(version, RealPath(path).get(), status), path, status);
}

VGPU_EXPORT int __fxstat(int version, int fd, struct stat* status) {
  VGPU_NEXT_AS(__fxstat, FXStat);
  return Shown(next(version, fd, status), nullptr, status);
}

VGPU_EXPORT int __fxstat64(int version, int fd, struct stat64* status) {
  VGPU_NEXT_AS(__fxstat64, FXStat64);
  return Shown(next(version, fd, status), nullptr, status);
}
