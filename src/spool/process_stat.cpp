// SPDX-License-Identifier: MIT
#include "spool/process_stat.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/environment.h"
#include "base/files_apart.h"
#include "base/unique_fd.h"
#include "spool/rank.h"

namespace rtl::spool {
namespace {

// The beginning of a file, terminated. Zero when it cannot be read.
size_t ReadFile(const char* path, char* out, size_t capacity) {
  size_t length = 0;
  FilesApart([&] {
    const UniqueFd fd(open(path, O_RDONLY | O_CLOEXEC));
    while (fd.valid() && length + 1 < capacity) {
      const ssize_t got = read(fd.get(), out + length, capacity - 1 - length);
      if (got <= 0) break;
      length += static_cast<size_t>(got);
    }
  });
  out[length] = '\0';
  return length;
}

void ReadCommand(char* out, size_t capacity) {
  size_t length = ReadFile("/proc/self/cmdline", out, capacity);
  while (length > 0 && out[length - 1] == '\0') --length;
  for (size_t i = 0; i < length; ++i) {
    if (out[i] == '\0') out[i] = ' ';
  }
}

}  // namespace

bool ReadProcessStat(uint32_t pid, ProcessStat* out) {
  char path[32];
  if (pid == 0) {
    snprintf(path, sizeof path, "/proc/self/stat");
  } else {
    snprintf(path, sizeof path, "/proc/%u/stat", pid);
  }
  char text[1024];
  if (ReadFile(path, text, sizeof text) == 0) return false;
  // Field 2 is the program's name in parentheses and may itself hold spaces and parentheses.
  const char* at = strrchr(text, ')');
  if (at == nullptr || at[1] != ' ') return false;
  at += 2;
  out->state = *at;
  for (int field = 4; field <= 28; ++field) {
    at = strchr(at, ' ');
    if (at == nullptr) return false;
    ++at;
    const uint64_t value = strtoull(at, nullptr, 10);
    if (field == 4) out->parent_pid = static_cast<uint32_t>(value);
    if (field == 20) out->threads = static_cast<uint32_t>(value);
    if (field == 22) out->start_ticks = value;
    if (field == 28) out->stack = value;
  }
  return true;
}

void DescribeThisProcess(ProcessInfo* info) {
  if (info->pid == 0) info->pid = static_cast<uint32_t>(getpid());
  if (info->parent_pid == 0) info->parent_pid = static_cast<uint32_t>(getppid());
  ProcessStat stat;
  if (info->start_ticks == 0 && ReadProcessStat(0, &stat)) {
    info->start_ticks = stat.start_ticks;
    info->stack = stat.stack;
  }
  if (info->group == 0) info->group = static_cast<uint32_t>(getpgrp());
  if (info->rank < 0) ReadRank(EnvironmentValue, info);
  if (info->opened == 0) info->opened = BootTimeNs();
  if (info->realtime_minus_boottime == 0) {
    info->realtime_minus_boottime = RealtimeMinusBootTimeNs();
  }
  if (info->boot_id[0] == '\0') {
    ReadFile("/proc/sys/kernel/random/boot_id", info->boot_id, sizeof info->boot_id);
    info->boot_id[strcspn(info->boot_id, "\n")] = '\0';
  }
  if (info->host[0] == '\0' && gethostname(info->host, sizeof info->host) == 0) {
    info->host[sizeof info->host - 1] = '\0';
  }
  if (info->executable[0] == '\0') {
    const ssize_t length =
        readlink("/proc/self/exe", info->executable, sizeof info->executable - 1);
    info->executable[length > 0 ? length : 0] = '\0';
  }
  if (info->command[0] == '\0') ReadCommand(info->command, sizeof info->command);
}

}  // namespace rtl::spool
