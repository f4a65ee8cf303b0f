// SPDX-License-Identifier: MIT
#include "base/text.h"

#include <stdio.h>
#include <string.h>

namespace rtl {
namespace {

bool IsContinuation(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) == 0x80; }

// Appends to a bounded buffer and remembers whether everything fitted.
class Appender {
 public:
  Appender(char* out, size_t size) : out_(out), size_(size) {}

  void Append(const char* text, size_t bytes) {
    if (used_ + bytes >= size_) {
      fits_ = false;
      return;
    }
    memcpy(out_ + used_, text, bytes);
    used_ += bytes;
  }

  bool Finish() {
    if (!fits_) used_ = 0;
    out_[used_] = '\0';
    return fits_;
  }

 private:
  char* out_;
  size_t size_;
  size_t used_ = 0;
  bool fits_ = true;
};

}  // namespace

size_t TextPrefix(const char* text, size_t bytes, size_t limit) {
  if (bytes <= limit) return bytes;
  size_t end = limit;
  for (int back = 0; back < 4; ++back) {
    if (!IsContinuation(text[end])) return end;
    if (end == 0) break;
    --end;
  }
  return limit;
}

bool CopyText(char* out, size_t size, const char* text) {
  if (text == nullptr) text = "";
  const size_t bytes = strlen(text);
  const size_t kept = TextPrefix(text, bytes, size - 1);
  memcpy(out, text, kept);
  out[kept] = '\0';
  return kept == bytes;
}

bool ExpandPattern(const char* pattern, uint32_t pid, const char* host, char* out, size_t size) {
  char number[16];
  const int digits = snprintf(number, sizeof number, "%u", pid);
  Appender appender(out, size);
  for (const char* at = pattern; *at != '\0'; ++at) {
    const char code = at[0] == '%' ? at[1] : '\0';
    if (code == 'p') {
      appender.Append(number, static_cast<size_t>(digits));
      ++at;
    } else if (code == 'h') {
      appender.Append(host, strlen(host));
      ++at;
    } else {
      appender.Append(at, 1);
      if (code == '%') ++at;  // %% becomes %
    }
  }
  return appender.Finish();
}

bool ParseNumber(const char* text, uint64_t low, uint64_t high, uint64_t* out) {
  if (*text == '\0') return false;
  uint64_t value = 0;
  for (; *text != '\0'; ++text) {
    if (*text < '0' || *text > '9') return false;
    const uint64_t digit = static_cast<uint64_t>(*text - '0');
    if (value > (UINT64_MAX - digit) / 10) return false;
    value = value * 10 + digit;
  }
  if (value < low || value > high) return false;
  *out = value;
  return true;
}

}  // namespace rtl
