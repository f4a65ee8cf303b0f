// SPDX-License-Identifier: MIT
// ioctl_device.cpp: the driver calls that describe the devices.
#include <algorithm>
#include <cerrno>

#include "vgpu/clock/clock.h"
#include "vgpu/config/config.h"
#include "vgpu/config/gpu_model.h"
#include "vgpu/kfd/ioctls.h"
#include "vgpu/wave/host_trap.h"

namespace vgpu {
namespace {

constexpr uint64_t kApertureBytes = uint64_t{1} << 32;

kfd_process_device_apertures AperturesOf(int gpu) {
  kfd_process_device_apertures apertures{};
  apertures.gpu_id = GpuIdOf(gpu);
  apertures.lds_base = uint64_t{1} << 48;
  apertures.lds_limit = apertures.lds_base + kApertureBytes - 1;
  apertures.scratch_base = uint64_t{2} << 48;
  apertures.scratch_limit = apertures.scratch_base + kApertureBytes - 1;
  apertures.gpuvm_base = 0x1000000;
  apertures.gpuvm_limit = (uint64_t{1} << 47) - 1;
  return apertures;
}

}  // namespace

int GetVersion(Driver&, kfd_ioctl_get_version_args& args) {
  args.major_version = 1;
  args.minor_version = GetConfig().kfd_minor;
  return 0;
}

int GetClockCounters(Driver&, kfd_ioctl_get_clock_counters_args& args) {
  const ClockPair now = ReadBothClocks();
  args.gpu_clock_counter = GpuOfId(args.gpu_id) >= 0 ? TicksAt(now.raw_ns) : 0;  // 0 of a CPU node
  args.cpu_clock_counter = now.raw_ns;
  args.system_clock_counter = now.boot_ns;
  args.system_clock_freq = 1'000'000'000;
  return 0;
}

int GetApertures(Driver&, kfd_ioctl_get_process_apertures_args& args) {
  args.num_of_nodes = std::min(GetConfig().num_gpus, NUM_OF_SUPPORTED_GPUS);
  for (uint32_t gpu = 0; gpu < args.num_of_nodes; ++gpu) {
    args.process_apertures[gpu] = AperturesOf(static_cast<int>(gpu));
  }
  return 0;
}

int GetAperturesNew(Driver&, kfd_ioctl_get_process_apertures_new_args& args) {
  const uint32_t gpus = GetConfig().num_gpus;
  auto* out =
      reinterpret_cast<kfd_process_device_apertures*>(args.kfd_process_device_apertures_ptr);
  if (args.num_of_nodes == 0) {  // the caller queries the number of nodes
    args.num_of_nodes = gpus;
    return 0;
  }
  if (out == nullptr) return -EFAULT;
  args.num_of_nodes = std::min(args.num_of_nodes, gpus);
  for (uint32_t gpu = 0; gpu < args.num_of_nodes; ++gpu) {
    out[gpu] = AperturesOf(static_cast<int>(gpu));
  }
  return 0;
}

int GetTileConfig(Driver&, kfd_ioctl_get_tile_config_args& args) {
  if (GpuOfId(args.gpu_id) < 0) return -EINVAL;
  args.num_tile_configs = 0;  // gfx9 swizzles by equation, not by table
  args.num_macro_tile_configs = 0;
  args.gb_addr_config = 0x2a114042;
  args.num_banks = 4;
  args.num_ranks = 1;
  return 0;
}

// Whether page faults of this process are retried. A negative value is only a query. The mode of
// existing queues does not change.
int SetXnackMode(Driver& driver, kfd_ioctl_set_xnack_mode_args& args) {
  if (args.xnack_enabled < 0) {
    args.xnack_enabled = driver.svm.retry() ? 1 : 0;
    return 0;
  }
  if (driver.queues.Counts().queues != 0) return -EBUSY;
  const bool retry = args.xnack_enabled > 0;
  if (retry && !(GetConfig().svm && GetGpuModel().xnack_per_process)) return -EPERM;
  driver.svm.SetRetry(retry);
  return 0;
}

int SetTrapHandler(Driver&, kfd_ioctl_set_trap_handler_args& args) {
  const int gpu = GpuOfId(args.gpu_id);
  if (gpu < 0) return -EINVAL;
  SetTrapHandlerOf(gpu, args.tba_addr, args.tma_addr);
  return 0;
}

// The runtime declares once per process that a debugger may inspect it. None can attach.
int RuntimeEnable(Driver& driver, RuntimeEnableArgs& args) {
  constexpr uint32_t kEnable = 1;
  const bool enable = (args.mode_mask & kEnable) != 0;
  args.capabilities_mask = 0;
  const bool was = driver.debuggable.exchange(enable, std::memory_order_relaxed);
  return enable && was ? -EBUSY : 0;
}

int OpenSmiEvents(Driver& driver, kfd_ioctl_smi_events_args& args) {
  const int gpu = GpuOfId(args.gpuid);
  if (gpu < 0) return -EINVAL;
  const int fd = driver.smi_events.Open(gpu);
  if (fd < 0) return fd;
  args.anon_fd = static_cast<uint32_t>(fd);
  return 0;
}

}  // namespace vgpu
