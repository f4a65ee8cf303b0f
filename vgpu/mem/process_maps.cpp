// SPDX-License-Identifier: MIT
#include "vgpu/mem/process_maps.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace vgpu {
namespace {

// A line is "7f00a000-7f00c000 rw-p 00000000 00:00 0   [heap]".
class LineReader {
 public:
  // True at the end of a line; then `begin`, `end` and `readable` are of that line.
  bool Take(char c) {
    if (c == '\n') {
      field_ = kBegin;
      return true;
    }
    if (field_ == kBegin || field_ == kEnd) {
      TakeDigit(c);
    } else if (field_ == kPermissions) {
      readable = c == 'r';
      field_ = kRest;
    }
    return false;
  }

  uint64_t begin = 0;
  uint64_t end = 0;
  bool readable = false;

 private:
  enum Field : uint8_t { kBegin, kEnd, kPermissions, kRest };

  void TakeDigit(char c) {
    if (c == '-' || c == ' ') {
      (field_ == kBegin ? begin : end) = value_;
      value_ = 0;
      field_ = field_ == kBegin ? kEnd : kPermissions;
    } else {
      value_ = value_ * 16 + static_cast<uint64_t>(c <= '9' ? c - '0' : c - 'a' + 10);
    }
  }

  Field field_ = kBegin;
  uint64_t value_ = 0;
};

}  // namespace

// No allocation: an allocator may map memory, which needs locks that the caller holds.
ProcessMapping FindReadable(uint64_t va) {
  // Calls the kernel directly: open is interposed, and the caller holds locks of this library.
  const int fd =
      static_cast<int>(syscall(SYS_openat, AT_FDCWD, "/proc/self/maps", O_RDONLY | O_CLOEXEC, 0));
  if (fd < 0) return {};
  ProcessMapping found;
  LineReader line;
  char buffer[4096];
  for (ssize_t bytes = 0; (bytes = read(fd, buffer, sizeof buffer)) > 0 && line.begin <= va;) {
    for (ssize_t i = 0; i < bytes; ++i) {
      if (!line.Take(buffer[i]) || !line.readable) continue;
      if (line.begin == found.end) {
        found.end = line.end;
      } else if (found.end <= va) {
        found = {line.begin, line.end};
      }
    }
  }
  (void)syscall(SYS_close, fd);
  return va >= found.begin && va < found.end ? found : ProcessMapping{};
}

}  // namespace vgpu
