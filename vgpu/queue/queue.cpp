// SPDX-License-Identifier: MIT
#include "vgpu/queue/queue.h"

#include <linux/kfd_ioctl.h>

#include <algorithm>
#include <ctime>

#include "vgpu/clock/clock.h"
#include "vgpu/queue/device_thread.h"
#include "vgpu/queue/doorbell_watch.h"

namespace vgpu {
namespace {

// Measured on a host with few cores, see the header for why there is no yield.
constexpr uint32_t kSpinRounds = 400;      // about 20 us
constexpr uint32_t kLongIdleRounds = 412;  // the sleeps are long then
constexpr uint32_t kLateRounds = 3000;
constexpr uint32_t kSpinsBetweenLooks = 64;  // about 3 us
constexpr long kFirstSleepNs = 10'000;
constexpr long kLongSleepNs = 100'000;
constexpr long kLongestSleepNs = 500'000;

// A timed sleep is rarely later than this.
constexpr uint64_t kSpinNs = 100'000;
constexpr uint64_t kStopCheckNs = 10'000'000;
constexpr uint64_t kLongestLookNs = 10'000'000;  // one step of QuietFor counts no more than this

const char* ThreadName(uint32_t type) {
  return type == KFD_IOC_QUEUE_TYPE_COMPUTE_AQL ? "vgpu-aql" : "vgpu-sdma";
}

}  // namespace

bool Backoff::Pause() {
  if (++rounds_ < kSpinRounds) {
    __builtin_ia32_pause();
    return false;
  }
  if (rounds_ == kSpinRounds) sleep_ns_ = kFirstSleepNs;
  const timespec pause{0, sleep_ns_};
  nanosleep(&pause, nullptr);
  // Each sleep takes the processor from a host thread twice, so there are few sleeps: each is
  // longer than the last, and the wait ends late by a fraction of its length.
  sleep_ns_ =
      std::min(sleep_ns_ + sleep_ns_ / 4, rounds_ < kLateRounds ? kLongSleepNs : kLongestSleepNs);
  return true;
}

bool Backoff::LongIdle() const { return rounds_ > kLongIdleRounds; }

bool StartQueue(Queue& queue, void (*processor)(Queue&)) {
  const auto run = [&queue, processor] { processor(queue); };
  return StartDeviceThread(ThreadName(queue.type), run, &queue.thread);
}

void StopQueue(Queue& queue) {
  queue.stop.store(true, std::memory_order_relaxed);
  WakeQueue(queue);
  if (!queue.thread) return;
  pthread_join(*queue.thread, nullptr);
  queue.thread.reset();
}

void WakeQueue(Queue& queue) { WakeParked(queue); }

bool WaitForDoorbell(Queue& queue, uint64_t seen, uint64_t* value) {
  Backoff backoff;
  uint32_t spins = 0;
  while (!queue.stop.load(std::memory_order_relaxed)) {
    if (!queue.paused.load(std::memory_order_relaxed)) {
      // Pairs with the host's store: the packets before it are complete.
      *value = __atomic_load_n(queue.doorbell, __ATOMIC_ACQUIRE);
      if (*value != seen) return true;
    }
    if (backoff.LongIdle() && ParkQueue(queue, seen)) {
      backoff.Reset();
    } else if (backoff.Pause() || ++spins % kSpinsBetweenLooks == 0) {
      LookForSleepers();
    }
  }
  return false;
}

bool QuietFor(Queue& queue, uint64_t seen, uint64_t ns) {
  Backoff backoff;
  uint64_t last = HostRawNs();
  for (uint64_t quiet = 0; quiet < ns; backoff.Pause()) {
    if (queue.stop.load(std::memory_order_relaxed)) return false;
    if (__atomic_load_n(queue.doorbell, __ATOMIC_ACQUIRE) != seen) return false;
    const uint64_t now = HostRawNs();
    quiet += std::min(now - last, kLongestLookNs);
    last = now;
  }
  return true;
}

bool WaitWhilePaused(Queue& queue) {
  Backoff backoff;
  while (!queue.stop.load(std::memory_order_relaxed)) {
    if (!queue.paused.load(std::memory_order_relaxed)) [[likely]]
      return true;
    const uint64_t seen = __atomic_load_n(queue.doorbell, __ATOMIC_RELAXED);
    if (backoff.LongIdle() && ParkQueue(queue, seen)) {
      backoff.Reset();
    } else {
      backoff.Pause();
    }
  }
  return false;
}

bool WaitUntil(Queue& queue, uint64_t raw_ns) {
  for (uint64_t now = HostRawNs(); now < raw_ns; now = HostRawNs()) {
    if (queue.stop.load(std::memory_order_relaxed)) return false;
    const uint64_t left = raw_ns - now;
    if (left <= kSpinNs) {
      __builtin_ia32_pause();
      continue;
    }
    const timespec pause{0, static_cast<long>(std::min(left - kSpinNs, kStopCheckNs))};
    nanosleep(&pause, nullptr);
  }
  return true;
}

}  // namespace vgpu
