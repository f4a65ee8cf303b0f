// SPDX-License-Identifier: MIT
// ipc_handle.h: a buffer's description in the 16 bytes of an inter-process handle. With the real
// driver they are a key to a list in the kernel. The virtual driver has no such list.
//
// Threads    any
#pragma once

#include "vgpu/mem/memory_manager.h"

namespace vgpu {

// False when a number is too large for its field; no number of a virtual machine is.
[[nodiscard]] bool PackIpcHandle(const SharedBuffer& shared, uint32_t (&handle)[4]);
// False when the virtual GPU did not make the handle.
[[nodiscard]] bool UnpackIpcHandle(const uint32_t (&handle)[4], SharedBuffer* out);

}  // namespace vgpu
