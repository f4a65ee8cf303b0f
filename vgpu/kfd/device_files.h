// SPDX-License-Identifier: MIT
// device_files.h: the device nodes: which descriptors refer to one, and what they do.
//
// Threads    any; FindDevice takes no lock, since every ioctl, mmap and close of the process calls
//            it
// Errors     as the system calls: -1 and errno, or MAP_FAILED and errno
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace vgpu {

constexpr int kFirstRenderMinor = 128;
constexpr uint32_t kDrmMajor = 226;
constexpr uint32_t kKfdMajor = 240;

struct Device {
  enum class Kind : uint8_t { kKfd, kRenderNode };
  Kind kind = Kind::kKfd;
  int gpu = 0;             // of a render node
  bool inherited = false;  // opened by the process that forked this one

  dev_t Number() const;
};

// The device at this path, if it is one of the virtual machine's. `path` may be null.
std::optional<Device> DeviceAt(const char* path);

// The device behind a descriptor.
std::optional<Device> FindDevice(int fd);

// Opens the device; `flags` as for open(2).
int OpenDevice(const Device& device, int flags);
// `to` is a duplicate of `from`, or no device any more.
void DuplicateDevice(int from, int to);
void CloseDevice(int fd);
void CloseDevices(int first, int last);

int DeviceIoctl(const Device& device, unsigned long request, void* argument);
void* DeviceMmap(const Device& device, void* address, size_t bytes, int protection, int flags,
                 uint64_t offset);

// In a forked child: the descriptors stay open, but are the parent's.
void DisownDeviceFiles();

struct DeviceFileCounts {
  uint64_t open = 0;
  uint64_t opened = 0;
};
DeviceFileCounts CountDeviceFiles();

}  // namespace vgpu
