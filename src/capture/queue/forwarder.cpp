// SPDX-License-Identifier: MIT
#include "capture/queue/forwarder.h"

#include <sched.h>
#include <time.h>

#include "base/clock.h"
#include "base/own_thread.h"
#include "base/sched_point.h"
#include "base/thread_state.h"
#include "capture/queue/traced_queue.h"

namespace rtl::capture {

Status Forwarder::Start(const HsaApi* api, AppSignalTable* app_signals, const HookState* state) {
  api_ = api;
  app_signals_ = app_signals;
  state_ = state;
  const Status made = StartOwnThread("rtl-signals", &Forwarder::Main, this, &thread_);
  started_.store(made.ok(), std::memory_order_release);
  return made;
}

void* Forwarder::Main(void* self) {
  const ReentryGuard guard;  // calls made here are the tracer's
  static_cast<Forwarder*>(self)->Run();
  return nullptr;
}

void Forwarder::Leave() {
  leave_.store(true, std::memory_order_release);
  bell_.RingUrgent();
}

void Forwarder::Join() {
  if (!started_.exchange(false)) return;
  Leave();
  // False: the runtime does not return from a load of a signal. When it returns, the thread sees
  // leave_ and ends.
  (void)JoinOwnThread(thread_, kJoinNs);
}

void Forwarder::Add(Pending* entry) {
  entry->outcome.store(Outcome::kWaiting, std::memory_order_relaxed);
  pending_count_.fetch_add(1, std::memory_order_relaxed);
  Pending* newest = new_.load(std::memory_order_relaxed);
  do {
    entry->next_pending = newest;
  } while (!new_.compare_exchange_weak(newest, entry, std::memory_order_release,  // (A)
                                       std::memory_order_relaxed));
}

void Forwarder::LetGo(Pending* entry) {
  Outcome expected = Outcome::kWaiting;
  // False: the entry was completed meanwhile, or LetGo was called before.
  if (entry->outcome.compare_exchange_strong(expected, Outcome::kReused,
                                             std::memory_order_relaxed)) {
    bell_.RingUrgent();
  }
}

void Forwarder::WaitFor(hsa_signal_t signal) const {
  constexpr int kYields = 100;
  constexpr int kNaps = 5000;  // naps let threads run that a yield does not reach
  constexpr timespec kNap = {0, 100'000};
  for (int i = 0; i < kYields + kNaps; ++i) {
    if (completing_.load(std::memory_order_acquire) != signal.handle) return;
    // the parent's forwarder completes it
    if (state_->forked.load(std::memory_order_relaxed)) return;
    if (i < kYields) {
      (void)sched_yield();
    } else {
      (void)nanosleep(&kNap, nullptr);  // if interrupted, the loop checks once more
    }
  }
}

void Forwarder::SettleEnded() {
  constexpr long kNapNs = 50'000;
  // A pass that has begun already may miss an ended kernel, so the one after it must end.
  const uint64_t wanted = passes_.load(std::memory_order_acquire) + 2;
  const uint64_t limit = BootTimeNs() + kSettleNs;
  while (pending_count_.load(std::memory_order_relaxed) != 0 &&
         !leave_.load(std::memory_order_relaxed) &&
         passes_.load(std::memory_order_acquire) < wanted &&
         BootTimeNs() < limit) {  // pairs with (C)
    bell_.RingUrgent();
    const timespec nap = {0, kNapNs};
    (void)nanosleep(&nap, nullptr);  // if interrupted, the loop checks once more
  }
}

void Forwarder::Run() {
  uint64_t last_progress = BootTimeNs();
  while (!leave_.load(std::memory_order_acquire)) {
    const bool more = TakeNew();
    const bool settled = Pass();
    passes_.fetch_add(1, std::memory_order_release);  // (C)
    if (pending_ == nullptr) {
      bell_.Sleep(kIdleNs);
      continue;
    }
    const uint64_t now = BootTimeNs();
    if (settled || more) last_progress = now;
    if (now - last_progress < kSpinNs) {
      (void)sched_yield();
    } else {
      bell_.Sleep(kOwingNs);
    }
  }
}

// Appends the new entries to the pending ones, in the order of their arrival.
bool Forwarder::TakeNew() {
  Pending* newest = new_.exchange(nullptr, std::memory_order_acquire);  // pairs with (A)
  if (newest == nullptr) return false;
  Pending** const end = &newest->next_pending;
  Pending* oldest = nullptr;
  while (newest != nullptr) {
    Pending* const older = newest->next_pending;
    newest->next_pending = oldest;
    oldest = newest;
    newest = older;
  }
  RTL_SCHED_POINT("forwarder.taken");
  *last_ = oldest;
  last_ = end;
  return true;
}

bool Forwarder::Pass() {
  bool settled = false;
  Pending** link = &pending_;
  while (Pending* const entry = *link) {
    Pending* const next = entry->next_pending;  // a settled entry may be reused at once
    if (TrySettle(entry)) {
      settled = true;
      pending_count_.fetch_sub(1, std::memory_order_relaxed);
      *link = next;
    } else {
      link = &entry->next_pending;
    }
  }
  last_ = link;
  return settled;
}

bool Forwarder::TrySettle(Pending* entry) {
  if (api_->signal_load_scacquire(entry->signal) < 1) {
    entry->times = LoadTimes(entry->signal);
    Pay(*entry, entry->times);
    RTL_SCHED_POINT("forwarder.settle");
    entry->outcome.store(Outcome::kTimed, std::memory_order_release);  // (B)
    return true;
  }
  if (entry->outcome.load(std::memory_order_relaxed) != Outcome::kReused) return false;
  entry->outcome.store(Outcome::kUntimed, std::memory_order_release);  // (B)
  return true;
}

// Does what the packet processor would have done with the application's signal: writes the times,
// then subtracts one from the value, with release. It must not store a value, because the signal's
// value may count other work as well.
void Forwarder::Pay(const Pending& entry, SignalTimes times) {
  const hsa_signal_t signal = entry.app_signal;
  // A thread that sees the signal change may destroy it, so the hook for hsa_signal_destroy waits
  // until this thread has finished with the signal (WaitFor). Relaxed, because the subtraction
  // below releases the store.
  completing_.store(signal.handle, std::memory_order_relaxed);
  RTL_SCHED_POINT("forwarder.paying");
  // If another kernel in flight uses the same signal in place, the signal must get that kernel's
  // times.
  if (!app_signals_->StillInUse(signal) && times.end != 0 && IsUserSignal(signal))
    StoreTimes(signal, times);
  api_->signal_subtract_screlease(signal, 1);
  RTL_SCHED_POINT("forwarder.paid");
  completing_.store(0, std::memory_order_release);
}

}  // namespace rtl::capture
