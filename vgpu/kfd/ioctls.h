// SPDX-License-Identifier: MIT
// ioctls.h: the calls of /dev/kfd, by number, and those of render nodes.
//
// A call is found by its number, not by its whole request code, because argument structs grow at
// their end from version to version. As in the kernel, fields that an older caller does not pass
// read as zero.
//
// Threads    any
// Errors     0 or -errno. A call that is not modelled is named on stderr, and returns -EINVAL
#pragma once

#include <linux/kfd_ioctl.h>

#include <cstdint>

#include "vgpu/kfd/driver.h"

namespace vgpu {

[[nodiscard]] int KfdIoctl(Driver& driver, unsigned long request, void* argument);
// The calls of a render node that libdrm_amdgpu makes on behalf of the runtime.
[[nodiscard]] int DrmIoctl(int gpu, unsigned long request, void* argument);

// RUNTIME_ENABLE, which is newer than the headers that this must build with.
struct RuntimeEnableArgs {
  uint64_t r_debug;
  uint32_t mode_mask;
  uint32_t capabilities_mask;
};

// PC_SAMPLE, which is in AMD's driver package only.
struct PcSampleArgs {
  uint64_t sample_info_ptr;  // PcSampleInfo[num_sample_info]
  uint32_t num_sample_info;
  uint32_t op;
  uint32_t gpu_id;
  uint32_t trace_id;
  uint32_t flags;
  uint32_t version;  // of the call: major << 16 | minor
};

// EXPORT_DMABUF, which is newer than the headers that this must build with.
struct ExportDmabufArgs {
  uint64_t handle;
  uint32_t flags;
  uint32_t dmabuf_fd;
};

// IPC_IMPORT_HANDLE and IPC_EXPORT_HANDLE, which are in AMD's own kernel module only.
struct IpcImportArgs {
  uint64_t handle;
  uint64_t va_addr;
  uint64_t mmap_offset;
  uint32_t share_handle[4];
  uint32_t gpu_id;
  uint32_t flags;
};
struct IpcExportArgs {
  uint64_t handle;
  uint32_t share_handle[4];
  uint32_t gpu_id;
  uint32_t flags;
};

// The arguments of SVM. The caller passes `nattr` attributes, 100 at most.
struct SvmArgs {
  uint64_t start_addr;
  uint64_t size;
  uint32_t op;
  uint32_t nattr;
  kfd_ioctl_svm_attribute attributes[100];
};

// One function per call; each fills its argument as the kernel driver would.
int GetVersion(Driver& driver, kfd_ioctl_get_version_args& args);
int GetClockCounters(Driver& driver, kfd_ioctl_get_clock_counters_args& args);
int GetApertures(Driver& driver, kfd_ioctl_get_process_apertures_args& args);
int GetAperturesNew(Driver& driver, kfd_ioctl_get_process_apertures_new_args& args);
int GetTileConfig(Driver& driver, kfd_ioctl_get_tile_config_args& args);
int SetTrapHandler(Driver& driver, kfd_ioctl_set_trap_handler_args& args);
int PcSample(Driver& driver, PcSampleArgs& args);
int RuntimeEnable(Driver& driver, RuntimeEnableArgs& args);
int SetXnackMode(Driver& driver, kfd_ioctl_set_xnack_mode_args& args);
int OpenSmiEvents(Driver& driver, kfd_ioctl_smi_events_args& args);

int CreateQueue(Driver& driver, kfd_ioctl_create_queue_args& args);
int DestroyQueue(Driver& driver, kfd_ioctl_destroy_queue_args& args);
int UpdateQueue(Driver& driver, kfd_ioctl_update_queue_args& args);
int SetCuMask(Driver& driver, kfd_ioctl_set_cu_mask_args& args);
int AllocQueueGws(Driver& driver, kfd_ioctl_alloc_queue_gws_args& args);

int CreateEvent(Driver& driver, kfd_ioctl_create_event_args& args);
int DestroyEvent(Driver& driver, kfd_ioctl_destroy_event_args& args);
int SetEvent(Driver& driver, kfd_ioctl_set_event_args& args);
int ResetEvent(Driver& driver, kfd_ioctl_reset_event_args& args);
int WaitEvents(Driver& driver, kfd_ioctl_wait_events_args& args);

int AllocMemory(Driver& driver, kfd_ioctl_alloc_memory_of_gpu_args& args);
int FreeMemory(Driver& driver, kfd_ioctl_free_memory_of_gpu_args& args);
int MapMemory(Driver& driver, kfd_ioctl_map_memory_to_gpu_args& args);
int UnmapMemory(Driver& driver, kfd_ioctl_unmap_memory_from_gpu_args& args);
int AvailableMemory(Driver& driver, kfd_ioctl_get_available_memory_args& args);

int Svm(Driver& driver, SvmArgs& args);

int ExportDmabuf(Driver& driver, ExportDmabufArgs& args);
int GetDmabufInfo(Driver& driver, kfd_ioctl_get_dmabuf_info_args& args);
int ImportDmabuf(Driver& driver, kfd_ioctl_import_dmabuf_args& args);
int IpcExport(Driver& driver, IpcExportArgs& args);
int IpcImport(Driver& driver, IpcImportArgs& args);

}  // namespace vgpu
