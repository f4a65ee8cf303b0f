// SPDX-License-Identifier: MIT
// ipc_handle.h: a buffer's description in the 16 bytes of an inter-process handle. With the real
// driver they are a key to a list in the kernel; nothing of that kind is here to be asked.
//
// Threads    any
#pragma once

#include "vgpu/mem/memory_manager.h"

namespace vgpu {

// False when a number is too large to be told; nothing that a machine of ours has is.
[[nodiscard]] bool PackIpcHandle(const SharedBuffer& shared, uint32_t (&handle)[4]);
// False when the handle is none of ours.
[[nodiscard]] bool UnpackIpcHandle(const uint32_t (&handle)[4], SharedBuffer* out);

}  // namespace vgpu
