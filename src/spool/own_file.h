// SPDX-License-Identifier: MIT
// own_file.h: files of the spool, read by somebody who does not trust them.
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

// Opens a regular file of ours that has one name. Not even a FIFO in its place makes us wait. Not valid
// (errno says why) when there is none.
UniqueFd OpenOwnFile(const std::string& path, struct stat* info);

// How many bytes there are at `offset`, at most `bytes`.
size_t ReadAt(int fd, void* out, size_t bytes, uint64_t offset);

}  // namespace rtl::spool
