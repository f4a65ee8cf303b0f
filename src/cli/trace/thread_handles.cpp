// SPDX-License-Identifier: MIT
#include "cli/trace/thread_handles.h"

#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <charconv>
#include <filesystem>
#include <string>
#include <system_error>

namespace rtl::cli {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kMostOffset = 4096;  // 736 in glibc 2.31 to 2.41

// Whether the control block of a thread begins at the address: the first and the third word are the
// block's own address.
bool IsControlBlock(pid_t process, uint64_t address) {
  uint64_t words[3] = {};
  iovec to = {words, sizeof words};
  iovec from = {reinterpret_cast<void*>(address), sizeof words};
  return process_vm_readv(process, &to, 1, &from, 1, 0) == sizeof words && words[0] == address &&
         words[2] == address;
}

}  // namespace

// The handle of a thread; zero: it could not be read.
uint64_t ThreadHandles::Read(pid_t process, pid_t thread) {
  void* list = nullptr;
  size_t bytes = 0;
  if (syscall(SYS_get_robust_list, thread, &list, &bytes) != 0 || list == nullptr) return 0;
  const auto address = reinterpret_cast<uint64_t>(list);
  if (offset_ != 0 && IsControlBlock(process, address - offset_)) return address - offset_;
  for (uint64_t offset = 0; offset <= kMostOffset && offset < address; offset += sizeof(void*)) {
    if (!IsControlBlock(process, address - offset)) continue;
    offset_ = offset;
    return address - offset;
  }
  return 0;
}

void ThreadHandles::LookAt(pid_t process, uint64_t now) {
  const auto known = at_last_look_.find(process);
  std::map<uint32_t, uint64_t> threads;
  std::error_code error;
  const std::string tasks = "/proc/" + std::to_string(process) + "/task";
  for (fs::directory_iterator task(tasks, error), end; !error && task != end;
       task.increment(error)) {
    const std::string name = task->path().filename().string();
    uint32_t thread = 0;
    (void)std::from_chars(name.data(), name.data() + name.size(), thread);  // the kernel's id
    uint64_t handle = 0;
    if (known != at_last_look_.end() && known->second.contains(thread)) {
      handle = known->second.at(thread);
    }
    // A thread that has just begun has no list of robust mutexes yet.
    if (handle == 0) handle = Read(process, static_cast<pid_t>(thread));
    threads.emplace(thread, handle);
    if (handle == 0) continue;
    std::vector<Owner>& owners = owners_[{process, handle}];
    if (owners.empty() || owners.back().thread != thread) owners.push_back({thread, now, now});
    owners.back().last = now;
  }
  at_last_look_[process] = std::move(threads);
}

uint32_t ThreadHandles::ThreadOf(pid_t process, uint64_t handle, uint64_t time) const {
  const auto known = owners_.find({process, handle});
  if (known == owners_.end()) return 0;
  uint32_t nearest = 0;
  uint64_t least = UINT64_MAX;
  for (const Owner& owner : known->second) {
    uint64_t distance = 0;
    if (time < owner.first) distance = owner.first - time;
    if (time > owner.last) distance = time - owner.last;
    if (distance >= least) continue;
    least = distance;
    nearest = owner.thread;
  }
  return nearest;
}

}  // namespace rtl::cli
