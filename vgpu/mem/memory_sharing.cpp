// SPDX-License-Identifier: MIT
// memory_sharing.cpp: buffers with more than one name: imported objects, and the handles and
// mappings of render nodes.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "vgpu/mem/address_space.h"
#include "vgpu/mem/memory_manager.h"

namespace vgpu {
namespace {

// In an mmap offset of a render node, the bits from this one on are the number of a buffer of
// another process, and the bits below are the offset in that buffer. If the upper bits are 0, the
// lower ones are an offset in the arena, which is smaller.
constexpr int kForeignShift = 46;

// The file behind another process's buffers; -errno when that process has ended or may not be read.
int OpenOwnersFile(const SharedBuffer& shared) {
  char path[64];
  std::snprintf(path, sizeof(path), "/proc/%d/fd/%d", shared.pid, shared.file);
  const long file = syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC, 0);
  return file < 0 ? -errno : static_cast<int>(file);
}

}  // namespace

SharedBuffer MemoryManager::DescriptionOf(uint32_t id, const Buffer& buffer) const {
  SharedBuffer shared = buffer.origin;
  if (buffer.kind != MemoryKind::kForeign) {
    shared.pid = getpid();
    shared.id = id;
    shared.file = arena_.fd();
    shared.offset = buffer.offset;
    shared.bytes = buffer.bytes;
    shared.gpu = buffer.gpu;
    shared.vram = buffer.kind == MemoryKind::kVram;
  }
  shared.notes = buffer.notes;
  return shared;
}

int MemoryManager::Describe(uint64_t handle, SharedBuffer* out) const {
  std::lock_guard lock(mutex_);
  const auto object = objects_.find(handle);
  if (object == objects_.end()) return -EINVAL;
  const auto buffer = buffers_.find(object->second.buffer);
  const MemoryKind kind = buffer->second.kind;
  const bool shared = kind == MemoryKind::kVram || kind == MemoryKind::kGtt;
  if (!shared && kind != MemoryKind::kForeign) return -EINVAL;  // foreign memory may be passed on
  *out = DescriptionOf(buffer->first, buffer->second);
  return 0;
}

int MemoryManager::DescribeBuffer(uint32_t buffer, SharedBuffer* out) const {
  std::lock_guard lock(mutex_);
  const auto found = buffers_.find(buffer);
  if (found == buffers_.end()) return -ENOENT;
  *out = DescriptionOf(buffer, found->second);
  return 0;
}

int MemoryManager::MapForeign(const SharedBuffer& shared, Buffers::iterator* out) {
  Buffer buffer;
  buffer.kind = MemoryKind::kForeign;
  buffer.gpu = shared.gpu;
  buffer.bytes = shared.bytes;
  buffer.offset = shared.offset;
  buffer.notes = shared.notes;
  buffer.origin = shared;
  buffer.file = OpenOwnersFile(shared);
  if (buffer.file < 0) return buffer.file;
  const long address = syscall(SYS_mmap, nullptr, shared.bytes, PROT_READ | PROT_WRITE,
                               MAP_SHARED | MAP_NORESERVE, buffer.file, shared.offset);
  if (address == -1) {
    const int error = -errno;
    syscall(SYS_close, buffer.file);
    return error;
  }
  buffer.host = reinterpret_cast<uint8_t*>(address);
  (void)madvise(buffer.host, buffer.bytes, MADV_DONTFORK);  // like the rest of the device's memory
  *out = buffers_.emplace(next_buffer_++, buffer).first;
  return 0;
}

int MemoryManager::Find(const SharedBuffer& shared, Buffers::iterator* out) {
  if (shared.pid == getpid()) {
    *out = buffers_.find(shared.id);
    // The buffer may be freed already, because a descriptor alone does not keep it.
    return *out == buffers_.end() ? -ENOENT : 0;
  }
  for (auto buffer = buffers_.begin(); buffer != buffers_.end(); ++buffer) {
    if (buffer->second.origin.pid == shared.pid && buffer->second.origin.id == shared.id) {
      *out = buffer;
      return 0;
    }
  }
  return MapForeign(shared, out);
}

