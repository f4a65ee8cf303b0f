// SPDX-License-Identifier: MIT
// memory_file.h: files of memory that the device keeps open. Their descriptors are never 0, 1 or 2,
// even if the program has closed its standard streams.
//
// Threads    any
// Errors     negative errno; -EFBIG: the process may not make files of this size (ulimit -f)
#pragma once

#include <cstdint>

namespace vgpu {

// `name`: as the kernel shows it behind "/memfd:".
int MakeMemoryFile(const char* name, uint64_t bytes);

}  // namespace vgpu
