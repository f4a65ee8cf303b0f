// SPDX-License-Identifier: MIT
// self_read.h: reads memory of this process that somebody else says is there: an address that is
// not readable is an answer, not a crash. The kernel does the copying (process_vm_readv on
// ourselves).
//
// Threads    any
// Blocking   never; one system call
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace rtl::capture {

// How many of the `bytes` bytes at `address` could be read, from the first on.
size_t SelfRead(uint64_t address, void* out, size_t bytes);

// The text at `address`, cut to `capacity` - 1 bytes and terminated. False: null, not readable, or
// empty.
bool SelfReadText(uint64_t address, char* out, size_t capacity);

// False where the system forbids it (a sandbox).
bool SelfReadWorks();

}  // namespace rtl::capture
