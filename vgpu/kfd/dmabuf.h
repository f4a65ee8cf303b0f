// SPDX-License-Identifier: MIT
// dmabuf.h: descriptors of memory objects, to be passed on and imported, in this process or
// another.
//
// Such a descriptor is a file of the buffer's size whose name says which buffer it is, and which
// has nothing in it but what was noted down with the buffer when it was made. As with the real
// driver, its size can be asked for by lseek. Unlike there, it does not keep the memory: what was
// freed meanwhile cannot be imported; and it cannot be mapped itself (EACCES).
//
// Threads    any
// Errors     0 or -errno
#pragma once

#include "vgpu/mem/memory_manager.h"

namespace vgpu {

// A new descriptor, or -errno. `flags`: O_CLOEXEC or 0.
[[nodiscard]] int MakeDmabuf(const SharedBuffer& shared, int flags);
// -EINVAL when the descriptor is of anything else.
[[nodiscard]] int ReadDmabuf(int fd, SharedBuffer* out);

}  // namespace vgpu
