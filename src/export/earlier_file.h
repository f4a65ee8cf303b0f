// SPDX-License-Identifier: MIT
// earlier_file.h: finds out whether an existing file with the output's name is an earlier output of
// the same kind. Any other file belongs to the user: the traced program, a script, or the database
// of another tool.
//
// Threads    any
// Blocking   file I/O: the beginning of the file
// Errors     one line that names the file
#pragma once

#include <cstdint>
#include <string>

#include "base/status.h"

namespace rtl::exporting {

enum class FileKind : uint8_t {
  kTrace,
  kRpd,
  kPerfetto,
  kChrome,
  kPage,
  kManifest,
  kFolded,
  kSpeedscope
};

// Returns an error if the file exists, has content, and is not an output of this kind. Standard
// output ("-"), pipes and devices are not replaced, so they are accepted.
Status CheckReplaceable(FileKind kind, const std::string& path);

}  // namespace rtl::exporting
