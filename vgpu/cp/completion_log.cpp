// SPDX-License-Identifier: MIT
#include "vgpu/cp/completion_log.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

namespace vgpu {
namespace {

constexpr mode_t kLogMode = 0644;

}  // namespace

int CompletionLog::Open(const std::string& path, uint64_t clock_hz, uint64_t capacity) {
  const int fd = static_cast<int>(syscall(SYS_openat, AT_FDCWD, path.c_str(),
                                          O_CREAT | O_TRUNC | O_RDWR | O_CLOEXEC, kLogMode));
  if (fd < 0) return -errno;
  const size_t bytes = sizeof(CompletionHeader) + capacity * sizeof(CompletionEntry);
  int error = syscall(SYS_ftruncate, fd, bytes) == 0 ? 0 : -errno;
  if (error == 0) {
    const long mapped =
        syscall(SYS_mmap, nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (mapped == -1) {
      error = -errno;
    } else {
      header_ = reinterpret_cast<CompletionHeader*>(mapped);
      entries_ = reinterpret_cast<CompletionEntry*>(header_ + 1);
      *header_ = {kCompletionMagic, capacity, 0, clock_hz, {}};
    }
  }
  syscall(SYS_close, fd);
  return error;
}

CompletionEntry* CompletionLog::Add(CompletionEntry entry) {
  const uint64_t index = __atomic_fetch_add(&header_->count, 1, __ATOMIC_RELAXED);
  if (index >= header_->capacity) return nullptr;
  CompletionEntry& slot = entries_[index];
  entry.number = 0;
  slot = entry;
  // Pairs with a reader's acquire, in any process.
  __atomic_store_n(&slot.number, index + 1, __ATOMIC_RELEASE);
  return &slot;
}

}  // namespace vgpu
