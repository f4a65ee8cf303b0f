// SPDX-License-Identifier: MIT
#include "vgpu/queue/doorbell_watch.h"

#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <vector>

#include "vgpu/config/config.h"
#include "vgpu/config/log.h"
#include "vgpu/queue/device_thread.h"

namespace vgpu {
namespace {

// The pages stay open for this long after a fault, and for another such time while a queue is
// awake.
constexpr long kOpenNs = 2'000'000;

// Calls the kernel directly: ioctl is one of the entry points that this library interposes.
int KernelIoctl(int fd, unsigned long request, void* argument) {
  return static_cast<int>(syscall(SYS_ioctl, fd, request, argument));
}

// A userfaultfd that can trap writes to shared memory and reports their exact address, or -1.
int OpenTrap() {
  const int fd = static_cast<int>(syscall(SYS_userfaultfd, O_CLOEXEC | UFFD_USER_MODE_ONLY));
  if (fd < 0) return -1;
  uffdio_api api{};
  api.api = UFFD_API;
  api.features =
      UFFD_FEATURE_PAGEFAULT_FLAG_WP | UFFD_FEATURE_WP_HUGETLBFS_SHMEM | UFFD_FEATURE_EXACT_ADDRESS;
  if (KernelIoctl(fd, UFFDIO_API, &api) == 0) return fd;
  const int error = errno;
  syscall(SYS_close, fd);
  errno = error;
  return -1;
}

uint64_t Doorbell(const Queue& queue) { return __atomic_load_n(queue.doorbell, __ATOMIC_ACQUIRE); }

class DoorbellWatch {
 public:
  explicit DoorbellWatch(int trap) : trap_(trap) {}

  bool AddPage(void* address, size_t bytes, uint64_t* device_side) {
    const Page page{reinterpret_cast<uint64_t>(address), bytes, device_side};
    uffdio_register range{};
    range.range.start = page.address;
    range.range.len = bytes;
    range.mode = UFFDIO_REGISTER_MODE_WP;
    if (KernelIoctl(trap_, UFFDIO_REGISTER, &range) != 0) return false;
    std::lock_guard lock(mutex_);
    std::erase_if(pages_, [&](const Page& old) { return old.address == page.address; });
    pages_.push_back(page);
    return !guarded_ || ProtectPage(page, true);
  }

  // False: it cannot watch.
  bool Park(Queue& queue, uint64_t seen) {
    std::unique_lock lock(mutex_);
    started_ = started_ || StartDeviceThread("vgpu-doorbell", [this] { Run(); });
    if (!started_) return false;
    const bool paused = queue.paused.load(std::memory_order_relaxed);
    Parked self{&queue, seen};
    parked_.push_back(&self);
    sleepers_.store(parked_.size(), std::memory_order_relaxed);
    // ShouldReturn sees a ring that came before this call. A later ring faults, or the watcher sees
    // it.
    if (!ShouldReturn(self, paused)) {
      work_.notify_one();
      self.wake.wait(lock, [&] { return self.woken || ShouldStop(queue, paused); });
    }
    std::erase(parked_, &self);
    sleepers_.store(parked_.size(), std::memory_order_relaxed);
    return true;
  }

  void Look() {
    if (sleepers_.load(std::memory_order_relaxed) == 0 || !mutex_.try_lock()) return;
    const std::lock_guard lock(mutex_, std::adopt_lock);
    ++looks_;
    WakeRung();
  }

  void Wake(Queue& queue) {
    std::lock_guard lock(mutex_);
    for (Parked* parked : parked_) {
      if (parked->queue == &queue) parked->WakeUp();
    }
  }

  void CloseTrap() { syscall(SYS_close, trap_); }

 private:
  struct Page {
    uint64_t address;
    size_t bytes;
    uint64_t* device_side;
  };

  struct Parked {
    Queue* queue;
    uint64_t seen;
    bool woken = false;
    std::condition_variable wake = {};

    void WakeUp() {
      woken = true;
      wake.notify_all();
    }
  };

  static bool ShouldStop(const Queue& queue, bool paused) {
    return queue.stop.load(std::memory_order_relaxed) ||
           queue.paused.load(std::memory_order_relaxed) != paused;
  }

  static bool ShouldReturn(const Parked& parked, bool paused) {
    return ShouldStop(*parked.queue, paused) || (!paused && Doorbell(*parked.queue) != parked.seen);
  }

  void Run() {
    std::unique_lock lock(mutex_);
    for (;;) {
      work_.wait(lock, [this] { return !parked_.empty(); });
      Guard(true);
      WakeRung();  // queues that rang before the pages were guarded
      lock.unlock();
      const uint64_t address = ReadFault();
      lock.lock();
      if (address == 0) return;  // the trap is closed
      Guard(false);
      WakeAt(address);
      for (uint64_t before = looks_ - 1; before != looks_ && !parked_.empty();) {
        before = looks_;
        lock.unlock();
        const timespec pause{0, kOpenNs};
        nanosleep(&pause, nullptr);
        lock.lock();
        WakeRung();
      }
    }
  }

