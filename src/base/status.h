// SPDX-License-Identifier: MIT
// status.h: a plain value that means success, or one line that describes a failure. It never throws
// and never allocates.
//
// Threads    a value; no shared state
// Memory     240 bytes; longer messages are truncated between characters, and are always terminated
// Use        cold paths only: hot paths return bool and let the caller count a loss
#pragma once

#include <cstdarg>

namespace rtl {

class [[nodiscard]] Status {
 public:
  static Status Ok() { return Status(); }
  // Both take a format as printf does. ErrnoError appends ": " and the text of the error number.
  static Status Error(const char* format, ...) __attribute__((format(printf, 1, 2)));
  static Status ErrnoError(int error_number, const char* format, ...)
      __attribute__((format(printf, 2, 3)));

  bool ok() const { return message_[0] == '\0'; }
  const char* message() const { return message_; }

 private:
  Status() { message_[0] = '\0'; }
  char message_[240];
};

}  // namespace rtl

// Evaluates a Status; if it is a failure, returns it to the caller.
#define RTL_TRY(expression)                                                  \
  do {                                                                       \
    if (::rtl::Status rtl_try_result = (expression); !rtl_try_result.ok()) { \
      return rtl_try_result;                                                 \
    }                                                                        \
  } while (0)
