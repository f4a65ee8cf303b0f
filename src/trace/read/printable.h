// SPDX-License-Identifier: MIT
// printable.h: makes names from a trace fit for a terminal.
//
// Threads    any
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace rtl::query {

// Replaces control characters and bytes that are not UTF-8 by '?', so that text from a trace stays
// on its line and cannot control the terminal.
std::string Printable(std::string_view text);

// The number of characters of UTF-8 text; approximates columns of a terminal.
size_t DisplayWidth(std::string_view text);

// A name longer than this is shortened in all output for people; files have the whole name.
inline constexpr size_t kLongText = 1000;

// Shortens a text to at most `width` characters, with "..." in its middle, and if there is room,
// with the length of a long text. `whole`: the length to state; 0: the length of `text`.
std::string ShortenMiddle(std::string_view text, size_t width, size_t whole = 0);

// A name from a trace as part of a line: Printable, and at most kLongText characters.
std::string Shown(std::string_view name);

}  // namespace rtl::query
