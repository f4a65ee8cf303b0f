// SPDX-License-Identifier: MIT
#include "vgpu/kfd/device_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <iterator>
#include <string>
#include <string_view>

#include "vgpu/config/config.h"
#include "vgpu/config/log.h"
#include "vgpu/kfd/driver.h"
#include "vgpu/kfd/ioctls.h"
#include "vgpu/kfd/mmap_offset.h"
#include "vgpu/kfd/redirect.h"
#include "vgpu/queue/doorbell_watch.h"

namespace vgpu {
namespace {

constexpr std::string_view kKfdPath = "/dev/kfd";
constexpr std::string_view kRenderPath = "/dev/dri/renderD";

// The files of the devices: the kernel driver's, and those of the render nodes. Zeros: not known.
struct FileId {
  std::atomic<dev_t> volume{0};
  std::atomic<ino_t> inode{0};
};
FileId g_files[1 + kMaxGpus];
std::atomic<bool> g_learnt{false};
std::atomic<uint64_t> g_opened{0};

size_t PlaceOf(const Device& device) {
  return device.kind == Device::Kind::kKfd ? 0 : 1 + static_cast<size_t>(device.gpu);
}

std::string PathOf(const Device& device) {
  if (device.kind == Device::Kind::kKfd) return std::string(kKfdPath);
  return std::string(kRenderPath) + std::to_string(kFirstRenderMinor + device.gpu);
}

void Learn(const Device& device, const struct stat& status) {
  FileId& file = g_files[PlaceOf(device)];
  file.volume.store(status.st_dev, std::memory_order_relaxed);
  file.inode.store(status.st_ino, std::memory_order_relaxed);
}

void LearnAt(const Device& device) {
  RedirectedPath path;
  struct stat status;
  if (!path.Redirect(PathOf(device).c_str())) return;
  if (syscall(SYS_newfstatat, AT_FDCWD, path.c_str(), &status, 0) == 0) Learn(device, status);
}

// For descriptors that this program did not open itself: an earlier program of the process opened
// them before exec, or another process sent them.
void LearnAllFiles() {
  if (g_learnt.load(std::memory_order_acquire)) return;
  LearnAt({Device::Kind::kKfd});
  for (int gpu = 0; gpu < GetConfig().num_gpus; ++gpu) LearnAt({Device::Kind::kRenderNode, gpu});
  g_learnt.store(true, std::memory_order_release);
}

// As in the real driver, the opener is stored with the open file: all descriptors of that file have
// the same opener, also those that another process inherits.
void SetOpener(int fd) {
  const f_owner_ex owner{F_OWNER_PID, getpid()};
  syscall(SYS_fcntl, fd, F_SETOWN_EX, &owner);
}

pid_t OpenerOf(int fd) {
  f_owner_ex owner{};
  return syscall(SYS_fcntl, fd, F_GETOWN_EX, &owner) == 0 ? owner.pid : 0;
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

// A descriptor of the driver works only in the process that opened it, and not in a child that
// shares the opener's memory.
bool IsOpener(const Device& device, const Driver& driver) {
  return device.opener == getpid() && device.opener == driver.pid;
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

std::optional<Device> DeviceOfFile(dev_t volume, ino_t inode) {
  for (size_t place = 0; place < std::size(g_files); ++place) {
    const FileId& file = g_files[place];
    if (file.inode.load(std::memory_order_relaxed) != inode || inode == 0) continue;
    if (file.volume.load(std::memory_order_relaxed) != volume) continue;
    if (place == 0) return Device{Device::Kind::kKfd};
    return Device{Device::Kind::kRenderNode, static_cast<int>(place) - 1};
  }
  return std::nullopt;
}

std::optional<Device> FindDevice(int fd) {
  const int error = errno;  // restored: a caller whose call succeeds keeps its errno
  struct stat status;
  std::optional<Device> device;
  if (syscall(SYS_fstat, fd, &status) == 0 && S_ISFIFO(status.st_mode)) {
    LearnAllFiles();
    device = DeviceOfFile(status.st_dev, status.st_ino);
    if (device) device->opener = OpenerOf(fd);
  }
  errno = error;
  return device;
}

// Opens for reading only: in a program that was started without standard error, the device may get
// descriptor 2, and messages must not go into the file.
int OpenDevice(const Device& device, int flags) {
  if (GetDriver() == nullptr) {
    errno = ENODEV;
    return -1;
  }
  RedirectedPath path;
  if (!path.Redirect(PathOf(device).c_str())) {
    errno = ENOENT;
    return -1;
  }
  // The file is a pipe: without O_NONBLOCK, the call would wait for a writer.
  const int blocking = flags & O_NONBLOCK;
  flags = (flags & ~O_ACCMODE) | O_RDONLY;
  const int fd =
      static_cast<int>(syscall(SYS_openat, AT_FDCWD, path.c_str(), flags | O_NONBLOCK, 0));
  if (fd < 0) return -1;
  if (blocking == 0) (void)syscall(SYS_fcntl, fd, F_SETFL, 0);
  struct stat status;
  if (syscall(SYS_fstat, fd, &status) == 0) Learn(device, status);
  SetOpener(fd);
  g_opened.fetch_add(1, std::memory_order_relaxed);
  return fd;
}

int DeviceIoctl(const Device& device, unsigned long request, void* argument) {
  if (device.kind == Device::Kind::kRenderNode) return DrmIoctl(device.gpu, request, argument);
  Driver* driver = FindDriver();
  if (driver == nullptr) return device.opener == getpid() ? -ENODEV : -EBADF;
  if (!IsOpener(device, *driver)) return -EBADF;
  return KfdIoctl(*driver, request, argument);
}

void* DeviceMmap(const Device& device, void* address, size_t bytes, int protection, int flags,
                 uint64_t offset) {
  Driver* driver = FindDriver();
  if (driver == nullptr || !IsOpener(device, *driver)) return Refuse(EBADF);
  if (device.kind == Device::Kind::kKfd) {
    return MapKfd(*driver, address, bytes, protection, flags, offset);
  }
  const int file = driver->memory.FileAt(&offset);
  return KernelMmap(address, bytes, protection, flags, file, offset);
}

void ForgetOpened() { g_opened.store(0, std::memory_order_relaxed); }

DeviceFileCounts CountDeviceFiles() {
  DeviceFileCounts counts;
  counts.opened = g_opened.load(std::memory_order_relaxed);
  const int folder = static_cast<int>(
      syscall(SYS_openat, AT_FDCWD, "/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder < 0) return counts;
  alignas(dirent64) char entries[4096];
  for (;;) {
    const long bytes = syscall(SYS_getdents64, folder, entries, sizeof(entries));
    if (bytes <= 0) break;
    for (long at = 0; at < bytes;) {
      const auto* entry = reinterpret_cast<const dirent64*>(entries + at);
      at += entry->d_reclen;
      const char* name = entry->d_name;
      int fd = -1;
      std::from_chars(name, name + std::strlen(name), fd);
      if (fd < 0) continue;
      const auto device = FindDevice(fd);
      if (device && device->opener == getpid()) ++counts.open;
    }
  }
  syscall(SYS_close, folder);
  return counts;
}

}  // namespace vgpu
