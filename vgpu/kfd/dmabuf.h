// SPDX-License-Identifier: MIT
// dmabuf.h: descriptors of memory objects, to be passed on and imported, in this process or
// another.
//
// Such a descriptor is a file of the buffer's size. Its name identifies the buffer, and its only
// contents are the notes that were stored with the buffer. lseek gives its size, as with the real
// driver. Unlike a real one, it does not keep the memory: a freed buffer cannot be imported.
// The descriptor itself cannot be mapped (EACCES).
//
// Threads    any
// Errors     0 or -errno
#pragma once

#include "vgpu/mem/memory_manager.h"

namespace vgpu {

// A new descriptor, or -errno. `flags`: O_CLOEXEC or 0.
[[nodiscard]] int MakeDmabuf(const SharedBuffer& shared, int flags);
// -EINVAL when the descriptor does not refer to a buffer.
[[nodiscard]] int ReadDmabuf(int fd, SharedBuffer* out);

// Packs a buffer's description into the 16 bytes of an inter-process handle. In the real driver,
// these bytes are a key to a list in the kernel. The virtual driver has no such list. False when a
// number is too large for its field, which does not happen on a virtual machine.
[[nodiscard]] bool PackIpcHandle(const SharedBuffer& shared, uint32_t (&handle)[4]);
// False when the virtual GPU did not make the handle.
[[nodiscard]] bool UnpackIpcHandle(const uint32_t (&handle)[4], SharedBuffer* out);

}  // namespace vgpu
