// SPDX-License-Identifier: MIT
// drm_node.h: the calls of a render node that libdrm_amdgpu makes on behalf of the runtime.
//
// Threads    any
// Errors     0 or -errno. A call or query that is not modelled is named on stderr, and refused
#pragma once

namespace vgpu {

[[nodiscard]] int DrmIoctl(int gpu, unsigned long request, void* argument);

}  // namespace vgpu
