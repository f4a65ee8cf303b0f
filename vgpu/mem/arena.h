// SPDX-License-Identifier: MIT
// arena.h: the bytes behind the memory of all GPUs: one sparse shared file, mapped once.
//
// Threads    not synchronised; the owner (mem/memory_manager.h) locks
// Memory     the device's mapping of the file stays for the process's lifetime. Free gives the
//            pages back to the system but keeps the addresses, so that a device thread that still
//            holds a pointer reads zeros. Allocations are whole pages and read as zeros at first
#pragma once

#include <cstdint>
#include <map>
#include <optional>

namespace vgpu {

constexpr uint64_t kPageBytes = 4096;

constexpr uint64_t RoundUpToPage(uint64_t bytes) {
  return (bytes + kPageBytes - 1) & ~(kPageBytes - 1);
}

class Arena {
 public:
  Arena() = default;
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  // 0, or -errno with one line on stderr. To be called once.
  [[nodiscard]] int Open(uint64_t bytes);

  // Offset of `bytes` bytes, a multiple of the page size; nullopt when there is no such hole.
  [[nodiscard]] std::optional<uint64_t> Allocate(uint64_t bytes);
  void Free(uint64_t offset, uint64_t bytes);

  uint8_t* HostAddress(uint64_t offset) const { return base_ + offset; }
  int fd() const { return fd_; }
  // A forked child drops its copy of the parent's file.
  void CloseFile();

 private:
  [[nodiscard]] int Reserve(uint64_t bytes);

  int fd_ = -1;
  uint8_t* base_ = nullptr;
  std::map<uint64_t, uint64_t> holes_;  // offset -> bytes; neighbours are merged
};

}  // namespace vgpu
