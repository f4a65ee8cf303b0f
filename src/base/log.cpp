// SPDX-License-Identifier: MIT
#include "base/log.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <atomic>

#include "base/text.h"

namespace rtl {
namespace {

constexpr char kPrefix[] = "rtl: ";
constexpr size_t kPrefixBytes = sizeof kPrefix - 1;

// Process-wide because a rule can be broken before any session exists.
std::atomic<bool> strict_mode{false};
std::atomic<bool> invariant_reported{false};

void WriteLine(const char* format, va_list args) {
  const int saved_errno = errno;
  char line[1024];
  memcpy(line, kPrefix, kPrefixBytes);
  const size_t room = sizeof line - kPrefixBytes - 1;  // one byte is for the newline
  const int wanted = vsnprintf(line + kPrefixBytes, room, format, args);
  if (wanted >= 0) {
    size_t bytes = static_cast<size_t>(wanted);
    if (bytes >= room) bytes = TextPrefix(line + kPrefixBytes, room - 1, room - 2);
    line[kPrefixBytes + bytes] = '\n';
    // A short or failed write cannot be reported anywhere.
    (void)!write(STDERR_FILENO, line, kPrefixBytes + bytes + 1);
  }
  errno = saved_errno;
}

}  // namespace

void Warn(const char* format, ...) {
  va_list args;
  va_start(args, format);
  WriteLine(format, args);
  va_end(args);
}

void BrokenInvariant(const char* format, ...) {
  // Relaxed: nothing is published through these flags.
  const bool strict = strict_mode.load(std::memory_order_relaxed);
  if (!invariant_reported.exchange(true, std::memory_order_relaxed) || strict) {
    va_list args;
    va_start(args, format);
    WriteLine(format, args);
    va_end(args);
  }
  if (strict) abort();
}

void SetStrict(bool strict) { strict_mode.store(strict, std::memory_order_relaxed); }

}  // namespace rtl
