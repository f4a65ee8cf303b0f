// SPDX-License-Identifier: MIT
// memory_file.h: files of memory that the device keeps open. A program that has closed its standard
// streams does not find one of them there.
//
// Threads    any
// Errors     negative errno
#pragma once

namespace vgpu {

// `name`: as the kernel shows it behind "/memfd:".
int MakeMemoryFile(const char* name);

}  // namespace vgpu
