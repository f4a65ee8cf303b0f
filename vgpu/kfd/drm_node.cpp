// SPDX-License-Identifier: MIT
// drm_node.cpp: the calls of a render node.
#include <asm/ioctl.h>
#include <drm/amdgpu_drm.h>
#include <drm/drm.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "vgpu/clock/clock.h"
#include "vgpu/config/config.h"
#include "vgpu/config/gpu_model.h"
#include "vgpu/config/log.h"
#include "vgpu/kfd/dmabuf.h"
#include "vgpu/kfd/driver.h"
#include "vgpu/kfd/ioctls.h"
#include "vgpu/kfd/topology.h"

namespace vgpu {
namespace {

constexpr uint32_t kFamilyArcticIslands = 141;  // gfx9

struct Bytes {
  void* address;
  size_t size;
};

// Copies what fits, and fills the rest with zeros.
int Answer(const Bytes& out, const void* value, size_t size) {
  std::memset(out.address, 0, out.size);
  std::memcpy(out.address, value, std::min(out.size, size));
  return 0;
}

template <class T>
int Answer(const Bytes& out, const T& value) {
  return Answer(out, &value, sizeof(value));
}

void GiveText(std::string_view text, char* to, __kernel_size_t* length) {
  if (to != nullptr) std::memcpy(to, text.data(), std::min<size_t>(*length, text.size()));
  *length = text.size();
}

int Version(drm_version& version) {
  version.version_major = 3;
  version.version_minor = 54;
  version.version_patchlevel = 0;
  GiveText("amdgpu", version.name, &version.name_len);
  GiveText("20150101", version.date, &version.date_len);
  GiveText("AMD GPU", version.desc, &version.desc_len);
  return 0;
}

int GetCapability(drm_get_cap& args) {
  switch (args.capability) {
    case DRM_CAP_PRIME:
      args.value = DRM_PRIME_CAP_IMPORT | DRM_PRIME_CAP_EXPORT;
      return 0;
    case DRM_CAP_TIMESTAMP_MONOTONIC:
    case DRM_CAP_SYNCOBJ:
    case DRM_CAP_SYNCOBJ_TIMELINE:
      args.value = 1;
      return 0;
    default:
      return -EOPNOTSUPP;  // the other capabilities concern displays
  }
}

drm_amdgpu_info_device DeviceInfo() {
  const GpuModel& model = GetGpuModel();
  drm_amdgpu_info_device device{};
  device.device_id = model.device_id;
  device.pci_rev = model.pci_revision;
  device.chip_rev = 1;
  device.external_rev = model.external_revision;
  device.family = kFamilyArcticIslands;
  device.num_shader_engines = model.shader_engines;
  device.num_shader_arrays_per_engine = model.arrays_per_engine;
  device.gpu_counter_freq = GetConfig().clock_hz / 1000;
  device.max_engine_clock = uint64_t{model.clock_mhz} * 1000;
  device.max_memory_clock = 1'000'000;
  device.cu_active_number = model.AllComputeUnits();
  device.num_cu_per_sh = model.UnitsPerEngine();
  device.num_rb_pipes = 16;
  device.num_hw_gfx_contexts = 8;
  device.virtual_address_offset = 0x200000;
  device.virtual_address_max = uint64_t{1} << 47;
  device.virtual_address_alignment = 4096;
  device.pte_fragment_size = 0x200000;
  device.gart_page_size = 4096;
  device.vram_type = AMDGPU_VRAM_TYPE_HBM;
  device.vram_bit_width = 4096;
  device.wave_front_size = 64;
  device.num_shader_visible_vgprs = 256;
  device.num_tcc_blocks = 16;
  device.high_va_offset = 0xffff800000000000;
  device.high_va_max = 0xfffffffffff00000;
  return device;
}

drm_amdgpu_info_vram_gtt MemorySizes() {
  drm_amdgpu_info_vram_gtt sizes{};
  sizes.vram_size = GetConfig().vram_bytes;
  sizes.vram_cpu_accessible_size = VisibleVramBytes(GetConfig());
  sizes.gtt_size = kGttBytes;
  return sizes;
}

// What this process uses. The use of other processes is not known here.
uint64_t VramUsed(int gpu) {
  const Driver* driver = FindDriver();
  return driver == nullptr ? 0 : GetConfig().vram_bytes - driver->memory.FreeVram(gpu);
}

uint64_t VisibleVramUsed(int gpu) { return std::min(VramUsed(gpu), VisibleVramBytes(GetConfig())); }

uint64_t GttUsed() {
  const Driver* driver = FindDriver();
  return driver == nullptr ? 0 : driver->memory.UsedGtt();
}

drm_amdgpu_memory_info MemoryInfo(int gpu) {
  const drm_amdgpu_info_vram_gtt sizes = MemorySizes();
  const auto heap = [](uint64_t size, uint64_t used) {
    drm_amdgpu_heap_info info{};
    info.total_heap_size = info.usable_heap_size = size;
    info.heap_usage = used;
    return info;
  };
  return {.vram = heap(sizes.vram_size, VramUsed(gpu)),
          .cpu_accessible_vram = heap(sizes.vram_cpu_accessible_size, VisibleVramUsed(gpu)),
          .gtt = heap(sizes.gtt_size, GttUsed())};
}

void GiveName(std::string_view name, std::span<__u8> to) {
  std::memcpy(to.data(), name.data(), std::min(name.size(), to.size() - 1));
}

// There is no image of a BIOS. Its name is the same as in sysfs.
int Vbios(const Bytes& out, uint32_t type) {
  drm_amdgpu_info_vbios vbios{};
  switch (type) {
    case AMDGPU_INFO_VBIOS_SIZE:
      return Answer(out, uint32_t{0});
    case AMDGPU_INFO_VBIOS_INFO:
      GiveName(kVbiosName, vbios.name);
      GiveName(kVbiosName, vbios.vbios_pn);
      GiveName(kVbiosName, vbios.vbios_ver_str);
      return Answer(out, vbios);
    default:
      return -EINVAL;
  }
}

int Firmware(const Bytes& out, uint32_t type) {
  drm_amdgpu_info_firmware firmware{};
  if (type == AMDGPU_INFO_FW_GFX_MEC) firmware.ver = GetGpuModel().firmware;
  if (type == AMDGPU_INFO_FW_SDMA) firmware.ver = kSdmaFirmware;
  return Answer(out, firmware);
}

int Info(int gpu, const drm_amdgpu_info& query) {
  const Bytes out{reinterpret_cast<void*>(query.return_pointer), query.return_size};
  if (out.address == nullptr || out.size == 0) return -EINVAL;
  switch (query.query) {
    case AMDGPU_INFO_ACCEL_WORKING:
      return Answer(out, uint32_t{1});
    case AMDGPU_INFO_DEV_INFO:
      return Answer(out, DeviceInfo());
    case AMDGPU_INFO_VRAM_GTT:
      return Answer(out, MemorySizes());
    case AMDGPU_INFO_MEMORY:
      return Answer(out, MemoryInfo(gpu));
    case AMDGPU_INFO_TIMESTAMP:
      return Answer(out, GpuTicks());
    case AMDGPU_INFO_HW_IP_COUNT:  // no engine takes work through the render node
    case AMDGPU_INFO_VRAM_LOST_COUNTER:
    case AMDGPU_INFO_READ_MMR_REG:  // tiling registers, which compute does not use
      return Answer(out, uint32_t{0});
    case AMDGPU_INFO_HW_IP_INFO:
      return Answer(out, drm_amdgpu_info_hw_ip{});
    case AMDGPU_INFO_VRAM_USAGE:
      return Answer(out, VramUsed(gpu));
    case AMDGPU_INFO_VIS_VRAM_USAGE:
      return Answer(out, VisibleVramUsed(gpu));
    case AMDGPU_INFO_GTT_USAGE:
      return Answer(out, GttUsed());
    case AMDGPU_INFO_VBIOS:
      return Vbios(out, query.vbios_info.type);
    case AMDGPU_INFO_FW_VERSION:
      return Firmware(out, query.query_fw.fw_type);
    case AMDGPU_INFO_NUM_BYTES_MOVED:
    case AMDGPU_INFO_NUM_EVICTIONS:
    case AMDGPU_INFO_NUM_VRAM_CPU_PAGE_FAULTS:
    case AMDGPU_INFO_RAS_ENABLED_FEATURES:
      return Answer(out, uint64_t{0});
    case AMDGPU_INFO_SENSOR:
      return -EINVAL;  // as the real driver answers for a sensor that a GPU does not have
    default:
      Log(LogLevel::kError, "render node query 0x%x is not modelled", query.query);
      return -EINVAL;
  }
}

int ImportPrime(MemoryManager& memory, int gpu, drm_prime_handle& args) {
  SharedBuffer shared;
  if (const int error = ReadDmabuf(args.fd, &shared); error != 0) return error;
  return memory.OpenBuffer(shared, gpu, &args.handle);
}

int ExportPrime(const MemoryManager& memory, drm_prime_handle& args) {
  SharedBuffer shared;
  if (const int error = memory.DescribeBuffer(args.handle, &shared); error != 0) return error;
  const int fd = MakeDmabuf(shared, static_cast<int>(args.flags));
  if (fd < 0) return fd;
  args.fd = fd;
  return 0;
}

int GemMmap(const MemoryManager& memory, drm_amdgpu_gem_mmap& args) {
  uint64_t offset = 0;
  if (const int error = memory.MmapOffsetOf(args.in.handle, &offset); error != 0) return error;
  args.out.addr_ptr = offset;
  return 0;
}

// The arguments of GEM_VA. Some fields are newer than the headers that this must build with.
struct GemVaArgs {
  drm_amdgpu_gem_va range;
  uint64_t timeline_point;  // the point that `timeline` reaches after the change; 0: none
  uint32_t timeline;        // a synchronisation object, or 0
  uint32_t num_fences;      // number of fences to wait for first
  uint64_t fences;
};

int ChangeRange(MemoryManager& memory, int gpu, const drm_amdgpu_gem_va& range) {
  switch (range.operation) {
    case AMDGPU_VA_OP_MAP:
      return memory.MapBuffer(range.handle, gpu, range.offset_in_bo, range.map_size,
                              range.va_address);
    case AMDGPU_VA_OP_UNMAP:
      return memory.UnmapBuffer(range.handle, gpu, range.map_size, range.va_address);
    default:
      Log(LogLevel::kError, "render node: address operation %u is not modelled", range.operation);
      return -EINVAL;
  }
}

int GemVa(Driver& driver, int gpu, const GemVaArgs& args) {
  if (args.num_fences != 0) {
    if (args.fences == 0) return -EFAULT;
    const auto* fences = reinterpret_cast<const uint32_t*>(args.fences);
    uint32_t first = 0;
    const SyncWait wait{
        {fences, args.num_fences}, nullptr, INT64_MAX, DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL};
    if (const int error = driver.sync_objects.Wait(wait, &first); error != 0) return error;
  }
  const auto timeline = args.timeline == 0 ? nullptr : driver.sync_objects.Find(args.timeline);
  if (args.timeline != 0 && timeline == nullptr) return -ENOENT;
  if (const int error = ChangeRange(driver.memory, gpu, args.range); error != 0) return error;
  if (timeline != nullptr) timeline->SignalAt(args.timeline_point);
  return 0;
}

int GemMetadata(MemoryManager& memory, drm_amdgpu_gem_metadata& args) {
  BufferNotes notes;
  static_assert(sizeof(notes.data) == sizeof(args.data.data));
  if (args.op == AMDGPU_GEM_METADATA_OP_GET_METADATA) {
    SharedBuffer shared;
    if (const int error = memory.DescribeBuffer(args.handle, &shared); error != 0) return error;
    notes = shared.notes;
    args.data.flags = notes.flags;
    args.data.tiling_info = notes.tiling;
    args.data.data_size_bytes = notes.size;
    std::memcpy(args.data.data, notes.data, sizeof(notes.data));
    return 0;
  }
  if (args.op != AMDGPU_GEM_METADATA_OP_SET_METADATA) return -EINVAL;
  if (args.data.data_size_bytes > sizeof(notes.data)) return -EINVAL;
  notes.flags = args.data.flags;
  notes.tiling = args.data.tiling_info;
  notes.size = args.data.data_size_bytes;
  std::memcpy(notes.data, args.data.data, notes.size);
  return memory.SetNotes(args.handle, notes);
}

int GemOp(const MemoryManager& memory, const drm_amdgpu_gem_op& args) {
  if (args.op != AMDGPU_GEM_OP_GET_GEM_CREATE_INFO) {
    Log(LogLevel::kError, "render node: buffer operation %u is not modelled", args.op);
    return -EINVAL;
  }
  SharedBuffer shared;
  if (const int error = memory.DescribeBuffer(args.handle, &shared); error != 0) return error;
  drm_amdgpu_gem_create_in info{};
  info.bo_size = shared.bytes;
  info.alignment = kPageBytes;
  info.domains = shared.vram ? AMDGPU_GEM_DOMAIN_VRAM : AMDGPU_GEM_DOMAIN_GTT;
  std::memcpy(reinterpret_cast<void*>(args.value), &info, sizeof(info));
  return 0;
}

// The calls about buffers.
int BufferCall(MemoryManager& memory, int gpu, unsigned number, void* argument) {
  switch (number) {
    case _IOC_NR(DRM_IOCTL_GEM_CLOSE):
      return memory.CloseBuffer(static_cast<drm_gem_close*>(argument)->handle, gpu);
    case _IOC_NR(DRM_IOCTL_PRIME_FD_TO_HANDLE):
      return ImportPrime(memory, gpu, *static_cast<drm_prime_handle*>(argument));
    case _IOC_NR(DRM_IOCTL_PRIME_HANDLE_TO_FD):
      return ExportPrime(memory, *static_cast<drm_prime_handle*>(argument));
    case DRM_COMMAND_BASE + DRM_AMDGPU_GEM_MMAP:
      return GemMmap(memory, *static_cast<drm_amdgpu_gem_mmap*>(argument));
    case DRM_COMMAND_BASE + DRM_AMDGPU_GEM_METADATA:
      return GemMetadata(memory, *static_cast<drm_amdgpu_gem_metadata*>(argument));
    case DRM_COMMAND_BASE + DRM_AMDGPU_GEM_OP:
      return GemOp(memory, *static_cast<drm_amdgpu_gem_op*>(argument));
    default:
      Log(LogLevel::kError, "render node call 0x%02x of GPU %d is not modelled", number, gpu);
      return -EINVAL;
  }
}

// Calls whose arguments have grown at their end. Fields that an older caller does not pass are 0.
int GrownCall(Driver& driver, int gpu, unsigned long request, void* argument) {
  alignas(16) char copy[128] = {};
  const size_t given = _IOC_SIZE(request);
  if (given > sizeof(copy)) return -EINVAL;
  std::memcpy(copy, argument, given);
  const unsigned number = _IOC_NR(request);
  const int result = number == DRM_COMMAND_BASE + DRM_AMDGPU_GEM_VA
                         ? GemVa(driver, gpu, *reinterpret_cast<GemVaArgs*>(copy))
                         : SyncCall(driver.sync_objects, number, copy);
  if ((_IOC_DIR(request) & _IOC_READ) != 0) std::memcpy(argument, copy, given);
  return result;
}

bool HasGrown(unsigned number) {
  return number == DRM_COMMAND_BASE + DRM_AMDGPU_GEM_VA || IsSyncCall(number);
}

}  // namespace

int DrmIoctl(int gpu, unsigned long request, void* argument) {
  if (_IOC_TYPE(request) != DRM_IOCTL_BASE) return -ENOTTY;
  if (argument == nullptr) return -EFAULT;
  const unsigned number = _IOC_NR(request);
  switch (number) {
    case _IOC_NR(DRM_IOCTL_GET_CAP):
      return GetCapability(*static_cast<drm_get_cap*>(argument));
    case _IOC_NR(DRM_IOCTL_VERSION):
      return Version(*static_cast<drm_version*>(argument));
    case DRM_COMMAND_BASE + DRM_AMDGPU_INFO:
      return Info(gpu, *static_cast<drm_amdgpu_info*>(argument));
    default: {
      Driver* driver = FindDriver();
      if (driver == nullptr) return -ENODEV;
      if (HasGrown(number)) return GrownCall(*driver, gpu, request, argument);
      return BufferCall(driver->memory, gpu, number, argument);
    }
  }
}

}  // namespace vgpu
