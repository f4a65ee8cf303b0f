// SPDX-License-Identifier: MIT
#include "vgpu/kfd/sampling_sessions.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>

#include "vgpu/config/log.h"

namespace vgpu {
namespace {

constexpr mode_t kMode = 0600;

// Calls the kernel directly, because open is one of the entry points that this library interposes.
int OpenTable(const std::string& path) {
  return static_cast<int>(
      syscall(SYS_openat, AT_FDCWD, path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, kMode));
}

// The lock of a session's byte. `how`: F_OFD_SETLK or F_OFD_GETLK.
bool LockByte(int fd, int how, uint32_t slot, short* type) {
  struct flock byte = {};
  byte.l_type = *type;
  byte.l_whence = SEEK_SET;
  byte.l_start = slot;
  byte.l_len = 1;
  if (syscall(SYS_fcntl, fd, how, &byte) != 0) return false;
  *type = byte.l_type;
  return true;
}

bool SameInfo(const PcSampleInfo& a, const PcSampleInfo& b) {
  return std::memcmp(&a, &b, sizeof(a)) == 0;
}

}  // namespace

// The table, read and locked: no other process can change it while this object exists.
class SamplingSessions::Table {
 public:
  // Uses `fd` and leaves it open; -1: opens the file, and closes it at the end.
  Table(const std::string& file, int fd) : own_(fd < 0), fd_(own_ ? OpenTable(file) : fd) {
    if (fd_ < 0) return;
    while (syscall(SYS_flock, fd_, LOCK_EX) != 0) {
      if (errno != EINTR) return;
    }
    const auto bytes = syscall(SYS_pread64, fd_, sessions_, sizeof(sessions_), 0);
    good_ = bytes >= 0;
  }
  ~Table() {
    if (fd_ < 0) return;
    syscall(SYS_flock, fd_, LOCK_UN);
    if (own_) syscall(SYS_close, fd_);
  }
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  bool good() const { return good_; }
  // Returns the descriptor, which the caller owns from now on.
  int Release() { return own_ = false, fd_; }
  Session& at(uint32_t slot) { return sessions_[slot]; }

  // Whether the session in this slot belongs to another process that is alive.
  bool IsLive(uint32_t slot) {
    if (sessions_[slot].used == 0) return false;
    short type = F_WRLCK;
    return LockByte(fd_, F_OFD_GETLK, slot, &type) && type != F_UNLCK;
  }
  bool Write(uint32_t slot) {
    const auto at = static_cast<off_t>(slot * sizeof(Session));
    return syscall(SYS_pwrite64, fd_, &sessions_[slot], sizeof(Session), at) == sizeof(Session);
  }
  bool SetLock(uint32_t slot, short type) { return LockByte(fd_, F_OFD_SETLK, slot, &type); }

 private:
  bool own_;
  const int fd_;
  bool good_ = false;
  Session sessions_[kSlots] = {};
};

// If `table` is nullptr or cannot be read, only sessions of this process are found.
bool SamplingSessions::FindIn(Table* table, int gpu, PcSampleInfo* info) const {
  const auto take = [&](const Session& session) {
    if (session.gpu != static_cast<uint32_t>(gpu)) return false;
    *info = session.info;
    return true;
  };
  for (const auto& [slot, session] : ours_) {
    if (take(session)) return true;
  }
  if (table == nullptr || !table->good()) return false;
  for (uint32_t slot = 0; slot < kSlots; ++slot) {
    if (!ours_.contains(slot) && table->IsLive(slot) && take(table->at(slot))) return true;
  }
  return false;
}

bool SamplingSessions::Find(int gpu, PcSampleInfo* info) const {
  if (file_.empty()) return FindIn(nullptr, gpu, info);
  Table table(file_, fd_);
  return FindIn(&table, gpu, info);
}

// False: the table cannot be written.
bool SamplingSessions::Enter(Table* table, const Session& session, uint32_t* slot) {
  for (uint32_t i = 0; table->good() && i < kSlots; ++i) {
    if (ours_.contains(i) || table->IsLive(i)) continue;
    table->at(i) = session;
    if (!table->SetLock(i, F_WRLCK) || !table->Write(i)) break;
    fd_ = table->Release();
    *slot = i;
    return true;
  }
  Log(LogLevel::kError, "other processes cannot see this PC-sampling session: %s cannot be used",
      file_.c_str());
  return false;
}

int SamplingSessions::Add(int gpu, PcSampleInfo* info, uint32_t* slot) {
  std::optional<Table> table;
  if (!file_.empty()) table.emplace(file_, fd_);
  if (PcSampleInfo other; FindIn(table ? &*table : nullptr, gpu, &other)) {
    if (!SameInfo(other, *info)) {
      *info = other;
      return -EEXIST;
    }
  }
  const Session session = {
      .used = 1, .pid = getpid(), .gpu = static_cast<uint32_t>(gpu), .info = *info};
  if (!table || !Enter(&*table, session, slot)) {
    *slot = kSlots;
    while (ours_.contains(*slot)) ++*slot;
  }
  ours_.emplace(*slot, session);
  return 0;
}

void SamplingSessions::Remove(uint32_t slot) {
  if (ours_.erase(slot) == 0 || slot >= kSlots || fd_ < 0) return;
  {
    Table table(file_, fd_);
    if (table.good()) {
      table.at(slot) = {};
      (void)table.Write(slot);  // if this fails, the session still ends with its lock
      (void)table.SetLock(slot, F_UNLCK);
    }
  }
  const bool any =
      std::ranges::any_of(ours_, [](const auto& entry) { return entry.first < kSlots; });
  if (any) return;
  syscall(SYS_close, fd_);
  fd_ = -1;
}

void SamplingSessions::Close() {
  ours_.clear();
  if (fd_ >= 0) syscall(SYS_close, fd_);
  fd_ = -1;
}

}  // namespace vgpu
