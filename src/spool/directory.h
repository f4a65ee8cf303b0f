// SPDX-License-Identifier: MIT
// directory.h: finds the processes that have a spool in a directory, and the names of its files. It
// also opens these files for a reader that does not trust them.
//
// Threads    any
// Blocking   file I/O only
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "base/unique_fd.h"

namespace rtl::spool {

// Calls `visit(name)` for every entry of the directory.
Status ForEachName(const std::string& directory,
                   const std::function<void(std::string_view name)>& visit);

// True for a non-empty text that consists of digits.
bool AllDigits(std::string_view text);

// The stem of the program that the process with this stem becomes by its next exec.
std::string NextStem(const std::string& stem);

// Removes the control pages and all other files of the processes for which `which` returns true.
Status RemoveProcesses(const std::string& directory,
                       const std::function<bool(const std::string& stem)>& which);

// Removes the segments of the processes for which `which` returns true; their control pages stay.
Status RemoveSegments(const std::string& directory,
                      const std::function<bool(const std::string& stem)>& which);

// Stems of all control pages in `directory`, sorted.
Status ListProcesses(const std::string& directory, std::vector<std::string>* stems);

// Opens a regular file of this user with a single link. If the name is that of a FIFO, the call
// does not block. Returns an invalid descriptor, with errno set, if there is no such file.
UniqueFd OpenOwnFile(const std::string& path, struct stat* info);

// Reads up to `bytes` bytes at `offset`; returns the number read.
size_t ReadAt(int fd, void* out, size_t bytes, uint64_t offset);

}  // namespace rtl::spool
