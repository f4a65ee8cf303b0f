// SPDX-License-Identifier: MIT
// interpose_descriptor.cpp: calls on open descriptors.
#undef _FORTIFY_SOURCE
#include <drm/drm.h>
#include <linux/kfd_ioctl.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <optional>

#include "vgpu/kfd/driver.h"
#include "vgpu/run/interpose.h"

// A sanitizer's function, which keeps track of the mappings.
extern "C" int __interceptor_munmap(void* address, size_t bytes) __attribute__((weak));

namespace {

// Whether a request may be for a device. The descriptors of other requests are not looked at.
bool IsDriverCall(unsigned long request) {
  return _IOC_TYPE(request) == AMDKFD_IOCTL_BASE || _IOC_TYPE(request) == DRM_IOCTL_BASE;
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

VGPU_EXPORT int ioctl(int fd, unsigned long request, ...) noexcept {
  VGPU_NEXT(ioctl);
  va_list arguments;
  va_start(arguments, request);
  void* argument = va_arg(arguments, void*);
  va_end(arguments);
  const auto device = IsDriverCall(request) ? vgpu::FindDevice(fd) : std::nullopt;
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
