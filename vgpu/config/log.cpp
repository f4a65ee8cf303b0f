// SPDX-License-Identifier: MIT
#include "vgpu/config/log.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdarg>
#include <cstdio>

#include "vgpu/config/config.h"

namespace vgpu {

bool LogEnabled(LogLevel level) { return GetConfig().log_level >= static_cast<int>(level); }

void Log(LogLevel level, const char* format, ...) {
  if (!LogEnabled(level)) return;
  char line[1024];
  constexpr size_t kLast = sizeof(line) - 1;  // kept for the line end
  const int prefix = std::snprintf(line, kLast, "vgpu[%d:%ld]: ", getpid(), syscall(SYS_gettid));
  va_list arguments;
  va_start(arguments, format);
  const int text = std::vsnprintf(line + prefix, kLast - prefix, format, arguments);
  va_end(arguments);
  // vsnprintf returns the length of the whole text, and ends what it wrote with a zero.
  size_t length = std::min<size_t>(prefix + std::max(text, 0), kLast - 1);
  line[length++] = '\n';
  if (syscall(SYS_write, STDERR_FILENO, line, length) < 0) return;  // there is nowhere to report it
}

}  // namespace vgpu
