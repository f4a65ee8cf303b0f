// SPDX-License-Identifier: MIT
#include "vgpu/kfd/drm_node.h"

#include <asm/ioctl.h>
#include <drm/amdgpu_drm.h>
#include <drm/drm.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "vgpu/clock/clock.h"
#include "vgpu/config/config.h"
#include "vgpu/config/gpu_model.h"
#include "vgpu/config/log.h"
#include "vgpu/kfd/dmabuf.h"
#include "vgpu/kfd/driver.h"
#include "vgpu/kfd/memory_sizes.h"

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

drm_amdgpu_memory_info MemoryInfo() {
  const drm_amdgpu_info_vram_gtt sizes = MemorySizes();
  drm_amdgpu_memory_info memory{};
  memory.vram.total_heap_size = sizes.vram_size;
  memory.vram.usable_heap_size = sizes.vram_size;
  memory.cpu_accessible_vram.total_heap_size = sizes.vram_cpu_accessible_size;
  memory.cpu_accessible_vram.usable_heap_size = sizes.vram_cpu_accessible_size;
  memory.gtt.total_heap_size = sizes.gtt_size;
  memory.gtt.usable_heap_size = sizes.gtt_size;
  return memory;
}

int Info(const drm_amdgpu_info& query) {
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
      return Answer(out, MemoryInfo());
    case AMDGPU_INFO_TIMESTAMP:
      return Answer(out, GpuTicks());
    case AMDGPU_INFO_HW_IP_COUNT:
      return Answer(out, uint32_t{0});  // no engine takes work through the render node
    case AMDGPU_INFO_READ_MMR_REG:
      return Answer(out, uint32_t{0});  // tiling registers, which compute does not use
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

int GemVa(MemoryManager& memory, int gpu, const drm_amdgpu_gem_va& args) {
  switch (args.operation) {
    case AMDGPU_VA_OP_MAP:
      return memory.MapBuffer(args.handle, gpu, args.offset_in_bo, args.map_size, args.va_address);
    case AMDGPU_VA_OP_UNMAP:
      return memory.UnmapBuffer(args.handle, gpu, args.map_size, args.va_address);
    default:
      Log(LogLevel::kError, "render node: address operation %u is not modelled", args.operation);
      return -EINVAL;
  }
}

int GemMetadata(MemoryManager& memory, drm_amdgpu_gem_metadata& args) {
  BufferNotes notes;
  static_assert(sizeof(notes.data) == sizeof(args.data.data));
  if (args.op == AMDGPU_GEM_METADATA_OP_GET_METADATA) {
    if (const int error = memory.GetNotes(args.handle, &notes); error != 0) return error;
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
    case DRM_COMMAND_BASE + DRM_AMDGPU_GEM_VA:
      return GemVa(memory, gpu, *static_cast<drm_amdgpu_gem_va*>(argument));
    default:
      Log(LogLevel::kError, "render node call 0x%02x of GPU %d is not modelled", number, gpu);
      return -EINVAL;
  }
}

}  // namespace

int DrmIoctl(int gpu, unsigned long request, void* argument) {
  if (_IOC_TYPE(request) != DRM_IOCTL_BASE) return -ENOTTY;
  if (argument == nullptr) return -EFAULT;
  const unsigned number = _IOC_NR(request);
  switch (number) {
    case _IOC_NR(DRM_IOCTL_VERSION):
      return Version(*static_cast<drm_version*>(argument));
    case DRM_COMMAND_BASE + DRM_AMDGPU_INFO:
      return Info(*static_cast<drm_amdgpu_info*>(argument));
    default: {
      Driver* driver = FindDriver();
      return driver == nullptr ? -ENODEV : BufferCall(driver->memory, gpu, number, argument);
    }
  }
}

}  // namespace vgpu