  // The address of the next write to a guarded page; 0 when there can be none.
  uint64_t ReadFault() {
    for (;;) {
      uffd_msg message;
      const ssize_t bytes = syscall(SYS_read, trap_, &message, sizeof(message));
      if (bytes < 0 && errno != EAGAIN && errno != EINTR) return 0;
      if (bytes == sizeof(message) && message.event == UFFD_EVENT_PAGEFAULT) {
        return message.arg.pagefault.address;
      }
    }
  }

  // The functions below need mutex_.

  bool ProtectPage(const Page& page, bool on) {
    uffdio_writeprotect range{};
    range.range.start = page.address;
    range.range.len = page.bytes;
    range.mode = on ? UFFDIO_WRITEPROTECT_MODE_WP : 0;
    return KernelIoctl(trap_, UFFDIO_WRITEPROTECT, &range) == 0;
  }

  void Guard(bool on) {
    // If a page cannot be protected, the host has unmapped it, and no thread rings through it any
    // more.
    std::erase_if(pages_, [&](const Page& page) { return !ProtectPage(page, on); });
    guarded_ = on;
  }

  void WakeRung() {
    for (Parked* parked : parked_) {
      const bool paused = parked->queue->paused.load(std::memory_order_relaxed);
      if (!paused && Doorbell(*parked->queue) != parked->seen) parked->WakeUp();
    }
  }

  void WakeAt(uint64_t address) {
    for (const Page& page : pages_) {
      if (address < page.address || address >= page.address + page.bytes) continue;
      const uint64_t* doorbell =
          page.device_side + (address - page.address) / sizeof(*page.device_side);
      for (Parked* parked : parked_) {
        if (parked->queue->doorbell == doorbell) parked->WakeUp();
      }
    }
  }

  const int trap_;
  std::mutex mutex_;
  std::condition_variable work_;
  bool started_ = false;  // its thread
  bool guarded_ = false;
  uint64_t looks_ = 0;  // how often awake queues have looked at the doorbells of parked ones
  std::vector<Page> pages_;
  std::vector<Parked*> parked_;      // each on the stack of its queue's thread
  std::atomic<size_t> sleepers_{0};  // the size of parked_
};

std::atomic<DoorbellWatch*> g_watch{nullptr};
std::atomic<bool> g_cannot_watch{false};

DoorbellWatch* CreateWatch() {
  const int trap = OpenTrap();
  if (trap < 0) return nullptr;
  auto* fresh = new DoorbellWatch(trap);
  DoorbellWatch* first = nullptr;
  if (g_watch.compare_exchange_strong(first, fresh, std::memory_order_acq_rel)) return fresh;
  fresh->CloseTrap();
  delete fresh;
  return first;
}

}  // namespace

void WatchDoorbells(void* address, size_t bytes, uint64_t* device_side) {
  if (!GetConfig().doorbell_trap || g_cannot_watch.load(std::memory_order_relaxed)) return;
  DoorbellWatch* watch = g_watch.load(std::memory_order_acquire);
  if (watch == nullptr) watch = CreateWatch();
  if (watch != nullptr && watch->AddPage(address, bytes, device_side)) return;
  g_cannot_watch.store(true, std::memory_order_relaxed);
  Log(LogLevel::kIoctl, "doorbells cannot be trapped (%s): idle queues poll", std::strerror(errno));
}

bool ParkQueue(Queue& queue, uint64_t seen) {
  if (g_cannot_watch.load(std::memory_order_relaxed)) return false;
  DoorbellWatch* watch = g_watch.load(std::memory_order_acquire);
  if (watch == nullptr) return false;
  if (watch->Park(queue, seen)) return true;
  g_cannot_watch.store(true, std::memory_order_relaxed);
  return false;
}

void LookForSleepers() {
  DoorbellWatch* watch = g_watch.load(std::memory_order_acquire);
  if (watch != nullptr) watch->Look();
}

void WakeParked(Queue& queue) {
  DoorbellWatch* watch = g_watch.load(std::memory_order_acquire);
  if (watch != nullptr) watch->Wake(queue);
}

void ForgetDoorbellWatch() {
  DoorbellWatch* inherited = g_watch.exchange(nullptr, std::memory_order_acq_rel);
  if (inherited != nullptr) inherited->CloseTrap();  // the rest belongs to the parent, and stays
  g_cannot_watch.store(false, std::memory_order_relaxed);
}

}  // namespace vgpu
