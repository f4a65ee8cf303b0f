// SPDX-License-Identifier: MIT
// directory.h: the processes that have a spool in a directory, and the names of its files.
//
// Threads    any
// Blocking   file I/O only
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace rtl::spool {

// Calls `visit(name)` for every entry of the directory.
Status ForEachName(const std::string& directory,
                   const std::function<void(std::string_view name)>& visit);

// True for a non-empty text of digits alone.
bool AllDigits(std::string_view text);

// The stem of the program that the process with this stem becomes by exec.
std::string NextStem(const std::string& stem);

// Removes the control pages and all other files of the processes that `which` names.
Status RemoveProcesses(const std::string& directory,
                       const std::function<bool(const std::string& stem)>& which);

// Removes the segments of these processes; their control pages stay.
Status RemoveSegments(const std::string& directory,
                      const std::function<bool(const std::string& stem)>& which);

// Stems of all control pages in `directory`, sorted.
Status ListProcesses(const std::string& directory, std::vector<std::string>* stems);

}  // namespace rtl::spool
