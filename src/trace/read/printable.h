// SPDX-License-Identifier: MIT
// printable.h: names from a trace as text for a terminal.
//
// Threads    any
#pragma once

#include <string>
#include <string_view>

namespace rtl::query {

// Control characters and bytes that are no UTF-8 become '?', so that text from a trace stays on its
// line and gives a terminal no command.
std::string Printable(std::string_view text);

}  // namespace rtl::query
