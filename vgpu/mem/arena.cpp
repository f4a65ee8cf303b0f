// SPDX-License-Identifier: MIT
#include "vgpu/mem/arena.h"

#include <fcntl.h>
#include <linux/falloc.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "vgpu/config/log.h"
#include "vgpu/mem/memory_file.h"

namespace vgpu {

int Arena::Open(uint64_t bytes) {
  const int error = Reserve(bytes);
  if (error != 0) {
    Log(LogLevel::kError,
        "no memory for the devices: cannot reserve %llu GB of addresses: %s (valgrind and limits, "
        "as of ulimit -v and ulimit -f, forbid it)",
        static_cast<unsigned long long>(bytes >> 30), std::strerror(-error));
  }
  return error;
}

int Arena::Reserve(uint64_t bytes) {
  fd_ = MakeMemoryFile("vgpu-memory", bytes);
  if (fd_ < 0) return fd_;
  // Calls the kernel directly: mmap is one of the entry points that this library interposes.
  const long address =
      syscall(SYS_mmap, nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd_, 0);
  if (address == -1) return -errno;
  base_ = reinterpret_cast<uint8_t*>(address);
  if (madvise(base_, bytes, MADV_DONTFORK) != 0) return -errno;
  if (madvise(base_, bytes, MADV_DONTDUMP) != 0) return -errno;
  holes_.emplace(0, bytes);
  return 0;
}

std::optional<uint64_t> Arena::Allocate(uint64_t bytes) {
  for (auto hole = holes_.begin(); hole != holes_.end(); ++hole) {
    const auto [offset, size] = *hole;
    if (size < bytes) continue;
    holes_.erase(hole);
    if (size > bytes) holes_.emplace(offset + bytes, size - bytes);
    return offset;
  }
  return std::nullopt;
}

void Arena::Free(uint64_t offset, uint64_t bytes) {
  const int mode = FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE;
  if (fallocate(fd_, mode, static_cast<off_t>(offset), static_cast<off_t>(bytes)) != 0) {
    // The next owner must not see these bytes, even if the system cannot take the pages back.
    Log(LogLevel::kError, "cannot give back %llu bytes of device memory: %s",
        static_cast<unsigned long long>(bytes), std::strerror(errno));
    std::memset(base_ + offset, 0, bytes);
  }
  auto next = holes_.lower_bound(offset);
  if (next != holes_.end() && next->first == offset + bytes) {
    bytes += next->second;
    next = holes_.erase(next);
  }
  if (next != holes_.begin()) {
    auto previous = std::prev(next);
    if (previous->first + previous->second == offset) {
      previous->second += bytes;
      return;
    }
  }
  holes_.emplace_hint(next, offset, bytes);
}

void Arena::CloseFile() {
  syscall(SYS_close, fd_);
  fd_ = -1;
}

}  // namespace vgpu
