// SPDX-License-Identifier: MIT
// queue.h: one user mode queue of a virtual GPU, and how its thread waits.
//
// Threads    a queue has one thread, which owns everything that is not atomic once it started;
//            the driver's threads set `stop` and `paused` and then call WakeQueue
// Memory     ring, indices and doorbell belong to the process; they outlive the queue's thread
#pragma once

#include <pthread.h>

#include <atomic>
#include <cstdint>
#include <optional>

namespace vgpu {

struct Queue {
  uint32_t id = 0;
  int gpu = 0;
  uint32_t type = 0;       // KFD_IOC_QUEUE_TYPE_*
  uint64_t ring = 0;       // host address
  uint64_t ring_size = 0;  // bytes, a power of two
  uint64_t save_area = 0;  // address in the process; 0: none
  // Shared with the host: access them with __atomic_load_n and __atomic_store_n.
  uint64_t* write_index = nullptr;
  uint64_t* read_index = nullptr;
  uint64_t* doorbell = nullptr;
  uint32_t doorbell_slot = 0;  // its number in the process's page

  std::atomic<bool> stop{false};    // the thread is to end
  std::atomic<bool> paused{false};  // no packet is started until it is cleared
  std::atomic<uint64_t> packets{0};
  std::atomic<uint64_t> dispatches{0};

  std::optional<pthread_t> thread;  // StopQueue joins it
};

// Starts the queue's thread, which runs `processor(queue)` until it returns. False: the system gives
// no thread.
[[nodiscard]] bool StartQueue(Queue& queue, void (*processor)(Queue&));
// Stops the thread and joins it.
void StopQueue(Queue& queue);
// Makes a sleeping queue look at stop and paused again.
void WakeQueue(Queue& queue);

// How a device thread waits: it spins for microseconds, then sleeps for longer and longer. It never
// yields: a yield moves a thread's deadline behind a host thread that spins.
class Backoff {
 public:
  // True when it slept.
  bool Pause();
  void Reset() { rounds_ = 0; }
  // True after about half a millisecond of waiting, when the sleeps have become long.
  bool LongIdle() const;

 private:
  uint32_t rounds_ = 0;
  long sleep_ns_ = 0;
};

// Waits until pred() is true. False when the queue is to stop instead.
template <class Predicate>
[[nodiscard]] bool PollUntil(Queue& queue, Predicate pred) {
  Backoff backoff;
  while (!pred()) {
    if (queue.stop.load(std::memory_order_relaxed)) return false;
    backoff.Pause();
  }
  return true;
}

// Waits until the doorbell holds another value than `seen` while the queue is not paused, and
// stores it in *value. False when the queue is to stop instead. An idle queue costs no CPU time.
[[nodiscard]] bool WaitForDoorbell(Queue& queue, uint64_t seen, uint64_t* value);

// True when the doorbell has held `seen` for `ns` nanoseconds. Time during which the machine or the
// process stood still does not count. False as soon as the doorbell changes or the queue is to
// stop.
[[nodiscard]] bool QuietFor(Queue& queue, uint64_t seen, uint64_t ns);

// Waits while the queue is paused. False, when it is to stop instead.
[[nodiscard]] bool WaitWhilePaused(Queue& queue);

// Waits until that raw host time; only the last microseconds cost CPU time. False, when the queue
// is to stop instead.
[[nodiscard]] bool WaitUntil(Queue& queue, uint64_t raw_ns);

}  // namespace vgpu
