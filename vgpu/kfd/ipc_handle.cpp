// SPDX-License-Identifier: MIT
#include "vgpu/kfd/ipc_handle.h"

#include <cstring>

#include "vgpu/mem/arena.h"

namespace vgpu {
namespace {

struct Packed {
  uint64_t pid : 22;  // the kernel's largest is 2^22 - 1
  uint64_t id : 24;
  uint64_t file : 12;
  uint64_t gpu : 3;
  uint64_t vram : 1;
  uint64_t known : 2;  // never 0, unlike a handle that is not filled
  uint64_t first_page : 34;
  uint64_t pages : 30;
};
static_assert(sizeof(Packed) == 4 * sizeof(uint32_t));
constexpr uint64_t kKnown = 2;

}  // namespace

bool PackIpcHandle(const SharedBuffer& shared, uint32_t (&handle)[4]) {
  Packed packed{};
  packed.pid = static_cast<uint32_t>(shared.pid);
  packed.id = shared.id;
  packed.file = static_cast<uint32_t>(shared.file);
  packed.gpu = static_cast<uint32_t>(shared.gpu);
  packed.vram = shared.vram;
  packed.known = kKnown;
  packed.first_page = shared.offset / kPageBytes;
  packed.pages = shared.bytes / kPageBytes;
  std::memcpy(handle, &packed, sizeof(packed));
  SharedBuffer again;
  return UnpackIpcHandle(handle, &again) && again.pid == shared.pid && again.id == shared.id &&
         again.file == shared.file && again.offset == shared.offset &&
         again.bytes == shared.bytes && again.gpu == shared.gpu;
}

bool UnpackIpcHandle(const uint32_t (&handle)[4], SharedBuffer* out) {
  Packed packed;
  std::memcpy(&packed, handle, sizeof(packed));
  if (packed.known != kKnown || packed.pages == 0) return false;
  out->pid = static_cast<int>(packed.pid);
  out->id = static_cast<uint32_t>(packed.id);
  out->file = static_cast<int>(packed.file);
  out->gpu = static_cast<int>(packed.gpu);
  out->vram = packed.vram != 0;
  out->offset = packed.first_page * kPageBytes;
  out->bytes = packed.pages * kPageBytes;
  return true;
}

}  // namespace vgpu
