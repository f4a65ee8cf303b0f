// SPDX-License-Identifier: MIT
// words.h: how people name counters: `--pmc` and RTL_COUNTERS.
//
//   WORD[,WORD…]     WORD = NAME | BLOCK:EVENT | NAME=BLOCK:EVENT | NAME=EXPRESSION
//
// WORD:device=N counts on one GPU only, the N-th of the runtime, from 0. Without such a GPU it counts
// nowhere, as with AMD's tools.
//
// RTL_COUNTERS may have several groups of words, which take turns: WORD[,WORD…];WORD[,WORD…]…
//
// Threads    pure functions
// Memory     views into the text
// Errors     a line that names the word
#pragma once

#include <stdint.h>

#include <string_view>

#include "base/status.h"

namespace rtl::counters {

// Of RTL_COUNTERS.
inline constexpr uint32_t kMostGroups = 32;

struct Word {
  std::string_view name;   // of BLOCK:EVENT: empty
  std::string_view block;  // empty: a name alone, or an expression
  uint32_t event = 0;
  std::string_view expression;
  int32_t device = -1;  // -1: every GPU

  bool IsFor(uint32_t gpu) const { return device < 0 || static_cast<uint32_t>(device) == gpu; }
};

// The next word, without the spaces around it; `rest` is what follows. Commas and line breaks end a
// word unless they stand in brackets. Empty: there is none.
std::string_view NextWord(std::string_view* rest);

// The next group; `rest` is what follows. Empty: there is none.
std::string_view NextGroup(std::string_view* rest);

Status ReadWord(std::string_view text, Word* out);

bool IsCounterName(std::string_view text);

}  // namespace rtl::counters
