// SPDX-License-Identifier: MIT
#include "trace/read/printable.h"

#include <algorithm>
#include <cstdint>

namespace rtl::query {
namespace {

constexpr size_t kNotedText = 60;  // a shortened text of this length has room for the length
constexpr std::string_view kDots = "...";

bool IsContinuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// The first character of UTF-8 text, which must not be empty, and its number of bytes. A byte that
// begins no character counts as character 0.
uint32_t CharacterAt(std::string_view text, size_t* bytes) {
  const auto first = static_cast<unsigned char>(text[0]);
  const size_t length = first < 0x80   ? 1
                        : first < 0xC2 ? 0
                        : first < 0xE0 ? 2
                        : first < 0xF0 ? 3
                                       : 4;
  *bytes = 1;
  if (length < 2) return length == 1 ? first : 0;
  if (first > 0xF4 || text.size() < length) return 0;
  uint32_t character = first & (0xFFu >> (length + 1));
  for (size_t i = 1; i < length; ++i) {
    if (!IsContinuation(text[i])) return 0;
    character = character << 6 | (static_cast<unsigned char>(text[i]) & 0x3Fu);
  }
  *bytes = length;
  return character;
}

// False for commands to a terminal, line ends, and changes of the writing direction.
bool IsShown(uint32_t character) {
  const auto between = [character](uint32_t first, uint32_t last) {
    return character >= first && character <= last;
  };
  return character >= 0x20 && !between(0x7F, 0x9F) && !between(0x200E, 0x200F) &&
         !between(0x2028, 0x202E) && !between(0x2066, 0x2069);
}

// The number of bytes of the first `count` characters.
size_t BytesOfFirst(std::string_view text, size_t count) {
  size_t at = 0;
  while (at < text.size() && count > 0) {
    ++at;
    while (at < text.size() && IsContinuation(text[at])) ++at;
    --count;
  }
  return at;
}

}  // namespace

std::string Printable(std::string_view text) {
  std::string printable;
  for (size_t i = 0; i < text.size();) {
    size_t bytes = 0;
    const bool shown = IsShown(CharacterAt(text.substr(i), &bytes));
    printable += shown ? text.substr(i, bytes) : "?";
    i += bytes;
  }
  return printable;
}

size_t DisplayWidth(std::string_view text) {
  return static_cast<size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return !IsContinuation(c); }));
}

std::string ShortenMiddle(std::string_view text, size_t width, size_t whole) {
  const size_t length = DisplayWidth(text);
  if (length <= width) return std::string(text);
  if (width <= kDots.size()) return std::string(kDots.substr(0, width));
  whole = std::max(whole, length);
  std::string middle(kDots);
  if (whole > kLongText && width >= kNotedText)
    middle += "(" + std::to_string(whole) + " characters)" + middle;
  const size_t tail = (width - middle.size()) / 2;
  const size_t head = width - middle.size() - tail;
  return std::string(text.substr(0, BytesOfFirst(text, head))) + middle +
         std::string(text.substr(BytesOfFirst(text, length - tail)));
}

std::string Shown(std::string_view name) { return ShortenMiddle(Printable(name), kLongText); }

}  // namespace rtl::query
