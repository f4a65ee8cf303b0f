// SPDX-License-Identifier: MIT
// process_maps.h: what is mapped in this process, as the kernel lists it in /proc/self/maps.
//
// Threads    any
// Errors     where the list cannot be read, nothing is mapped
#pragma once

#include <cstdint>

namespace vgpu {

struct ProcessMapping {
  uint64_t begin = 0;
  uint64_t end = 0;  // begin == end: none
};

// The addresses around `va` that the process may read, without a hole; none where it may not read
// `va`.
ProcessMapping FindReadable(uint64_t va);

}  // namespace vgpu
