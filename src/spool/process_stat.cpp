// SPDX-License-Identifier: MIT
#include "spool/process_stat.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/environment.h"
#include "base/files_apart.h"
#include "base/unique_fd.h"
#include "spool/rank.h"

namespace rtl::spool {
namespace {

// Reads the beginning of a file and terminates the text. Returns its length; zero if the file
// cannot be read.
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

// True if the pids in /proc are those of this process's PID namespace. After `unshare --pid`
// without a new /proc they are not.
bool ProcIsOurs() {
  char text[16];
  const ssize_t length = readlink("/proc/self", text, sizeof text - 1);
  if (length <= 0) return true;  // without /proc it does not matter: nothing is read
  text[length] = '\0';
  return strtoul(text, nullptr, 10) == static_cast<unsigned long>(getpid());
}

// The text after a name such as "NSpid:" in a file of /proc; null if the name is not there.
const char* FindField(const char* text, const char* name) {
  const char* const at = strstr(text, name);
  return at == nullptr ? nullptr : at + strlen(name);
}

// The pid that a process has in the namespace that /proc shows.
uint32_t NumberInProc(uint32_t pid) {
  if (pid == 0 || ProcIsOurs()) return pid;
  char text[512] = {};
  FilesApart([&] {
    const UniqueFd process(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
    char path[48];
    snprintf(path, sizeof path, "/proc/thread-self/fdinfo/%d", process.get());
    // the text stays empty if this fails
    if (process.valid()) (void)ReadFile(path, text, sizeof text);
  });
  const char* const number = FindField(text, "\nPid:");
  const long value = number == nullptr ? 0 : strtol(number, nullptr, 10);
  return value > 0 ? static_cast<uint32_t>(value) : 0;  // -1: the process has ended
}

// The last pid after "NSpid:", which has one pid for each namespace, from the one of /proc inwards.
uint32_t InnermostPid(uint32_t number_in_proc) {
  char path[32];
  char text[4096];
  snprintf(path, sizeof path, "/proc/%u/status", number_in_proc);
  if (ReadFile(path, text, sizeof text) == 0) return 0;
  const char* at = FindField(text, "\nNSpid:");
  uint32_t pid = 0;
  while (at != nullptr && *at != '\n' && *at != '\0') {
    char* end = nullptr;
    pid = static_cast<uint32_t>(strtoul(at, &end, 10));
    if (end == at) return 0;
    at = end;
  }
  return pid;
}

bool ReadStat(uint32_t number_in_proc, ProcessStat* out) {
  char path[32];
  if (number_in_proc == 0) {
    snprintf(path, sizeof path, "/proc/self/stat");
  } else {
    snprintf(path, sizeof path, "/proc/%u/stat", number_in_proc);
  }
  char text[1024];
  if (ReadFile(path, text, sizeof text) == 0) return false;
  // Field 2 is the program's name in parentheses, and may itself contain spaces and parentheses.
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

uint64_t PidNamespace() {
  struct stat info;
  return stat("/proc/self/ns/pid", &info) == 0 ? info.st_ino : 0;
}

// For a reader outside the process's namespace: searches /proc. *looked is false if no
// file descriptor was left to search.
uint32_t FindInProc(const ProcessInfo& process, bool* looked) {
  DIR* const proc = opendir("/proc");
  if (proc == nullptr) {
    *looked = errno != EMFILE && errno != ENFILE;
    return 0;
  }
  uint32_t found = 0;
  while (const dirent* entry = readdir(proc)) {
    char* end = nullptr;
    const auto number = static_cast<uint32_t>(strtoul(entry->d_name, &end, 10));
    ProcessStat stat;
    if (number == 0 || *end != '\0' || !ReadStat(number, &stat)) continue;
    if (stat.start_ticks != process.start_ticks || InnermostPid(number) != process.pid) continue;
    found = number;
    break;
  }
  ProcessStat own;
  // checked while the directory is open, because it needs a descriptor, too
  if (found == 0) *looked = ReadStat(0, &own);
  (void)closedir(proc);
  return found;
}

}  // namespace

bool ReadProcessStat(uint32_t pid, ProcessStat* out) {
  const uint32_t number = NumberInProc(pid);
  return (pid == 0 || number != 0) && ReadStat(number, out);
}

uint32_t PidFromHere(const ProcessInfo& process, bool* looked) {
  *looked = true;
  if (process.pid_namespace == 0 || process.pid_namespace == PidNamespace()) return process.pid;
  return ProcIsOurs() ? FindInProc(process, looked) : 0;
}

uint32_t PidInItsNamespace(uint32_t pid) {
  const uint32_t number = NumberInProc(pid);
  return number == 0 ? 0 : InnermostPid(number);
}

void DescribeThisProcess(ProcessInfo* info) {
  if (info->pid == 0) info->pid = static_cast<uint32_t>(getpid());
  if (info->parent_pid == 0) info->parent_pid = static_cast<uint32_t>(getppid());
  ProcessStat stat;
  if (info->start_ticks == 0 && ReadProcessStat(0, &stat)) {
    info->start_ticks = stat.start_ticks;
    info->stack = stat.stack;
  }
  if (info->pid_namespace == 0) info->pid_namespace = PidNamespace();
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
