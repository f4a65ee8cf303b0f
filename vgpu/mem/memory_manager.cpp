// SPDX-License-Identifier: MIT
#include "vgpu/mem/memory_manager.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <optional>

#include "vgpu/mem/address_space.h"

namespace vgpu {
namespace {

// Addresses for the driver's host memory, which cost nothing. The host limits the memory itself.
constexpr uint64_t kArenaHostBytes = uint64_t{64} << 30;

}  // namespace

int MemoryManager::Open(uint64_t vram_bytes_per_gpu, int num_gpus) {
  std::lock_guard lock(mutex_);
  vram_bytes_ = vram_bytes_per_gpu;
  // Twice the memory, so that a scattered set of holes never refuses what the limit allows.
  return arena_.Open(2 * vram_bytes_per_gpu * num_gpus + kArenaHostBytes);
}

int MemoryManager::FindBacking(const AllocationRequest& request, Buffer* buffer) {
  switch (request.kind) {
    case MemoryKind::kUserPages:
      buffer->host = reinterpret_cast<uint8_t*>(request.user_address);
      return 0;
    case MemoryKind::kDoorbell:
      buffer->host = reinterpret_cast<uint8_t*>(request.va);
      return 0;
    case MemoryKind::kForeign:
      return -EINVAL;  // made by Import only
    case MemoryKind::kVram:
      if (buffer->bytes > vram_bytes_ - vram_used_[request.gpu]) return -ENOMEM;
      break;
    case MemoryKind::kGtt:
    case MemoryKind::kRegisters:
      break;
  }
  const std::optional<uint64_t> offset = arena_.Allocate(buffer->bytes);
  if (!offset) return -ENOMEM;
  if (request.kind == MemoryKind::kVram) vram_used_[request.gpu] += buffer->bytes;
  buffer->offset = *offset;
  buffer->host = arena_.HostAddress(*offset);
  return 0;
}

uint64_t MemoryManager::AddObject(const AllocationRequest& request, uint32_t buffer) {
  const uint64_t handle = (static_cast<uint64_t>(request.gpu + 1) << 32) | next_handle_++;
  objects_.emplace(handle, Object{request, buffer, {}});
  ++counts_.objects;
  ++counts_.objects_created;
  return handle;
}

int MemoryManager::Allocate(const AllocationRequest& request, Allocation* out) {
  if (request.bytes == 0 || request.va % kPageBytes != 0) return -EINVAL;
  std::lock_guard lock(mutex_);
  Buffer buffer;
  buffer.kind = request.kind;
  buffer.gpu = request.gpu;
  buffer.bytes = RoundUpToPage(request.mapped_twice ? request.bytes / 2 : request.bytes);
  buffer.references = 1;
  if (const int error = FindBacking(request, &buffer); error != 0) return error;
  AllocationRequest whole = request;
  whole.bytes = request.mapped_twice ? 2 * buffer.bytes : buffer.bytes;
  buffers_.emplace(next_buffer_, buffer);
  out->handle = AddObject(whole, next_buffer_++);
  out->mmap_offset = buffer.offset;
  return 0;
}

void MemoryManager::Release(Buffers::iterator buffer) {
  if (--buffer->second.references != 0) return;
  const Buffer& gone = buffer->second;
  if (gone.InArena()) arena_.Free(gone.offset, gone.bytes);
  if (gone.kind == MemoryKind::kVram) vram_used_[gone.gpu] -= gone.bytes;
  // Only the file is closed. The mapping stays, because a device thread may still hold a pointer
  // into it.
  if (gone.kind == MemoryKind::kForeign) syscall(SYS_close, gone.file);
  buffers_.erase(buffer);
}

int MemoryManager::Free(uint64_t handle) {
  std::lock_guard lock(mutex_);
  const auto found = objects_.find(handle);
  if (found == objects_.end()) return -EINVAL;
  const Object& object = found->second;
  for (const bool mapped : object.mapped) {
    if (mapped) return -EBUSY;
  }
  Release(buffers_.find(object.buffer));
  objects_.erase(found);
  --counts_.objects;
  return 0;
}

int MemoryManager::MapOn(const Object& object, const Buffer& buffer, int gpu) {
  const uint64_t va = object.request.va;
  if (!MapRange(gpu, va, buffer.bytes, buffer.host)) return -EINVAL;
  if (!object.request.mapped_twice) return 0;
  if (MapRange(gpu, va + buffer.bytes, buffer.bytes, buffer.host)) return 0;
  (void)UnmapRange(gpu, va, buffer.bytes);  // it was mapped two lines above
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
      const Buffer& buffer = buffers_.find(object.buffer)->second;
      if (const int error = MapOn(object, buffer, gpu); error != 0) return error;
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
  if (found == objects_.end()) return nullptr;
  const Buffer& buffer = buffers_.find(found->second.buffer)->second;
  return buffer.bytes < bytes ? nullptr : buffer.host;
}

uint64_t MemoryManager::FreeVram(int gpu) const {
  std::lock_guard lock(mutex_);
  return vram_bytes_ - vram_used_[gpu];
}

uint64_t MemoryManager::UsedGtt() const {
  std::lock_guard lock(mutex_);
  uint64_t bytes = 0;
  for (const auto& [id, buffer] : buffers_) {
    if (buffer.kind == MemoryKind::kGtt) bytes += buffer.bytes;
  }
  return bytes;
}

MemoryCounts MemoryManager::Counts() const {
  std::lock_guard lock(mutex_);
  return counts_;
}

}  // namespace vgpu
