// SPDX-License-Identifier: MIT
// self_read.h: reads memory of this process at an untrusted address. An unreadable address gives a
// result, not a crash. The kernel does the copying (process_vm_readv on this process).
//
// Threads    any
// Blocking   never; one system call
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace rtl::capture {

// Reads up to `bytes` bytes at `address`. Returns how many could be read from the start.
size_t SelfRead(uint64_t address, void* out, size_t bytes);

// Copies the text at `address`, truncated to `capacity` - 1 bytes and terminated. False if the
// address is null or unreadable, or the text is empty.
bool SelfReadText(uint64_t address, char* out, size_t capacity);

// False if the system forbids such reads (a sandbox).
bool SelfReadWorks();

}  // namespace rtl::capture
