// SPDX-License-Identifier: MIT
// kernel_descriptor.h: a kernel's resource needs, decoded from the bytes that the compiler put
// before its code: the 64-byte kernel descriptor (code objects of version 3 and later) or
// amd_kernel_code_t (version 2).
//
// Threads    pure functions
// Memory     reads nothing but the bytes it is given
// Errors     false: too few bytes, or a GPU generation that this decoder does not know
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace rtl {

// The GPU generation in a target name: gfx90a is 9.0.10, gfx1030 is 10.3.0.
struct GfxVersion {
  uint32_t major = 0;
  uint32_t minor = 0;
  uint32_t stepping = 0;
};

// Accepts an agent's name ("gfx906") and an ISA name ("amdgcn-amd-amdhsa--gfx90a:sramecc+").
bool ParseGfxName(const char* name, GfxVersion* out);

struct KernelResources {
  // Vector registers per lane as the descriptor reserves them: what the kernel uses, rounded up to
  // the unit in which the generation counts. On gfx90a and its successors accumulation registers
  // come out of the same file and are included.
  uint32_t vgprs = 0;
  // Scalar registers per wave, VCC and the other special ones included. From gfx10 on every wave
  // has the whole file of 128.
  uint32_t sgprs = 0;
  uint32_t group_segment = 0;    // static LDS, bytes
  uint32_t private_segment = 0;  // scratch per work-item, bytes
  uint32_t kernarg_segment =
      0;  // bytes; zero when the compiler did not say (older version 3 objects)
};

inline constexpr size_t kKernelDescriptorBytes = 64;
// Pass this many bytes if they can be read. All but version 2 objects need only 64.
inline constexpr size_t kMaxKernelDescriptorBytes = 128;

bool DecodeKernelDescriptor(const void* bytes, size_t size, const GfxVersion& gfx,
                            KernelResources* out);

}  // namespace rtl
