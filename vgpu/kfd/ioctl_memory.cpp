// SPDX-License-Identifier: MIT
// ioctl_memory.cpp: the driver calls about memory objects.
#include <cerrno>
#include <span>
#include <utility>
#include <vector>

#include "vgpu/config/log.h"
#include "vgpu/kfd/ioctls.h"
#include "vgpu/kfd/mmap_offset.h"

namespace vgpu {
namespace {

constexpr uint32_t kKindFlags = KFD_IOC_ALLOC_MEM_FLAGS_VRAM | KFD_IOC_ALLOC_MEM_FLAGS_GTT |
                                KFD_IOC_ALLOC_MEM_FLAGS_USERPTR | KFD_IOC_ALLOC_MEM_FLAGS_DOORBELL |
                                KFD_IOC_ALLOC_MEM_FLAGS_MMIO_REMAP;

bool KindOf(uint32_t flags, MemoryKind* kind) {
  static constexpr std::pair<uint32_t, MemoryKind> kKinds[] = {
      {KFD_IOC_ALLOC_MEM_FLAGS_VRAM, MemoryKind::kVram},
      {KFD_IOC_ALLOC_MEM_FLAGS_GTT, MemoryKind::kGtt},
      {KFD_IOC_ALLOC_MEM_FLAGS_USERPTR, MemoryKind::kUserPages},
      {KFD_IOC_ALLOC_MEM_FLAGS_DOORBELL, MemoryKind::kDoorbell},
      {KFD_IOC_ALLOC_MEM_FLAGS_MMIO_REMAP, MemoryKind::kRegisters},
  };
  for (const auto& [flag, of_flag] : kKinds) {
    *kind = of_flag;
    if ((flags & kKindFlags) == flag) return true;
  }
  return false;
}

// Where the process maps the new object.
uint64_t MmapOffset(MemoryKind kind, uint32_t gpu_id, const Allocation& allocation) {
  switch (kind) {
    case MemoryKind::kDoorbell:
      return MakeOffset(OffsetType::kDoorbell, gpu_id);
    case MemoryKind::kRegisters:
      return MakeOffset(OffsetType::kRegisters, gpu_id);
    default:
      return allocation.mmap_offset;
  }
}

// Maps or unmaps on the GPUs that the call still has to process.
template <class Args>
int ChangeMappings(Driver& driver, Args& args,
                   int (MemoryManager::*change)(uint64_t, std::span<const int>, uint32_t*)) {
  const auto* ids = reinterpret_cast<const uint32_t*>(args.device_ids_array_ptr);
  if (ids == nullptr || args.n_devices == 0 || args.n_success > args.n_devices) return -EINVAL;
  std::vector<int> gpus;
  for (uint32_t i = args.n_success; i < args.n_devices; ++i) {
    gpus.push_back(GpuOfId(ids[i]));
    if (gpus.back() < 0) return -EINVAL;
  }
  uint32_t done = 0;
  const int error = (driver.memory.*change)(args.handle, gpus, &done);
  args.n_success += done;
  return error;
}

}  // namespace

int AllocMemory(Driver& driver, kfd_ioctl_alloc_memory_of_gpu_args& args) {
  AllocationRequest request;
  request.gpu = GpuOfId(args.gpu_id);
  if (request.gpu < 0 || !KindOf(args.flags, &request.kind)) return -EINVAL;
  request.va = args.va_addr;
  request.bytes = args.size;
  request.mapped_twice = (args.flags & KFD_IOC_ALLOC_MEM_FLAGS_AQL_QUEUE_MEM) != 0;
  request.user_address = args.mmap_offset;
  Allocation allocation;
  const int error = driver.memory.Allocate(request, &allocation);
  Log(LogLevel::kIoctl, "allocate 0x%llx bytes at 0x%llx on GPU %d, flags 0x%x -> handle 0x%llx",
      static_cast<unsigned long long>(args.size), static_cast<unsigned long long>(args.va_addr),
      request.gpu, args.flags, static_cast<unsigned long long>(allocation.handle));
  if (error != 0) return error;
  args.handle = allocation.handle;
  if (request.kind != MemoryKind::kUserPages) {
    args.mmap_offset = MmapOffset(request.kind, args.gpu_id, allocation);
  }
  return 0;
}

int FreeMemory(Driver& driver, kfd_ioctl_free_memory_of_gpu_args& args) {
  return driver.memory.Free(args.handle);
}

int MapMemory(Driver& driver, kfd_ioctl_map_memory_to_gpu_args& args) {
  return ChangeMappings(driver, args, &MemoryManager::Map);
}

int UnmapMemory(Driver& driver, kfd_ioctl_unmap_memory_from_gpu_args& args) {
  return ChangeMappings(driver, args, &MemoryManager::Unmap);
}

int AvailableMemory(Driver& driver, kfd_ioctl_get_available_memory_args& args) {
  const int gpu = GpuOfId(args.gpu_id);
  if (gpu < 0) return -EINVAL;
  args.available = driver.memory.FreeVram(gpu);
  return 0;
}

}  // namespace vgpu
