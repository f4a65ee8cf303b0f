// SPDX-License-Identifier: MIT
// device_files.h: the device nodes: which descriptors refer to one, and what they do.
//
// Only the kernel knows what a descriptor refers to. A child may share the memory of this process
// and not the descriptors (vfork), or the descriptors and not the memory, and opens and closes what
// it likes. So a descriptor is looked at when it is used, and there is no table of descriptors.
//
// Threads    any; no locks
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
  int gpu = 0;       // of a render node
  pid_t opener = 0;  // of a descriptor: the process that opened it; 0: one that has ended

  dev_t Number() const;
};

// The device at this path, if it is one of the virtual machine's. `path` may be null.
std::optional<Device> DeviceAt(const char* path);

// The device behind a descriptor. Costs two system calls for a device and one for another file.
std::optional<Device> FindDevice(int fd);

// The device whose file this is, without its opener; `volume` and `inode` as of fstat.
std::optional<Device> DeviceOfFile(dev_t volume, ino_t inode);

// Opens the device; `flags` as for open(2).
int OpenDevice(const Device& device, int flags);

int DeviceIoctl(const Device& device, unsigned long request, void* argument);
void* DeviceMmap(const Device& device, void* address, size_t bytes, int protection, int flags,
                 uint64_t offset);

// To be called in a forked child, which did not open the descriptors that it inherits.
void ForgetOpened();

struct DeviceFileCounts {
  uint64_t open = 0;    // descriptors of this process
  uint64_t opened = 0;  // calls that opened a device
};
DeviceFileCounts CountDeviceFiles();

}  // namespace vgpu
