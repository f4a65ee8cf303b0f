// SPDX-License-Identifier: MIT
// ioctl_memory.cpp: the driver calls about memory objects.
#include <cerrno>
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
  switch (flags & kKindFlags) {
    case KFD_IOC_ALLOC_MEM_FLAGS_VRAM:
      *kind = MemoryKind::kVram;
      return true;
    case KFD_IOC_ALLOC_MEM_FLAGS_GTT:
      *kind = MemoryKind::kGtt;
      return true;
    case KFD_IOC_ALLOC_MEM_FLAGS_USERPTR:
      *kind = MemoryKind::kUserPages;
      return true;
    case KFD_IOC_ALLOC_MEM_FLAGS_DOORBELL:
      *kind = MemoryKind::kDoorbell;
      return true;
    case KFD_IOC_ALLOC_MEM_FLAGS_MMIO_REMAP:
      *kind = MemoryKind::kRegisters;
      return true;
    default:
      return false;
  }
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

// The GPUs that a map or unmap call still has to process.
bool ReadGpus(uint64_t ids_address, uint32_t count, uint32_t done, std::vector<int>* gpus) {
  const auto* ids = reinterpret_cast<const uint32_t*>(ids_address);
  if (ids == nullptr || count == 0 || done > count) return false;
  for (uint32_t i = done; i < count; ++i) {
    const int gpu = GpuOfId(ids[i]);
    if (gpu < 0) return false;
    gpus->push_back(gpu);
  }
  return true;
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
  std::vector<int> gpus;
  if (!ReadGpus(args.device_ids_array_ptr, args.n_devices, args.n_success, &gpus)) return -EINVAL;
  uint32_t done = 0;
  const int error = driver.memory.Map(args.handle, gpus, &done);
  args.n_success += done;
  return error;
}

int UnmapMemory(Driver& driver, kfd_ioctl_unmap_memory_from_gpu_args& args) {
  std::vector<int> gpus;
  if (!ReadGpus(args.device_ids_array_ptr, args.n_devices, args.n_success, &gpus)) return -EINVAL;
  uint32_t done = 0;
  const int error = driver.memory.Unmap(args.handle, gpus, &done);
  args.n_success += done;
  return error;
}

int AvailableMemory(Driver& driver, kfd_ioctl_get_available_memory_args& args) {
  const int gpu = GpuOfId(args.gpu_id);
  if (gpu < 0) return -EINVAL;
  args.available = driver.memory.FreeVram(gpu);
  return 0;
}

}  // namespace vgpu
