// SPDX-License-Identifier: MIT
// text.h: text in fixed buffers. Always terminated, cut between characters (UTF-8), never
// allocated.
//
// Threads    pure functions
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace rtl {

// The longest prefix of `text` (of `bytes` bytes) that has at most `limit` bytes and does not end
// inside a UTF-8 sequence. Text that is not UTF-8 is cut at the limit.
size_t TextPrefix(const char* text, size_t bytes, size_t limit);

// Copies as much of `text` as fits into `out` (of `size` bytes, at least one). A null text is the
// empty text. Returns false when something was cut off.
bool CopyText(char* out, size_t size, const char* text);

// Replaces %p by `pid`, %h by `host` and %% by %; other text stays. Returns false when the result
// does not fit; `out` is then empty.
bool ExpandPattern(const char* pattern, uint32_t pid, const char* host, char* out, size_t size);

// Whole text as a decimal number in [low, high]. False on anything else.
bool ParseNumber(const char* text, uint64_t low, uint64_t high, uint64_t* out);

}  // namespace rtl
