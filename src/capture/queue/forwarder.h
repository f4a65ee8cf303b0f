// SPDX-License-Identifier: MIT
// forwarder.h: completes the application's signals that the hook has replaced in their packets. The
// forwarder has a thread of its own, because a thread of the application may be waiting for such a
// signal, and the worker, which writes records, may be blocked on disk. Nothing here allocates,
// writes a record or waits for the worker.
//
//   outcome     set by         meaning
//   kWaiting    the hook       pending: the forwarder polls for the kernel's end
//   kReused     the worker     its queue was destroyed: the forwarder must stop polling
//   kTimed      the forwarder  completed; `times` are the kernel's. The entry is the worker's again
//   kUntimed    the forwarder  dropped without completion. The entry is the worker's again
//
// Threads    Add: any hooks at once. Start, Join: one at a time. All other functions: see their
//            declarations
// Blocking   Add, Ring: never; Ring makes one system call when the forwarder sleeps. SettleEnded:
//            until the forwarder has polled all pending entries, at most kSettleNs. WaitFor: while
//            the forwarder is inside the runtime with that signal, about a second at most. Join:
//            one pass, at most kJoinNs
// Memory     none: pending entries are linked through the queues' chains
// Errors     Start fails when no thread can be created
// Why        docs/adr/0006-forwarder.md
#pragma once

#include <hsa/hsa.h>
#include <pthread.h>
#include <stdint.h>

#include <atomic>

#include "base/bell.h"
#include "base/status.h"
#include "capture/queue/hook_state.h"
#include "capture/signal/app_signals.h"
#include "capture/signal/pending.h"

namespace rtl::capture {

class Forwarder {
 public:
  Forwarder() = default;
  Forwarder(const Forwarder&) = delete;
  Forwarder& operator=(const Forwarder&) = delete;

  Status Start(const HsaApi* api, AppSignalTable* app_signals, const HookState* state);
  // Ends the forwarder soon, even if entries are pending. Any thread.
  void Leave();
  // Calls Leave and waits for the thread. Afterwards the forwarder calls no HSA function, except
  // one that has not returned by kJoinNs.
  void Join();

  // For the hook, before the packet is written: `entry` (kForward) belongs to the forwarder until
  // its outcome changes.
  void Add(Pending* entry);
  // For the hook, after the packet was written.
  void Ring() { bell_.RingUrgent(); }

  // For the worker: true if the forwarder has given the entry back.
  static bool Settled(const Pending& entry) {
    const Outcome outcome = entry.outcome.load(std::memory_order_acquire);  // pairs with (B)
    return outcome == Outcome::kTimed || outcome == Outcome::kUntimed;
  }
  // For the worker: requests that the forwarder gives the entry back without completing it.
  void LetGo(Pending* entry);

  // Waits while the forwarder is completing `signal`. Any thread.
  void WaitFor(hsa_signal_t signal) const;
  // Waits until the signals of all ended kernels are completed. Afterwards no thread waits in vain
  // for work of a destroyed queue, and the signals of that work may be destroyed. Any thread but
  // the forwarder's.
  void SettleEnded();

 private:
  static constexpr uint64_t kIdleNs = 1'000'000'000;  // the longest delay if a ring is lost
  static constexpr uint64_t kOwingNs = 50'000;
  // how long the thread spins after its last progress
  static constexpr uint64_t kSpinNs = 2'000'000;
  static constexpr uint64_t kSettleNs = 2'000'000'000;
  static constexpr uint64_t kJoinNs = 5'000'000'000;

  static void* Main(void* self);
  void Run();
  bool TakeNew();
  bool Pass();
  bool TrySettle(Pending* entry);
  void Pay(const Pending& entry, SignalTimes times);

  const HookState* state_ = nullptr;
  const HsaApi* api_ = nullptr;
  AppSignalTable* app_signals_ = nullptr;
  pthread_t thread_ = {};
  std::atomic<bool> started_{false};
  std::atomic<bool> leave_{false};
  Bell bell_;
  std::atomic<uint64_t> completing_{0};     // the signal that is being completed
  std::atomic<Pending*> new_{nullptr};      // entries from hooks, newest first
  std::atomic<uint64_t> pending_count_{0};  // entries that are not yet given back
  std::atomic<uint64_t> passes_{0};         // (C) released at the end of each pass
  Pending* pending_ = nullptr;              // used by the forwarder's thread only, oldest first
  Pending** last_ = &pending_;
};

}  // namespace rtl::capture
