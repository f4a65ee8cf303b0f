// SPDX-License-Identifier: MIT
#include "trace/read/printable.h"

#include <cstddef>
#include <cstdint>

namespace rtl::query {
namespace {

bool IsContinuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// The first character of UTF-8 text that is not empty, and its bytes. A byte that begins none is 0.
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

// Not a command to a terminal, a line's end or a change of the direction of writing.
bool IsShown(uint32_t character) {
  const auto between = [character](uint32_t first, uint32_t last) {
    return character >= first && character <= last;
  };
  return character >= 0x20 && !between(0x7F, 0x9F) && !between(0x200E, 0x200F) &&
         !between(0x2028, 0x202E) && !between(0x2066, 0x2069);
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

}  // namespace rtl::query
