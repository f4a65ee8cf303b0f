// SPDX-License-Identifier: MIT
#include "spool/sharing.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/text.h"
#include "spool/process_stat.h"

namespace rtl::spool {
namespace {

constexpr uint64_t kLockWaitNs = 2'000'000'000;
constexpr int kDirectory = O_RDONLY | O_DIRECTORY | O_CLOEXEC;

// False if another process held the lock all the time, or if the file system has no locks.
bool Lock(int fd, int how, uint64_t limit_ns) {
  const uint64_t deadline = BootTimeNs() + limit_ns;
  while (flock(fd, how | LOCK_NB) != 0) {
    if ((errno != EWOULDBLOCK && errno != EINTR) || BootTimeNs() >= deadline) return false;
    Nap(1'000'000);
  }
  return true;
}

// Splits "<directory>/<name>"; the directory of a name without a slash is ".".
void Split(const char* path, char* directory, size_t size, const char** name) {
  const char* slash = strrchr(path, '/');
  *name = slash == nullptr ? path : slash + 1;
  if (slash == nullptr) {
    CopyText(directory, size, ".");
    return;
  }
  const size_t length = slash == path ? 1 : static_cast<size_t>(slash - path);
  snprintf(directory, size, "%.*s", static_cast<int>(length), path);
}

bool IsPrivate(int directory) {
  struct stat info;
  return fstat(directory, &info) == 0 && info.st_uid == geteuid() &&
         (info.st_mode & (S_IRWXG | S_IRWXO)) == 0;
}

bool ReadCollector(int spool, CollectorProcess* out) {
  const UniqueFd fd(openat(spool, kCollectorFile, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
  if (!fd.valid()) return false;
  char text[64] = {};
  if (read(fd.get(), text, sizeof text - 1) <= 0) return false;
  char* at = text;
  out->pid = static_cast<uint32_t>(strtoul(text, &at, 10));
  out->start_ticks = strtoull(at, nullptr, 10);
  return out->pid != 0;
}

// Calls `visit(path, fd)` for every private spool beside `database` until it returns true.
template <typename Visit>
bool AnySpool(const char* database, Visit visit) {
  char parent[PATH_MAX];
  const char* name = nullptr;
  Split(database, parent, sizeof parent, &name);
  char prefix[NAME_MAX + sizeof kSpoolInfix];
  snprintf(prefix, sizeof prefix, "%s%s", name, kSpoolInfix);
  const size_t prefix_bytes = strlen(prefix);
  DIR* entries = opendir(parent);
  if (entries == nullptr) return false;
  bool found = false;
  while (const dirent* entry = found ? nullptr : readdir(entries)) {
    if (strncmp(entry->d_name, prefix, prefix_bytes) != 0) continue;
    UniqueFd fd(openat(dirfd(entries), entry->d_name, kDirectory | O_NOFOLLOW));
    if (!fd.valid() || !IsPrivate(fd.get())) continue;
    char path[PATH_MAX + NAME_MAX + 2];
    snprintf(path, sizeof path, "%s/%s", parent, entry->d_name);
    found = visit(path, &fd);
  }
  (void)closedir(entries);
  return found;
}

size_t CountControlPages(const char* spool) {
  DIR* entries = opendir(spool);
  if (entries == nullptr) return 0;
  size_t pages = 0;
  while (const dirent* entry = readdir(entries)) {
    const size_t length = strlen(entry->d_name);
    pages += length > 4 && strcmp(entry->d_name + length - 4, ".ctl") == 0;
  }
  (void)closedir(entries);
  return pages;
}

}  // namespace

bool Alive(const CollectorProcess& collector) {
  if (collector.pid == 0) return false;
  ProcessStat stat;
  if (!ReadProcessStat(collector.pid, &stat)) {
    // The process is gone, or /proc cannot be read (for example, because no descriptor is left).
    // The pid alone is ambiguous.
    return kill(static_cast<pid_t>(collector.pid), 0) == 0 || errno != ESRCH;
  }
  return !stat.dead() && (collector.start_ticks == 0 || stat.start_ticks == collector.start_ticks);
}

OutputLock::OutputLock(const char* database) {
  char parent[PATH_MAX];
  const char* name = nullptr;
  Split(database, parent, sizeof parent, &name);
  directory_.reset(open(parent, kDirectory));
  // Without the lock two processes may each make a spool, which their collectors can handle.
  if (directory_.valid()) (void)Lock(directory_.get(), LOCK_EX, kLockWaitNs);
}

Status AnnounceCollector(const char* spool, const CollectorProcess& collector) {
  char text[64];
  const int length = snprintf(text, sizeof text, "%u %llu\n", collector.pid,
                              static_cast<unsigned long long>(collector.start_ticks));
  const UniqueFd directory(open(spool, kDirectory | O_NOFOLLOW));
  const UniqueFd fd(openat(directory.get(), kCollectorFile,
                           O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!fd.valid() || write(fd.get(), text, static_cast<size_t>(length)) != length) {
    return Status::ErrnoError(errno, "cannot write %.160s/%s", spool, kCollectorFile);
  }
  return Status::Ok();
}

bool FindOpenSpool(const char* database, char* spool, size_t size, CollectorProcess* collector,
                   UniqueFd* hold) {
  return AnySpool(database, [&](const char* path, UniqueFd* fd) {
    if (!ReadCollector(fd->get(), collector) || !Alive(*collector)) return false;
    if (!Lock(fd->get(), LOCK_SH, kLockWaitNs)) return false;
    if (faccessat(fd->get(), kClosedFile, F_OK, AT_SYMLINK_NOFOLLOW) == 0) return false;
    if (!CopyText(spool, size, path)) return false;
    *hold = static_cast<UniqueFd&&>(*fd);
    return true;
  });
}

bool CloseSpool(const char* spool, size_t processes) {
  const UniqueFd directory(open(spool, kDirectory | O_NOFOLLOW));
  if (!directory.valid()) return true;  // the spool was removed meanwhile
  if (flock(directory.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) return false;
  if (CountControlPages(spool) > processes) return false;
  const UniqueFd closed(
      openat(directory.get(), kClosedFile, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
  // if the file cannot be made, a process may join too late; its own collector reports that
  return true;
}

bool EarlierCollects(const char* database, const char* own_spool, const CollectorProcess& self) {
  struct stat own;
  const bool has_own = stat(own_spool, &own) == 0;
  return AnySpool(database, [&](const char*, UniqueFd* fd) {
    struct stat info;
    if (has_own && fstat(fd->get(), &info) == 0 && info.st_ino == own.st_ino) return false;
    CollectorProcess collector;
    if (!ReadCollector(fd->get(), &collector) || !Alive(collector)) return false;
    return collector.start_ticks < self.start_ticks ||
           (collector.start_ticks == self.start_ticks && collector.pid < self.pid);
  });
}

void RemoveSharing(const char* spool) {
  const UniqueFd directory(open(spool, kDirectory | O_NOFOLLOW));
  if (!directory.valid()) return;
  // These files exist only in a shared spool.
  (void)unlinkat(directory.get(), kCollectorFile, 0);
  (void)unlinkat(directory.get(), kClosedFile, 0);
}

}  // namespace rtl::spool
