// SPDX-License-Identifier: MIT
// ioctl_sharing.cpp: the driver calls that export memory objects to other processes, and import
// them.
#include <cerrno>

#include "vgpu/kfd/dmabuf.h"
#include "vgpu/kfd/ioctls.h"

namespace vgpu {

int ExportDmabuf(Driver& driver, ExportDmabufArgs& args) {
  SharedBuffer shared;
  if (const int error = driver.memory.Describe(args.handle, &shared); error != 0) return error;
  const int fd = MakeDmabuf(shared, static_cast<int>(args.flags));
  if (fd < 0) return fd;
  args.dmabuf_fd = static_cast<uint32_t>(fd);
  return 0;
}

int GetDmabufInfo(Driver&, kfd_ioctl_get_dmabuf_info_args& args) {
  SharedBuffer shared;
  const int error = ReadDmabuf(static_cast<int>(args.dmabuf_fd), &shared);
  if (error != 0) return error;
  args.size = shared.bytes;
  args.metadata_size = 0;  // no caller stores metadata
  args.gpu_id = GpuIdOf(shared.gpu);
  args.flags = shared.vram ? KFD_IOC_ALLOC_MEM_FLAGS_VRAM : KFD_IOC_ALLOC_MEM_FLAGS_GTT;
  return 0;
}

int ImportDmabuf(Driver& driver, kfd_ioctl_import_dmabuf_args& args) {
  const int gpu = GpuOfId(args.gpu_id);
  if (gpu < 0) return -EINVAL;
  SharedBuffer shared;
  const int error = ReadDmabuf(static_cast<int>(args.dmabuf_fd), &shared);
  if (error != 0) return error;
  Allocation imported;
  const int refused = driver.memory.Import(shared, gpu, args.va_addr, &imported);
  if (refused != 0) return refused;
  args.handle = imported.handle;
  return 0;
}

int IpcExport(Driver& driver, IpcExportArgs& args) {
  SharedBuffer shared;
  if (const int error = driver.memory.Describe(args.handle, &shared); error != 0) return error;
  return PackIpcHandle(shared, args.share_handle) ? 0 : -EOVERFLOW;
}

int IpcImport(Driver& driver, IpcImportArgs& args) {
  const int gpu = GpuOfId(args.gpu_id);
  SharedBuffer shared;
  if (gpu < 0 || !UnpackIpcHandle(args.share_handle, &shared)) return -EINVAL;
  Allocation imported;
  const int refused = driver.memory.Import(shared, gpu, args.va_addr, &imported);
  if (refused != 0) return refused;
  args.handle = imported.handle;
  args.mmap_offset = imported.mmap_offset;
  args.flags = 0;
  return 0;
}

}  // namespace vgpu
