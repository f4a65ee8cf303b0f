// SPDX-License-Identifier: MIT
#include "vgpu/kfd/event_table.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <utility>

namespace vgpu {
namespace {

constexpr uint32_t kFirstOtherId = 0x80000000u;
constexpr uint32_t kWaitForever = 0xffffffffu;
constexpr uint64_t kUnsignaledSlot = ~uint64_t{0};
constexpr uint64_t kFaultPageMask = ~uint64_t{4095};

// `sets`: how often any event was set so far. `last_look`: the value of `sets` when this thread's
// last Wait returned.
std::atomic<uint64_t> sets{0};
constinit thread_local uint64_t last_look = 0;

// kfd_event_data is a union; older headers do not show where the age of a signal event lies.
uint64_t ReadAge(const kfd_event_data& data) {
  uint64_t age;
  std::memcpy(&age, &data, sizeof(age));
  return age;
}

void WriteAge(uint64_t age, kfd_event_data* data) {
  std::memcpy(static_cast<void*>(data), &age, sizeof(age));
}

}  // namespace

EventTable::EventTable(bool with_ages)
    : with_ages_(with_ages), signal_events_(KFD_SIGNAL_EVENT_LIMIT), next_other_(kFirstOtherId) {}

bool EventTable::IsSignalType(uint32_t type) {
  return type == KFD_IOC_EVENT_SIGNAL || type == KFD_IOC_EVENT_DEBUG_EVENT;
}

void EventTable::SetSignalPage(uint64_t* slots) {
  std::lock_guard lock(mutex_);
  slots_ = slots;
  std::fill_n(slots_, KFD_SIGNAL_EVENT_LIMIT, kUnsignaledSlot);
}

EventTable::Event* EventTable::Find(uint32_t id) {
  if (id < KFD_SIGNAL_EVENT_LIMIT) return signal_events_[id].get();
  const auto found = other_events_.find(id);
  return found == other_events_.end() ? nullptr : found->second.get();
}

int EventTable::CreateSignalEvent(std::unique_ptr<Event> event, uint32_t* id) {
  // Ids go round, so that a late interrupt for a destroyed event does not hit its successor.
  constexpr uint32_t kIds = KFD_SIGNAL_EVENT_LIMIT - 1;
  for (uint32_t tried = 0; tried < kIds; ++tried) {
    const uint32_t candidate = 1 + (next_signal_ - 1 + tried) % kIds;
    if (signal_events_[candidate] != nullptr) continue;
    signal_events_[candidate] = std::move(event);
    next_signal_ = candidate + 1;
    ++counts_.signal_events;
    *id = candidate;
    return 0;
  }
  return -ENOSPC;
}

int EventTable::Create(uint32_t type, bool auto_reset, uint32_t* id) {
  auto event = std::make_unique<Event>();
  event->type = type;
  event->auto_reset = auto_reset;
  std::lock_guard lock(mutex_);
  if (IsSignalType(type)) {
    if (const int error = CreateSignalEvent(std::move(event), id); error != 0) return error;
  } else {
    *id = next_other_++;
    other_events_.emplace(*id, std::move(event));
  }
  ++counts_.events;
  ++counts_.created;
  return 0;
}

int EventTable::Destroy(uint32_t id) {
  std::lock_guard lock(mutex_);
  Event* event = Find(id);
  if (event == nullptr) return -EINVAL;
  for (Waiter* waiter : event->waiters) waiter->event = nullptr;
  WakeWaiters(event);
  if (IsSignalType(event->type)) {
    --counts_.signal_events;
    signal_events_[id] = nullptr;
  } else {
    other_events_.erase(id);
  }
  --counts_.events;
  return 0;
}

void EventTable::WakeWaiters(Event* event) {
  for (Waiter* waiter : event->waiters) waiter->wake->notify_all();
}

void EventTable::SetLocked(Event* event) {
  // If threads wait for an auto-reset event, it wakes them and stays reset.
  event->signaled = !event->auto_reset || event->waiters.empty();
  if (++event->age == 0) event->age = 2;
  event->set_at = sets.fetch_add(1, std::memory_order_relaxed) + 1;
  for (Waiter* waiter : event->waiters) waiter->activated = true;
  WakeWaiters(event);
}

int EventTable::Set(uint32_t id) {
  std::lock_guard lock(mutex_);
  Event* event = Find(id);
  if (event == nullptr) return -EINVAL;
  SetLocked(event);
  return 0;
}

int EventTable::Reset(uint32_t id) {
  std::lock_guard lock(mutex_);
  Event* event = Find(id);
  if (event == nullptr) return -EINVAL;
  event->signaled = false;
  event->set_at = 0;
  return 0;
}

int EventTable::Interrupt(uint32_t id) {
  std::lock_guard lock(mutex_);
  Event* event = Find(id);
  if (event == nullptr) return -EINVAL;
  if (slots_ != nullptr && id < KFD_SIGNAL_EVENT_LIMIT) {
    __atomic_store_n(&slots_[id], kUnsignaledSlot, __ATOMIC_RELAXED);
  }
  SetLocked(event);
  return 0;
}

void EventTable::MemoryFault(uint32_t gpu_id, uint64_t va) {
  std::lock_guard lock(mutex_);
  for (auto& [id, event] : other_events_) {
    if (event->type != KFD_IOC_EVENT_MEMORY) continue;
    event->has_fault = true;
    event->fault.va = va & kFaultPageMask;
    event->fault.gpu_id = gpu_id;
    event->fault.failure.NotPresent = 1;
    SetLocked(event.get());
  }
}

void EventTable::LookAt(const kfd_event_data& data, Waiter* waiter) {
  Event* event = waiter->event;
  if (event->signaled) {
    waiter->activated = true;
    event->signaled = !event->auto_reset;
  }
  const uint64_t known_age = ReadAge(data);
  waiter->with_age = with_ages_ && event->type == KFD_IOC_EVENT_SIGNAL && known_age != 0;
  // A caller that passes an age other than the present one missed a signal and must not block.
  if (waiter->with_age && known_age != event->age) waiter->activated = true;
  if (!waiter->with_age && event->auto_reset && event->set_at > last_look) {
    waiter->activated = true;
  }
}

// Removes the waiters from their events, and writes ages and faults into `events`.
void EventTable::Finish(std::span<kfd_event_data> events, std::span<Waiter> waiters,
                        bool timed_out) {
  for (Waiter& waiter : waiters) {
    if (waiter.event != nullptr) std::erase(waiter.event->waiters, &waiter);
  }
  for (size_t i = 0; i < waiters.size(); ++i) {
    Event* event = waiters[i].event;
    if (event == nullptr) continue;
    if (waiters[i].with_age) WriteAge(event->age, &events[i]);
    if (!waiters[i].activated) continue;
    if (event->has_fault) events[i].memory_exception_data = event->fault;
    // The wait that timed out had consumed the event, so the event is set again.
    if (timed_out && event->auto_reset) SetLocked(event);
  }
}

int EventTable::Wait(std::span<kfd_event_data> events, bool all, uint32_t timeout_ms,
                     uint32_t* result) {
  std::condition_variable wake;
  std::vector<Waiter> waiters(events.size());
  std::unique_lock lock(mutex_);
  for (size_t i = 0; i < events.size(); ++i) {
    waiters[i].event = Find(events[i].event_id);
    waiters[i].wake = &wake;
    if (waiters[i].event == nullptr) return -EINVAL;
  }
  for (size_t i = 0; i < events.size(); ++i) LookAt(events[i], &waiters[i]);

  const auto destroyed = [&] {
    return std::ranges::any_of(waiters, [](const Waiter& w) { return w.event == nullptr; });
  };
  const auto satisfied = [&] {
    const auto activated = std::ranges::count(waiters, true, &Waiter::activated);
    return all ? activated == std::ssize(waiters) : activated > 0 || waiters.empty();
  };
  const auto over = [&] { return destroyed() || satisfied(); };

  bool in_time = over();
  if (!in_time && timeout_ms != 0) {
    for (Waiter& waiter : waiters) waiter.event->waiters.push_back(&waiter);
    if (timeout_ms == kWaitForever) {
      wake.wait(lock, over);
      in_time = true;
    } else {
      in_time = wake.wait_for(lock, std::chrono::milliseconds(timeout_ms), over);
    }
  }
  last_look = sets.load(std::memory_order_relaxed);
  Finish(events, waiters, !in_time);
  if (in_time && destroyed()) {
    *result = KFD_IOC_WAIT_RESULT_FAIL;
    return -EIO;
  }
  *result = in_time ? KFD_IOC_WAIT_RESULT_COMPLETE : KFD_IOC_WAIT_RESULT_TIMEOUT;
  return 0;
}

size_t EventTable::TEST_Waiters(uint32_t id) {
  std::lock_guard lock(mutex_);
  const Event* event = Find(id);
  return event == nullptr ? 0 : event->waiters.size();
}

EventCounts EventTable::Counts() const {
  std::lock_guard lock(mutex_);
  return counts_;
}

}  // namespace vgpu
