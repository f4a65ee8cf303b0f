// SPDX-License-Identifier: MIT
// own_file.h: files of the spool, opened by a reader that does not trust them.
//
// Threads    any
// Blocking   file I/O only
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include <string>

#include "base/unique_fd.h"

namespace rtl::spool {

// Opens a regular file of this user with a single link. A FIFO of that name does not block the
// open. Returns an invalid descriptor, with errno set, when there is no such file.
UniqueFd OpenOwnFile(const std::string& path, struct stat* info);

// Reads up to `bytes` bytes at `offset`; returns the number read.
size_t ReadAt(int fd, void* out, size_t bytes, uint64_t offset);

}  // namespace rtl::spool
