// SPDX-License-Identifier: MIT
#include "vgpu/kfd/sync_objects.h"

#include <drm/drm.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <ctime>
#include <string_view>
#include <utility>
#include <vector>

#include "vgpu/mem/memory_file.h"

namespace vgpu {
namespace {

// Names of files, as MakeMemoryFile takes them. The kernel shows them with "/memfd:" in front.
constexpr char kObjectName[] = "vgpu-syncobj";
constexpr char kFenceName[] = "vgpu-sync-file";  // always readable: its fence has signalled

bool IsNamed(int fd, std::string_view name) {
  char path[64];
  char target[128];
  std::snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
  const long length = syscall(SYS_readlinkat, AT_FDCWD, path, target, sizeof(target));
  constexpr std::string_view kShown = "/memfd:";
  std::string_view shown(target, length > 0 ? static_cast<size_t>(length) : 0);
  if (!shown.starts_with(kShown)) return false;
  shown.remove_prefix(kShown.size());
  return shown.substr(0, shown.find(' ')) == name;  // " (deleted)" follows
}

int Duplicate(int fd) {
  const long copy = syscall(SYS_fcntl, fd, F_DUPFD_CLOEXEC, 0);
  return copy < 0 ? -errno : static_cast<int>(copy);
}

timespec TimeOf(int64_t ns) {
  constexpr int64_t kSecond = 1'000'000'000;
  return {ns / kSecond, ns % kSecond};
}

int64_t MonotonicNow() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

// Waits until one of the words changes. Kernels before 5.16 cannot wait for several words: there it
// sleeps for half a millisecond.
int WaitForChange(std::span<const futex_waitv> words, int64_t deadline_ns) {
  const timespec deadline = TimeOf(deadline_ns);
  const size_t count = std::min<size_t>(words.size(), FUTEX_WAITV_MAX);
  const long result = syscall(SYS_futex_waitv, words.data(), count, 0, &deadline, CLOCK_MONOTONIC);
  if (result >= 0 || errno == EAGAIN || errno == ETIMEDOUT) return 0;
  if (errno != ENOSYS) return -errno;
  const timespec pause = TimeOf(500'000);
  syscall(SYS_nanosleep, &pause, nullptr);
  return 0;
}

}  // namespace

std::shared_ptr<SyncObject> SyncObject::Open(int fd) {
  void* mapped = reinterpret_cast<void*>(
      syscall(SYS_mmap, nullptr, sizeof(State), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0));
  if (mapped == MAP_FAILED) {
    syscall(SYS_close, fd);
    return nullptr;
  }
  return std::shared_ptr<SyncObject>(new SyncObject(fd, static_cast<State*>(mapped)));
}

SyncObject::~SyncObject() {
  syscall(SYS_munmap, state_, sizeof(State));
  syscall(SYS_close, fd_);
}

void SyncObject::Announce() {
  state_->changes.fetch_add(1, std::memory_order_release);
  syscall(SYS_futex, &state_->changes, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

void SyncObject::Set(uint64_t reached) {
  state_->reached.store(reached, std::memory_order_release);
  Announce();
}

void SyncObject::SignalPoint(uint64_t point) {
  const uint64_t reached = point == UINT64_MAX ? point : point + 1;
  uint64_t now = Reached();
  while (now < reached &&
         !state_->reached.compare_exchange_weak(now, reached, std::memory_order_release)) {
  }
  Announce();
}

void SyncObject::WaitFor(uint64_t point) const {
  for (;;) {
    const uint32_t seen = changes();
    if (HasReached(point)) return;
    syscall(SYS_futex, &state_->changes, FUTEX_WAIT, seen, nullptr, nullptr, 0);
  }
}

uint32_t SyncObjects::Add(std::shared_ptr<SyncObject> object) {
  const std::lock_guard lock(mutex_);
  objects_.emplace(next_, std::move(object));
  return next_++;
}

int SyncObjects::Create(bool signalled, uint32_t* handle) {
  constexpr uint64_t kBytes = 4096;
  const int fd = MakeMemoryFile(kObjectName, kBytes);
  if (fd < 0) return fd;
  std::shared_ptr<SyncObject> object = SyncObject::Open(fd);
  if (object == nullptr) return -ENOMEM;
  if (signalled) object->Signal();
  *handle = Add(std::move(object));
  return 0;
}

int SyncObjects::Destroy(uint32_t handle) {
  std::shared_ptr<SyncObject> last;  // outlives the lock
  const std::lock_guard lock(mutex_);
  const auto found = objects_.find(handle);
  if (found == objects_.end()) return -EINVAL;
  last = std::move(found->second);
  objects_.erase(found);
  return 0;
}

std::shared_ptr<SyncObject> SyncObjects::Find(uint32_t handle) const {
  const std::lock_guard lock(mutex_);
  const auto found = objects_.find(handle);
  return found == objects_.end() ? nullptr : found->second;
}

int SyncObjects::Export(uint32_t handle) const {
  const auto object = Find(handle);
  return object == nullptr ? -EINVAL : Duplicate(object->fd());
}

int SyncObjects::Import(int fd, uint32_t* handle) {
  if (!IsNamed(fd, kObjectName)) return -EINVAL;
  const int copy = Duplicate(fd);
  if (copy < 0) return copy;
  auto object = SyncObject::Open(copy);
  if (object == nullptr) return -ENOMEM;
  *handle = Add(std::move(object));
  return 0;
}

int SyncObjects::ExportFence(uint32_t handle) const {
  const auto object = Find(handle);
  if (object == nullptr) return -ENOENT;
  return object->HasFence() ? MakeMemoryFile(kFenceName, 0) : -EINVAL;
}

int SyncObjects::ImportFence(int fd, uint32_t handle, uint64_t point) {
  if (!IsNamed(fd, kFenceName)) return -EINVAL;
  const auto object = Find(handle);
  if (object == nullptr) return -ENOENT;
  object->SignalAt(point);
  return 0;
}

int SyncObjects::Wait(const SyncWait& wait, uint32_t* first) const {
  constexpr uint32_t kLater =
      DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT | DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE;
  const size_t count = wait.handles.size();
  std::vector<std::shared_ptr<SyncObject>> objects;
  for (const uint32_t handle : wait.handles) {
    objects.push_back(Find(handle));
    if (objects.back() == nullptr) return -ENOENT;
  }
  const size_t wanted = (wait.flags & DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL) != 0 ? count : 1;
  std::vector<futex_waitv> words;
  for (;;) {
    words.clear();
    bool found = false;
    for (size_t i = 0; i < count; ++i) {
      const SyncObject& object = *objects[i];
      const futex_waitv word{object.changes(), reinterpret_cast<uint64_t>(object.word()), FUTEX_32,
                             0};
      if (object.HasReached(wait.points == nullptr ? 0 : wait.points[i])) {
        if (!std::exchange(found, true)) *first = static_cast<uint32_t>(i);
        continue;
      }
      if ((wait.flags & kLater) == 0) return -EINVAL;  // there is no such fence
      words.push_back(word);
    }
    if (count - words.size() >= std::min(wanted, count)) return 0;
    if (wait.deadline_ns <= MonotonicNow()) return -ETIME;
    if (const int error = WaitForChange(words, wait.deadline_ns); error != 0) return error;
  }
}

void SyncObjects::CloseFiles() {
  for (const auto& [handle, object] : objects_) syscall(SYS_close, object->fd());
}

}  // namespace vgpu
