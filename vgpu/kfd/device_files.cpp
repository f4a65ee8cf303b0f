// SPDX-License-Identifier: MIT
#include "vgpu/kfd/device_files.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <string>
#include <string_view>

#include "vgpu/config/config.h"
#include "vgpu/config/log.h"
#include "vgpu/kfd/driver.h"
#include "vgpu/kfd/drm_node.h"
#include "vgpu/kfd/ioctls.h"
#include "vgpu/kfd/mmap_offset.h"
#include "vgpu/kfd/redirect.h"
#include "vgpu/queue/doorbell_watch.h"

namespace vgpu {
namespace {

// Descriptors are small numbers. A descriptor beyond this limit fails as one too many.
constexpr int kMaxFd = 65536;
constexpr std::string_view kKfdPath = "/dev/kfd";
constexpr std::string_view kRenderPath = "/dev/dri/renderD";

// 0 no device, 1 the kernel driver, 2 + n the render node of GPU n; kInherited on top.
constexpr uint16_t kKfdCode = 1;
constexpr uint16_t kRenderCode = 2;
constexpr uint16_t kInherited = 0x100;
std::atomic<uint16_t> g_codes[kMaxFd];
std::atomic<uint64_t> g_opened{0};

uint16_t CodeOf(const Device& device) {
  if (device.kind == Device::Kind::kKfd) return kKfdCode;
  return static_cast<uint16_t>(kRenderCode + device.gpu);
}

bool InTable(int fd) { return fd >= 0 && fd < kMaxFd; }

// A duplicate of a device's descriptor counts as another open of the device.
void SetCode(int fd, uint16_t code) {
  g_codes[fd].store(code, std::memory_order_relaxed);
  if (code != 0 && (code & kInherited) == 0) g_opened.fetch_add(1, std::memory_order_relaxed);
}

void* KernelMmap(void* address, size_t bytes, int protection, int flags, int fd, uint64_t offset) {
  return reinterpret_cast<void*>(
      syscall(SYS_mmap, address, bytes, protection, flags, fd, offset));  // sets errno
}

void* Refuse(int error) {
  errno = error;
  return MAP_FAILED;
}

void* MapDoorbells(Driver& driver, int gpu, void* address, size_t bytes, int protection,
                   int flags) {
  if (bytes > kDoorbellPageBytes) return Refuse(EINVAL);
  const DoorbellPage& page = driver.queues.doorbells(gpu);
  // Populated, because only pages that exist can be write-protected.
  void* mapped = KernelMmap(address, bytes, protection, flags | MAP_POPULATE, page.fd(), 0);
  if (mapped == MAP_FAILED) return mapped;
  (void)madvise(mapped, bytes, MADV_DONTFORK);  // a child inherits neither doorbells nor queues
  WatchDoorbells(mapped, bytes, page.Slot(0));
  return mapped;
}

void* MapKfd(Driver& driver, void* address, size_t bytes, int protection, int flags,
             uint64_t offset) {
  const int gpu = GpuOfId(GpuIdOfOffset(offset));
  switch (TypeOfOffset(offset)) {
    case OffsetType::kDoorbell:
      if (gpu < 0) break;
      return MapDoorbells(driver, gpu, address, bytes, protection, flags);
    case OffsetType::kRegisters:
      if (gpu < 0) break;
      return KernelMmap(address, bytes, protection, flags | MAP_ANONYMOUS, -1, 0);
    case OffsetType::kEvents:
    case OffsetType::kReserved:
      break;
  }
  Log(LogLevel::kError, "mmap of /dev/kfd at 0x%llx is not modelled",
      static_cast<unsigned long long>(offset));
  return Refuse(EINVAL);
}

}  // namespace

dev_t Device::Number() const {
  if (kind == Kind::kKfd) return makedev(kKfdMajor, 0);
  return makedev(kDrmMajor, kFirstRenderMinor + gpu);
}

std::optional<Device> DeviceAt(const char* name) {
  if (name == nullptr || name[0] != '/') return std::nullopt;
  std::string_view path = name;
  if (path == kKfdPath) return Device{Device::Kind::kKfd};
  if (!path.starts_with(kRenderPath)) return std::nullopt;
  path.remove_prefix(kRenderPath.size());
  int minor = 0;
  const auto [end, error] = std::from_chars(path.data(), path.data() + path.size(), minor);
  const int gpu = minor - kFirstRenderMinor;
  if (error != std::errc() || end != path.data() + path.size()) return std::nullopt;
  if (gpu < 0 || gpu >= GetConfig().num_gpus) return std::nullopt;
  return Device{Device::Kind::kRenderNode, gpu};
}

std::optional<Device> FindDevice(int fd) {
  if (!InTable(fd)) return std::nullopt;
  const uint16_t code = g_codes[fd].load(std::memory_order_relaxed);
  if (code == 0) [[likely]]
    return std::nullopt;
  Device device;
  device.inherited = (code & kInherited) != 0;
  const int number = code & ~kInherited;
  if (number >= kRenderCode) device = {Device::Kind::kRenderNode, number - kRenderCode};
  device.inherited = (code & kInherited) != 0;
  return device;
}

int OpenDevice(const Device& device, int flags) {
  if (GetDriver() == nullptr) {
    errno = ENODEV;
    return -1;
  }
  RedirectedPath path;
  const std::string name =
      device.kind == Device::Kind::kKfd
          ? std::string(kKfdPath)
          : std::string(kRenderPath) + std::to_string(kFirstRenderMinor + device.gpu);
  if (!path.Redirect(name.c_str())) {
    errno = ENOENT;
    return -1;
  }
  const int fd = static_cast<int>(syscall(SYS_openat, AT_FDCWD, path.c_str(), flags, 0));
  if (fd < 0) return -1;
  if (!InTable(fd)) {
    syscall(SYS_close, fd);
    errno = EMFILE;
    return -1;
  }
  SetCode(fd, CodeOf(device));
  return fd;
}

void DuplicateDevice(int from, int to) {
  if (!InTable(to)) return;
  const uint16_t code = InTable(from) ? g_codes[from].load(std::memory_order_relaxed) : 0;
  if (code != 0 || g_codes[to].load(std::memory_order_relaxed) != 0) SetCode(to, code);
}

void CloseDevice(int fd) {
  if (InTable(fd) && g_codes[fd].load(std::memory_order_relaxed) != 0) SetCode(fd, 0);
}

void CloseDevices(int first, int last) {
  last = std::min(last, kMaxFd - 1);
  for (int fd = std::max(first, 0); fd <= last; ++fd) CloseDevice(fd);
}

int DeviceIoctl(const Device& device, unsigned long request, void* argument) {
  if (device.kind == Device::Kind::kRenderNode) return DrmIoctl(device.gpu, request, argument);
  if (device.inherited) return -EBADF;  // descriptors of the driver work only in their opener
  Driver* driver = FindDriver();
  if (driver == nullptr) return -ENODEV;
  return KfdIoctl(*driver, request, argument);
}

void* DeviceMmap(const Device& device, void* address, size_t bytes, int protection, int flags,
                 uint64_t offset) {
  if (device.inherited) return Refuse(EBADF);
  Driver* driver = FindDriver();
  if (driver == nullptr) return Refuse(ENODEV);
  if (device.kind == Device::Kind::kKfd) {
    return MapKfd(*driver, address, bytes, protection, flags, offset);
  }
  const int file = driver->memory.FileAt(&offset);
  return KernelMmap(address, bytes, protection, flags, file, offset);
}

void DisownDeviceFiles() {
  for (auto& code : g_codes) {
    const uint16_t old = code.load(std::memory_order_relaxed);
    if (old != 0) code.store(old | kInherited, std::memory_order_relaxed);
  }
  g_opened.store(0, std::memory_order_relaxed);
}

DeviceFileCounts CountDeviceFiles() {
  DeviceFileCounts counts;
  counts.opened = g_opened.load(std::memory_order_relaxed);
  for (const auto& code : g_codes) {
    const uint16_t value = code.load(std::memory_order_relaxed);
    if (value != 0 && (value & kInherited) == 0) ++counts.open;
  }
  return counts;
}

}  // namespace vgpu
