// SPDX-License-Identifier: MIT
// printable.h: names from a trace as text for a terminal.
//
// Threads    any
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace rtl::query {

// Control characters and bytes that are no UTF-8 become '?', so that text from a trace stays on its
// line and gives a terminal no command.
std::string Printable(std::string_view text);

// The number of characters of UTF-8 text; approximates columns of a terminal.
size_t DisplayWidth(std::string_view text);

// A name longer than this is shortened wherever people read it; files have it whole.
inline constexpr size_t kLongText = 1000;

// At most `width` characters, with "..." in the middle of a shortened text, and the length of a
// long one where there is room. `whole`: the length to name; 0: the text's.
std::string ShortenMiddle(std::string_view text, size_t width, size_t whole = 0);

// A name from a trace for a line of text: Printable, and at most kLongText characters.
std::string Shown(std::string_view name);

}  // namespace rtl::query
