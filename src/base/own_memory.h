// SPDX-License-Identifier: MIT
// own_memory.h: reads an address of this process that may not be readable, without faulting.
//
// Threads    any
// Blocking   one system call, two when the first kind is forbidden here
// Errors     false: some byte could not be read; `out` is then unspecified
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace rtl {

bool ReadOwnMemory(uint64_t address, void* out, size_t bytes);

}  // namespace rtl
