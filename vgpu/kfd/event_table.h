// SPDX-License-Identifier: MIT
// event_table.h: the events of a process, as the kernel driver keeps them.
//
// Threads    any; one lock. Wait blocks, and other calls never wait for it
// Errors     0 or -errno, as the kernel driver answers
//
// One behaviour differs from the kernel driver. There, setting an auto-reset event wakes the
// threads that wait at that moment, and a thread on its way into Wait sleeps on. ROCm before 5.6
// has one such event for all its queues, and destroying two at once then hangs now and then. Here a
// caller without ages sees every event that was set since its last Wait returned, whichever thread
// took it.
#pragma once

#include <linux/kfd_ioctl.h>

#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace vgpu {

struct EventCounts {
  uint64_t events = 0;
  uint64_t signal_events = 0;  // of them
  uint64_t created = 0;
};

class EventTable {
 public:
  // Interfaces from 1.14 on report the age of an event, so that no signal is missed between waits.
  explicit EventTable(bool with_ages);

  // `slots` has KFD_SIGNAL_EVENT_LIMIT elements and outlives the table.
  void SetSignalPage(uint64_t* slots);

  // A signal event's id is also its slot and its trigger data.
  [[nodiscard]] int Create(uint32_t type, bool auto_reset, uint32_t* id);
  // Threads that wait for it get -EIO.
  [[nodiscard]] int Destroy(uint32_t id);
  [[nodiscard]] int Set(uint32_t id);
  [[nodiscard]] int Reset(uint32_t id);
  // Sets the event for an interrupt of the device, and marks the event's slot as seen.
  [[nodiscard]] int Interrupt(uint32_t id);
  // Signals every memory event with this fault.
  void MemoryFault(uint32_t gpu_id, uint64_t va);

  // Waits for one or all of the events. Ages and fault data are written into `events`, and
  // KFD_IOC_WAIT_RESULT_* into *result.
  [[nodiscard]] int Wait(std::span<kfd_event_data> events, bool all, uint32_t timeout_ms,
                         uint32_t* result);

  EventCounts Counts() const;
  size_t TEST_Waiters(uint32_t id);  // threads that sleep in Wait for this event

 private:
  struct Waiter;

  struct Event {
    uint32_t type = 0;
    bool auto_reset = false;
    bool signaled = false;
    uint64_t age = 1;     // 0 means "no age" in the interface
    uint64_t set_at = 0;  // the value of `sets` at the last Set; 0: not set since its reset
    bool has_fault = false;
    kfd_hsa_memory_exception_data fault = {};
    std::vector<Waiter*> waiters;
  };

  // One event of one Wait; lives on the stack of the waiting thread.
  struct Waiter {
    Event* event = nullptr;  // nullptr once the event was destroyed
    bool activated = false;
    bool with_age = false;
    std::condition_variable* wake = nullptr;
  };

  // All of these need mutex_.
  Event* Find(uint32_t id);
  int CreateSignalEvent(std::unique_ptr<Event> event, uint32_t* id);
  static void SetLocked(Event* event);
  static void WakeWaiters(Event* event);
  void LookAt(const kfd_event_data& data, Waiter* waiter);
  static bool IsSignalType(uint32_t type);
  static void Finish(std::span<kfd_event_data> events, std::span<Waiter> waiters, bool timed_out);

  const bool with_ages_;
  mutable std::mutex mutex_;
  // All guarded by mutex_.
  std::vector<std::unique_ptr<Event>> signal_events_;        // by id; 0 is never used
  std::map<uint32_t, std::unique_ptr<Event>> other_events_;  // by id
  uint32_t next_signal_ = 1;
  uint32_t next_other_;
  uint64_t* slots_ = nullptr;
  EventCounts counts_;
};

}  // namespace vgpu
