// SPDX-License-Identifier: MIT
// own_memory.h: reads an address of this process that may not be readable, without faulting.
//
// Threads    any
// Blocking   one system call, or two if the first kind is forbidden
// Errors     false if some byte cannot be read; `out` is then unspecified
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace rtl {

bool ReadOwnMemory(uint64_t address, void* out, size_t bytes);

}  // namespace rtl
