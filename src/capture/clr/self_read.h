// SPDX-License-Identifier: MIT
// self_read.h: reads memory of this process at an untrusted address: an unreadable address is a
// result, not a crash. The kernel does the copying (process_vm_readv on this process).
//
// Threads    any
// Blocking   never; one system call
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace rtl::capture {

// Returns how many of the `bytes` bytes at `address` could be read, from the first on.
size_t SelfRead(uint64_t address, void* out, size_t bytes);

// Copies the text at `address`, truncated to `capacity` - 1 bytes and terminated. False: null,
// unreadable, or empty.
bool SelfReadText(uint64_t address, char* out, size_t capacity);

// False if the system forbids it (a sandbox).
bool SelfReadWorks();

}  // namespace rtl::capture
