// SPDX-License-Identifier: MIT
// ioctl_queue.cpp: the driver calls about user mode queues.
#include <cerrno>

#include "vgpu/config/gpu_model.h"
#include "vgpu/config/log.h"
#include "vgpu/kfd/ioctls.h"
#include "vgpu/kfd/mmap_offset.h"

namespace vgpu {

int CreateQueue(Driver& driver, kfd_ioctl_create_queue_args& args) {
  QueueRequest request;
  request.gpu = GpuOfId(args.gpu_id);
  if (request.gpu < 0 || args.queue_percentage > KFD_MAX_QUEUE_PERCENTAGE) return -EINVAL;
  request.type = args.queue_type;
  request.ring_va = args.ring_base_address;
  request.ring_bytes = args.ring_size;
  request.write_index_va = args.write_pointer_address;
  request.read_index_va = args.read_pointer_address;
  request.save_area = args.ctx_save_restore_address;
  uint32_t slot = 0;
  const int error = driver.queues.Create(request, &args.queue_id, &slot);
  Log(LogLevel::kIoctl, "create queue of type %u on GPU %d, ring 0x%llx, 0x%x bytes -> queue %u",
      args.queue_type, request.gpu, static_cast<unsigned long long>(args.ring_base_address),
      args.ring_size, args.queue_id);
  if (error != 0) return error;
  args.doorbell_offset = MakeOffset(OffsetType::kDoorbell, args.gpu_id, slot * sizeof(uint64_t));
  return 0;
}

int DestroyQueue(Driver& driver, kfd_ioctl_destroy_queue_args& args) {
  return driver.queues.Destroy(args.queue_id);
}

int UpdateQueue(Driver& driver, kfd_ioctl_update_queue_args& args) {
  Log(LogLevel::kIoctl, "update queue %u: %u percent, priority %u", args.queue_id,
      args.queue_percentage, args.queue_priority);
  if (args.queue_percentage > KFD_MAX_QUEUE_PERCENTAGE) return -EINVAL;
  const bool runs =
      args.ring_size != 0 && args.ring_base_address != 0 && args.queue_percentage != 0;
  return driver.queues.SetPaused(args.queue_id, !runs);
}

// The compute units that a queue may use change no result, so every mask is accepted.
int SetCuMask(Driver& driver, kfd_ioctl_set_cu_mask_args& args) {
  constexpr uint32_t kMaskUnit = 32;
  if (args.num_cu_mask == 0 || args.num_cu_mask % kMaskUnit != 0) return -EINVAL;
  if (args.cu_mask_ptr == 0) return -EFAULT;
  Log(LogLevel::kIoctl, "mask of queue %u: %u compute units, the first of them 0x%x", args.queue_id,
      args.num_cu_mask, *reinterpret_cast<const uint32_t*>(args.cu_mask_ptr));
  return driver.queues.Exists(args.queue_id) ? 0 : -EINVAL;
}

int AllocQueueGws(Driver& driver, kfd_ioctl_alloc_queue_gws_args& args) {
  if (GetGpuModel().gws == 0) return -ENODEV;
  if (args.num_gws > GetGpuModel().gws || !driver.queues.Exists(args.queue_id)) return -EINVAL;
  args.first_gws = 0;
  return 0;
}

}  // namespace vgpu
