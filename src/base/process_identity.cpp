// SPDX-License-Identifier: MIT
#include "base/process_identity.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "base/unique_fd.h"

namespace rtl {
namespace {

// Reads up to size-1 bytes and terminates them. Returns how many; zero when unreadable.
size_t ReadFile(const char* path, char* out, size_t size) {
  out[0] = '\0';
  const UniqueFd fd(open(path, O_RDONLY | O_CLOEXEC));
  if (!fd.valid()) return 0;
  size_t used = 0;
  while (used + 1 < size) {
    const ssize_t got = read(fd.get(), out + used, size - 1 - used);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    used += static_cast<size_t>(got);
  }
  out[used] = '\0';
  return used;
}

void ReadBootId(char* out, size_t size) {
  char text[64];
  ReadFile("/proc/sys/kernel/random/boot_id", text, sizeof text);
  text[strcspn(text, "\n")] = '\0';
  CopyText(out, size, text);
}

void ReadCommand(char* out, size_t size) {
  const size_t bytes = ReadFile("/proc/self/cmdline", out, size);
  if (bytes == 0) return;
  const size_t whole = out[bytes - 1] == '\0' ? bytes - 1 : bytes;
  for (size_t i = 0; i < whole; ++i) {
    if (out[i] == '\0') out[i] = ' ';
  }
  out[whole] = '\0';
}

void ReadExecutable(char* out, size_t size) {
  const ssize_t bytes = readlink("/proc/self/exe", out, size - 1);
  out[bytes < 0 ? 0 : bytes] = '\0';
}

}  // namespace

bool ReadStartTicks(uint32_t pid, uint64_t* ticks) {
  char path[40];
  snprintf(path, sizeof path, "/proc/%u/stat", pid);
  char stat[1024];
  if (ReadFile(path, stat, sizeof stat) == 0) return false;
  // The second field is the program's name in brackets and may itself hold blanks and brackets.
  const char* at = strrchr(stat, ')');
  if (at == nullptr) return false;
  constexpr int kFieldsBetween = 20;  // from the end of field 2 to the start of field 22
  for (int field = 0; field < kFieldsBetween; ++field) {
    at = strchr(at, ' ');
    if (at == nullptr) return false;
    ++at;
  }
  char* end = nullptr;
  *ticks = strtoull(at, &end, 10);
  return end != at;
}

ProcessIdentity ReadProcessIdentity() {
  ProcessIdentity self;
  self.pid = static_cast<uint32_t>(getpid());
  self.parent_pid = static_cast<uint32_t>(getppid());
  if (!ReadStartTicks(self.pid, &self.start_ticks)) self.start_ticks = 0;
  ReadBootId(self.boot_id, sizeof self.boot_id);
  if (gethostname(self.host, sizeof self.host) != 0) self.host[0] = '\0';
  self.host[sizeof self.host - 1] = '\0';
  ReadExecutable(self.executable, sizeof self.executable);
  ReadCommand(self.command, sizeof self.command);
  return self;
}

}  // namespace rtl
