// SPDX-License-Identifier: MIT
// text.h: writes text into fixed buffers. The text is always terminated, truncated between UTF-8
// characters, and never allocated.
//
// Threads    pure functions
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace rtl {

// The longest prefix of `text` (of `bytes` bytes) that has at most `limit` bytes and does not end
// inside a UTF-8 sequence. Text that is not UTF-8 is truncated at the limit.
size_t TextPrefix(const char* text, size_t bytes, size_t limit);

// Copies as much of `text` as fits into `out`, which has `size` bytes, at least one. A null text
// counts as empty. Returns false if something did not fit.
bool CopyText(char* out, size_t size, const char* text);

// Replaces %p by `pid`, %h by `host` and %% by %; other text is unchanged. Returns false if the
// result does not fit; `out` is then empty.
bool ExpandPattern(const char* pattern, uint32_t pid, const char* host, char* out, size_t size);

// Reads the whole text as a decimal number in [low, high]. False for anything else.
bool ParseNumber(const char* text, uint64_t low, uint64_t high, uint64_t* out);

}  // namespace rtl
