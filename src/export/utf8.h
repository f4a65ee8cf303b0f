// SPDX-License-Identifier: MIT
// utf8.h: checks and repairs UTF-8. Kernel names come from code objects, and markers from programs,
// and neither is always UTF-8. Viewers reject a whole file for one invalid byte.
#pragma once

#include <string>
#include <string_view>

namespace rtl::exporting {

// True when `text` is well-formed UTF-8: no stray or missing continuation bytes, no overlong
// forms, no surrogates, nothing above U+10FFFF.
bool IsUtf8(std::string_view text);

// Returns `text` if it is well-formed; otherwise *scratch, in which every byte outside a
// well-formed sequence is replaced by U+FFFD.
std::string_view RepairUtf8(std::string_view text, std::string* scratch);

}  // namespace rtl::exporting
