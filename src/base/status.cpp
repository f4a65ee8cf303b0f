// SPDX-License-Identifier: MIT
#include "base/status.h"

#include <stdio.h>
#include <string.h>

namespace rtl {

Status Status::Error(const char* format, ...) {
  Status status;
  va_list args;
  va_start(args, format);
  vsnprintf(status.message_, sizeof status.message_, format, args);
  va_end(args);
  if (status.message_[0] == '\0')
    snprintf(status.message_, sizeof status.message_, "unknown error");
  return status;
}

Status Status::ErrnoError(int error_number, const char* format, ...) {
  Status status;
  va_list args;
  va_start(args, format);
  const int used = vsnprintf(status.message_, sizeof status.message_, format, args);
  va_end(args);
  const size_t length = strlen(status.message_);
  if (used >= 0 && length + 3 < sizeof status.message_) {
    char reason[96];
    // The GNU version of strerror_r returns the text, which may or may not be in `reason`.
    const char* text = strerror_r(error_number, reason, sizeof reason);
    snprintf(status.message_ + length, sizeof status.message_ - length, ": %s", text);
  }
  return status;
}

}  // namespace rtl
