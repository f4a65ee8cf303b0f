// SPDX-License-Identifier: MIT
// memory_manager.h: the memory objects of a process and the GPUs they are mapped on.
//
// Threads    any; one lock
// Errors     0 or -errno, as the kernel driver answers
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <span>

#include "vgpu/mem/arena.h"
#include "vgpu/run/config.h"

namespace vgpu {

enum class MemoryKind : uint8_t {
  kVram,
  kGtt,        // host memory of the driver
  kUserPages,  // host memory of the application
  kDoorbell,   // the doorbell page, at the address at which the host mapped it
  kRegisters,  // the page of remapped registers; nothing reads what is written there
};

struct AllocationRequest {
  int gpu = 0;
  uint64_t va = 0;
  uint64_t bytes = 0;
  MemoryKind kind = MemoryKind::kVram;
  uint64_t user_address = 0;  // kUserPages only
  bool mapped_twice = false;  // the GPU sees bytes / 2 bytes, twice in a row
};

struct Allocation {
  uint64_t handle = 0;
  uint64_t arena_offset = 0;  // kVram and kGtt: where a render node maps it
};

struct MemoryCounts {
  uint64_t objects = 0;
  uint64_t objects_created = 0;
  uint64_t mappings = 0;  // (object, GPU) pairs
  uint64_t mappings_created = 0;
};

class MemoryManager {
 public:
  MemoryManager() = default;
  MemoryManager(const MemoryManager&) = delete;
  MemoryManager& operator=(const MemoryManager&) = delete;

  // Before anything else.
  [[nodiscard]] int Open(uint64_t vram_bytes_per_gpu, int num_gpus);

  [[nodiscard]] int Allocate(const AllocationRequest& request, Allocation* out);
  [[nodiscard]] int Free(uint64_t handle);
  // Maps on, or unmaps from, the given GPUs in order; *done counts those that succeeded. Mapping
  // where it is mapped already, or unmapping where it is not, is no error.
  [[nodiscard]] int Map(uint64_t handle, std::span<const int> gpus, uint32_t* done);
  [[nodiscard]] int Unmap(uint64_t handle, std::span<const int> gpus, uint32_t* done);

  // The device's own view of an object's first `bytes` bytes; nullptr when it has not so many.
  uint8_t* HostAddressOf(uint64_t handle, uint64_t bytes) const;
  uint64_t FreeVram(int gpu) const;
  MemoryCounts Counts() const;
  int arena_fd() const { return arena_.fd(); }
  void CloseFile() { arena_.CloseFile(); }

 private:
  struct Object {
    AllocationRequest request;
    uint64_t backing = 0;  // bytes behind it, whole pages
    uint64_t arena_offset = 0;
    uint8_t* host = nullptr;
    bool mapped[kMaxGpus] = {};

    bool InArena() const {
      return request.kind != MemoryKind::kUserPages && request.kind != MemoryKind::kDoorbell;
    }
  };

  [[nodiscard]] int FindBacking(Object* object);
  [[nodiscard]] static int MapOn(const Object& object, int gpu);

  mutable std::mutex mutex_;
  // All guarded by mutex_.
  Arena arena_;
  uint64_t vram_bytes_ = 0;
  uint64_t vram_used_[kMaxGpus] = {};
  std::map<uint64_t, Object> objects_;  // by handle
  uint64_t next_handle_ = 1;
  MemoryCounts counts_;
};

}  // namespace vgpu
