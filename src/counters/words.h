// SPDX-License-Identifier: MIT
// words.h: parses how users name counters, in `--pmc` and RTL_COUNTERS.
//
//   WORD[,WORD…]     WORD = NAME | BLOCK:EVENT | NAME=BLOCK:EVENT | NAME=EXPRESSION
//
// WORD:device=N counts on the N-th GPU of the runtime only, from 0. If there is no such GPU, the
// word has no effect, as with AMD's tools.
//
// RTL_COUNTERS may have several groups of words, which are used in turn: WORD[,WORD…];WORD[,WORD…]…
//
// Threads    pure functions
// Memory     views into the text
// Errors     a line that names the word
#pragma once

#include <stdint.h>

#include <string_view>

#include "base/status.h"

namespace rtl::counters {

// Most groups in RTL_COUNTERS.
inline constexpr uint32_t kMostGroups = 32;

struct Word {
  std::string_view name;   // empty: BLOCK:EVENT without a name
  std::string_view block;  // empty: a name alone, or an expression
  uint32_t event = 0;
  std::string_view expression;
  int32_t device = -1;  // -1: every GPU

  bool IsFor(uint32_t gpu) const { return device < 0 || static_cast<uint32_t>(device) == gpu; }
};

// The next word, without the spaces around it. `rest`: set to the text after it. Commas and line
// breaks end a word unless they are in brackets. Empty: there is no word left.
std::string_view NextWord(std::string_view* rest);

// The next group. `rest`: set to the text after it. Empty: there is no group left.
std::string_view NextGroup(std::string_view* rest);

Status ReadWord(std::string_view text, Word* out);

// A number of at most nine digits, and nothing else.
bool ReadDigits(std::string_view text, uint32_t* out);

bool IsCounterName(std::string_view text);

}  // namespace rtl::counters