int MemoryManager::Import(const SharedBuffer& shared, int gpu, uint64_t va, Allocation* out) {
  if (va % kPageBytes != 0) return -EINVAL;
  std::lock_guard lock(mutex_);
  Buffers::iterator buffer;
  if (const int error = Find(shared, &buffer); error != 0) return error;
  AllocationRequest request;
  request.gpu = gpu;
  request.va = va;
  request.bytes = buffer->second.bytes;
  request.kind = buffer->second.kind;
  ++buffer->second.references;
  out->handle = AddObject(request, buffer->first);
  out->mmap_offset = MmapOffset(buffer->first, buffer->second);
  return 0;
}

int MemoryManager::OpenBuffer(const SharedBuffer& shared, int gpu, uint32_t* buffer) {
  std::lock_guard lock(mutex_);
  Buffers::iterator found;
  if (const int error = Find(shared, &found); error != 0) return error;
  if (!found->second.open[gpu]) {
    found->second.open[gpu] = true;
    ++found->second.references;
    ++counts_.objects;
    ++counts_.objects_created;
  }
  *buffer = found->first;
  return 0;
}

void MemoryManager::ForgetRange(std::map<std::pair<int, uint64_t>, BufferRange>::iterator range) {
  // Cannot fail: everything in ranges_ is mapped, and only this function unmaps it.
  (void)UnmapRange(range->first.first, range->first.second, range->second.bytes);
  ranges_.erase(range);
  --counts_.mappings;
}

int MemoryManager::CloseBuffer(uint32_t buffer, int gpu) {
  std::lock_guard lock(mutex_);
  const auto found = buffers_.find(buffer);
  if (found == buffers_.end() || !found->second.open[gpu]) return -EINVAL;
  for (auto range = ranges_.begin(); range != ranges_.end();) {
    const auto next = std::next(range);
    if (range->first.first == gpu && range->second.buffer == buffer) ForgetRange(range);
    range = next;
  }
  found->second.open[gpu] = false;
  --counts_.objects;
  Release(found);
  return 0;
}

int MemoryManager::MapBuffer(uint32_t buffer, int gpu, uint64_t offset, uint64_t bytes,
                             uint64_t va) {
  if (va % kPageBytes != 0 || offset % kPageBytes != 0 || bytes == 0) return -EINVAL;
  std::lock_guard lock(mutex_);
  const auto found = buffers_.find(buffer);
  if (found == buffers_.end() || !found->second.open[gpu]) return -ENOENT;
  if (offset > found->second.bytes || bytes > found->second.bytes - offset) return -EINVAL;
  if (!MapRange(gpu, va, bytes, found->second.host + offset)) return -EINVAL;
  ranges_[{gpu, va}] = {buffer, bytes};
  ++counts_.mappings;
  ++counts_.mappings_created;
  return 0;
}

int MemoryManager::UnmapBuffer(uint32_t buffer, int gpu, uint64_t bytes, uint64_t va) {
  std::lock_guard lock(mutex_);
  const auto range = ranges_.find({gpu, va});
  if (range == ranges_.end()) return -ENOENT;
  if (range->second.buffer != buffer || range->second.bytes != bytes) return -EINVAL;
  ForgetRange(range);
  return 0;
}

int MemoryManager::SetNotes(uint32_t buffer, const BufferNotes& notes) {
  std::lock_guard lock(mutex_);
  const auto found = buffers_.find(buffer);
  if (found == buffers_.end()) return -ENOENT;
  found->second.notes = notes;
  return 0;
}

uint64_t MemoryManager::MmapOffset(uint32_t id, const Buffer& buffer) {
  const bool foreign = buffer.kind == MemoryKind::kForeign;
  return foreign ? uint64_t{id} << kForeignShift : buffer.offset;
}

int MemoryManager::MmapOffsetOf(uint32_t buffer, uint64_t* offset) const {
  std::lock_guard lock(mutex_);
  const auto found = buffers_.find(buffer);
  if (found == buffers_.end()) return -ENOENT;
  *offset = MmapOffset(buffer, found->second);
  return 0;
}

int MemoryManager::FileAt(uint64_t* offset) const {
  std::lock_guard lock(mutex_);
  const auto buffer = static_cast<uint32_t>(*offset >> kForeignShift);
  if (buffer == 0) return arena_.fd();
  const auto found = buffers_.find(buffer);
  if (found == buffers_.end() || found->second.kind != MemoryKind::kForeign) return -1;
  *offset = (*offset & ((uint64_t{1} << kForeignShift) - 1)) + found->second.offset;
  return found->second.file;
}

}  // namespace vgpu
