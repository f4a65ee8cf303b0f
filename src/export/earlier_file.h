// SPDX-License-Identifier: MIT
// earlier_file.h: whether a file that lies under an output's name is an earlier output of the same
// kind. Anything else is the user's own: the traced program, a script, another tool's database.
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

// An error when the file exists, has content, and is no output of this kind. Standard output ("-"),
// pipes and devices are not replaced but written to.
Status CheckReplaceable(FileKind kind, const std::string& path);

}  // namespace rtl::exporting
