// SPDX-License-Identifier: MIT
// interpose_descriptor.cpp: calls on open descriptors.
#undef _FORTIFY_SOURCE
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdarg>

#include "vgpu/kfd/driver.h"
#include "vgpu/run/interpose.h"

// A sanitizer's function, which keeps track of the mappings.
extern "C" int __interceptor_munmap(void* address, size_t bytes) __attribute__((weak));

namespace {

// Descriptors of a device may be duplicated (libdrm does): the copy is the device, too.
int Duplicated(int from, int to) {
  if (to >= 0) vgpu::DuplicateDevice(from, to);
  return to;
}

int FcntlResult(int fd, int command, int result) {
  const bool duplicates = command == F_DUPFD || command == F_DUPFD_CLOEXEC;
  return duplicates ? Duplicated(fd, result) : result;
}

void* Map(void* address, size_t bytes, int protection, int flags, int fd, off_t offset) {
  if ((flags & MAP_ANONYMOUS) == 0) {
    if (const auto device = vgpu::FindDevice(fd)) {
      return vgpu::DeviceMmap(*device, address, bytes, protection, flags,
                              static_cast<uint64_t>(offset));
    }
  }
  // Calls the kernel directly: allocators map memory before dlsym can be called.
  const long mapped = syscall(SYS_mmap, address, bytes, protection, flags, fd, offset);
  if (mapped != -1) vgpu::MemoryChanged(static_cast<uint64_t>(mapped), bytes);
  return reinterpret_cast<void*>(mapped);
}

}  // namespace

VGPU_EXPORT int close(int fd) {
  VGPU_NEXT(close);
  vgpu::CloseDevice(fd);
  return next(fd);
}

VGPU_EXPORT int close_range(unsigned first, unsigned last, int flags) noexcept {
  VGPU_NEXT(close_range);
  const int result = next(first, last, flags);
  if (result == 0 && (flags & CLOSE_RANGE_CLOEXEC) == 0) {
    vgpu::CloseDevices(static_cast<int>(std::min<unsigned>(first, INT_MAX)),
                       static_cast<int>(std::min<unsigned>(last, INT_MAX)));
  }
  return result;
}

VGPU_EXPORT void closefrom(int first) noexcept {
  VGPU_NEXT(closefrom);
  vgpu::CloseDevices(first, INT_MAX);
  next(first);
}

VGPU_EXPORT int dup(int fd) noexcept {
  VGPU_NEXT(dup);
  return Duplicated(fd, next(fd));
}

VGPU_EXPORT int dup2(int from, int to) noexcept {
  VGPU_NEXT(dup2);
  return from == to ? next(from, to) : Duplicated(from, next(from, to));
}

VGPU_EXPORT int dup3(int from, int to, int flags) noexcept {
  VGPU_NEXT(dup3);
  return Duplicated(from, next(from, to, flags));
}

VGPU_EXPORT int fcntl(int fd, int command, ...) {
  VGPU_NEXT(fcntl);
  va_list arguments;
  va_start(arguments, command);
  void* argument = va_arg(arguments, void*);
  va_end(arguments);
  return FcntlResult(fd, command, next(fd, command, argument));
}

VGPU_EXPORT int fcntl64(int fd, int command, ...) {
  VGPU_NEXT(fcntl64);
  va_list arguments;
  va_start(arguments, command);
  void* argument = va_arg(arguments, void*);
  va_end(arguments);
  return FcntlResult(fd, command, next(fd, command, argument));
}

VGPU_EXPORT int ioctl(int fd, unsigned long request, ...) noexcept {
  VGPU_NEXT(ioctl);
  va_list arguments;
  va_start(arguments, request);
  void* argument = va_arg(arguments, void*);
  va_end(arguments);
  const auto device = vgpu::FindDevice(fd);
  if (!device) return next(fd, request, argument);
  const int result = vgpu::DeviceIoctl(*device, request, argument);
  if (result >= 0) return result;
  errno = -result;
  return -1;
}

VGPU_EXPORT void* mmap(void* address, size_t bytes, int protection, int flags, int fd,
                       off_t offset) noexcept {
  return Map(address, bytes, protection, flags, fd, offset);
}

VGPU_EXPORT void* mmap64(void* address, size_t bytes, int protection, int flags, int fd,
                         off64_t offset) noexcept {
  return Map(address, bytes, protection, flags, fd, offset);
}

VGPU_EXPORT int munmap(void* address, size_t bytes) noexcept {
  vgpu::MemoryChanged(reinterpret_cast<uint64_t>(address), bytes);
  if (__interceptor_munmap != nullptr) return __interceptor_munmap(address, bytes);
  return static_cast<int>(syscall(SYS_munmap, address, bytes));
}
