// SPDX-License-Identifier: MIT
// expression_size.h: estimates how large a POSIX regular expression becomes when it is compiled.
// The C library writes repetitions out, so nested repetitions multiply, and alternatives take
// memory with the square of their number. (((a{99}){99}){99}), or a|b|... with 30,000 parts, takes
// gigabytes and seconds to compile.
//
// Threads    pure function
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <string_view>

namespace rtl {

inline constexpr char kExpressionTooLarge[] =
    "it has too many repetitions, alternatives or groups in each other";

// True if the expression, with its repetitions written out, is more than kMostRepeated parts longer
// than its text, if it has more than kMostAlternatives alternatives, or if groups are nested more
// than 32 deep.
inline bool ExpressionTooLarge(std::string_view text) {
  constexpr uint64_t kMostRepeated = 2000;
  constexpr size_t kMostDepth = 32, kMostAlternatives = 1000;
  uint64_t outside[kMostDepth];  // number of parts before each open group
  size_t depth = 0, alternatives = 0;
  uint64_t parts = 0, last = 0;  // `last`: size of the part that a repetition here would repeat
  for (size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '(') {
      if (depth == kMostDepth) return true;
      outside[depth++] = parts;
      parts = last = 0;
    } else if (c == ')' && depth > 0) {
      last = parts;
      parts += outside[--depth];
    } else if (c == '{') {
      uint64_t times = 0, number = 0;
      for (++at; at < text.size() && text[at] != '}'; ++at) {
        const bool is_digit = text[at] >= '0' && text[at] <= '9';
        number = is_digit && number <= kMostRepeated
                     ? number * 10 + static_cast<uint64_t>(text[at] - '0')
                 : is_digit ? number
                            : 0;
        times = number > times ? number : times;
      }
      if (times > 1) {
        parts += last * (times - 1);
        last *= times;
      }
      if (parts > kMostRepeated + text.size()) return true;
    } else {
      if (c == '\\') ++at;
      if (c == '|' && ++alternatives == kMostAlternatives) return true;
      if (c == '[') {
        at += at + 1 < text.size() && text[at + 1] == '^';
        at = text.find(']', at + 2);
        if (at == std::string_view::npos) return false;  // the compiler reports what is wrong
      }
      last = 1;
      ++parts;
    }
  }
  return false;
}

}  // namespace rtl
