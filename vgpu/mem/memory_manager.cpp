// SPDX-License-Identifier: MIT
#include "vgpu/mem/memory_manager.h"

#include <cerrno>
#include <optional>

#include "vgpu/mem/address_space.h"

namespace vgpu {
namespace {

// Host memory of the driver is limited by the host, not by this; addresses cost nothing.
constexpr uint64_t kGttBytes = uint64_t{64} << 30;

}  // namespace

int MemoryManager::Open(uint64_t vram_bytes_per_gpu, int num_gpus) {
  std::lock_guard lock(mutex_);
  vram_bytes_ = vram_bytes_per_gpu;
  // Twice the memory, so that a scattered set of holes never refuses what the limit allows.
  return arena_.Open(2 * vram_bytes_per_gpu * num_gpus + kGttBytes);
}

int MemoryManager::FindBacking(Object* object) {
  const AllocationRequest& request = object->request;
  switch (request.kind) {
    case MemoryKind::kUserPages:
      object->host = reinterpret_cast<uint8_t*>(request.user_address);
      return 0;
    case MemoryKind::kDoorbell:
      object->host = reinterpret_cast<uint8_t*>(request.va);
      return 0;
    case MemoryKind::kVram:
      if (object->backing > vram_bytes_ - vram_used_[request.gpu]) return -ENOMEM;
      break;
    case MemoryKind::kGtt:
    case MemoryKind::kRegisters:
      break;
  }
  const std::optional<uint64_t> offset = arena_.Allocate(object->backing);
  if (!offset) return -ENOMEM;
  if (request.kind == MemoryKind::kVram) vram_used_[request.gpu] += object->backing;
  object->arena_offset = *offset;
  object->host = arena_.HostAddress(*offset);
  return 0;
}

int MemoryManager::Allocate(const AllocationRequest& request, Allocation* out) {
  if (request.bytes == 0 || request.va % kPageBytes != 0) return -EINVAL;
  std::lock_guard lock(mutex_);
  Object object;
  object.request = request;
  object.request.bytes = RoundUpToPage(request.bytes);
  object.backing = RoundUpToPage(request.mapped_twice ? request.bytes / 2 : request.bytes);
  if (request.mapped_twice) object.request.bytes = 2 * object.backing;
  if (const int error = FindBacking(&object); error != 0) return error;
  out->handle = (static_cast<uint64_t>(request.gpu + 1) << 32) | next_handle_++;
  out->arena_offset = object.arena_offset;
  objects_.emplace(out->handle, object);
  ++counts_.objects;
  ++counts_.objects_created;
  return 0;
}

int MemoryManager::Free(uint64_t handle) {
  std::lock_guard lock(mutex_);
  const auto found = objects_.find(handle);
  if (found == objects_.end()) return -EINVAL;
  const Object& object = found->second;
  for (const bool mapped : object.mapped) {
    if (mapped) return -EBUSY;
  }
  if (object.InArena()) arena_.Free(object.arena_offset, object.backing);
  if (object.request.kind == MemoryKind::kVram) vram_used_[object.request.gpu] -= object.backing;
  objects_.erase(found);
  --counts_.objects;
  return 0;
}

int MemoryManager::MapOn(const Object& object, int gpu) {
  const uint64_t va = object.request.va;
  if (!MapRange(gpu, va, object.backing, object.host)) return -EINVAL;
  if (!object.request.mapped_twice) return 0;
  if (MapRange(gpu, va + object.backing, object.backing, object.host)) return 0;
  (void)UnmapRange(gpu, va, object.backing);  // was mapped two lines above
  return -EINVAL;
}

int MemoryManager::Map(uint64_t handle, std::span<const int> gpus, uint32_t* done) {
  std::lock_guard lock(mutex_);
  *done = 0;
  const auto found = objects_.find(handle);
  if (found == objects_.end()) return -EINVAL;
  Object& object = found->second;
  for (const int gpu : gpus) {
    if (!object.mapped[gpu]) {
      if (const int error = MapOn(object, gpu); error != 0) return error;
      object.mapped[gpu] = true;
      ++counts_.mappings;
      ++counts_.mappings_created;
    }
    ++*done;
  }
  return 0;
}

int MemoryManager::Unmap(uint64_t handle, std::span<const int> gpus, uint32_t* done) {
  std::lock_guard lock(mutex_);
  *done = 0;
  const auto found = objects_.find(handle);
  if (found == objects_.end()) return -EINVAL;
  Object& object = found->second;
  for (const int gpu : gpus) {
    if (object.mapped[gpu]) {
      if (!UnmapRange(gpu, object.request.va, object.request.bytes)) return -EINVAL;
      object.mapped[gpu] = false;
      --counts_.mappings;
    }
    ++*done;
  }
  return 0;
}

uint8_t* MemoryManager::HostAddressOf(uint64_t handle, uint64_t bytes) const {
  std::lock_guard lock(mutex_);
  const auto found = objects_.find(handle);
  if (found == objects_.end() || found->second.backing < bytes) return nullptr;
  return found->second.host;
}

uint64_t MemoryManager::FreeVram(int gpu) const {
  std::lock_guard lock(mutex_);
  return vram_bytes_ - vram_used_[gpu];
}

MemoryCounts MemoryManager::Counts() const {
  std::lock_guard lock(mutex_);
  return counts_;
}

}  // namespace vgpu
