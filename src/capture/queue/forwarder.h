// SPDX-License-Identifier: MIT
// forwarder.h: completes the application's signals that were taken off their packets: the thread
// that somebody may be waiting for. It is apart from the worker, which writes records and may be
// held up by a disk; nothing here allocates, writes a record or waits for the worker.
//
//   outcome     made by        means
//   kWaiting    the hook       owed: the kernel's end is looked for
//   kReused     the worker     its queue is gone: it is not to be looked for any more
//   kTimed      the forwarder  paid; `times` are the kernel's. The entry is the worker's again
//   kUntimed    the forwarder  let go of without payment. Likewise
//
// Threads    Owe: hooks, any at once. Start, Join: one at a time. The rest as it says
// Blocking   Owe, Ring: never; Ring makes one system call when the forwarder sleeps. SettleEnded:
//            until the forwarder has looked at all that is owed, at most kSettleNs. WaitFor: while
//            the forwarder is inside the runtime with that signal, about a second at most. Join: one
//            pass, at most kJoinNs
// Memory     none: what is owed is linked through the entries of the queues' chains
// Errors     Start fails when no thread can be made
// Why        docs/adr/0006-forwarder.md
#pragma once

#include <hsa/hsa.h>
#include <pthread.h>
#include <stdint.h>

#include <atomic>

#include "base/status.h"
#include "capture/queue/bell.h"
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
  // Any thread: ends soon, whatever is owed.
  void Leave();
  // Leave, and no HSA function is called afterwards; but for one that has not returned by kJoinNs.
  void Join();

  // Hook, before the packet is written: `entry` (kForward) belongs to the forwarder until its
  // outcome says otherwise.
  void Owe(Pending* entry);
  // Hook, after the packet was written.
  void Ring() { bell_.RingUrgent(); }

  // Worker: true when the entry is its own again.
  static bool Settled(const Pending& entry) {
    const Outcome outcome = entry.outcome.load(std::memory_order_acquire);  // pairs with (B)
    return outcome == Outcome::kTimed || outcome == Outcome::kUntimed;
  }
  // Worker: asks for the entry without payment.
  void LetGo(Pending* entry);

  // Any thread: returns when `signal` is not just being completed.
  void WaitFor(hsa_signal_t signal) const;
  // Any thread but the forwarder's: returns when what has ended by now is paid. After that nobody
  // waits in vain for what a queue that is gone has done, and its signals may be destroyed.
  void SettleEnded();

 private:
  static constexpr uint64_t kIdleNs = 1'000'000'000;  // a ring of the bell that is lost costs that
  static constexpr uint64_t kOwingNs = 50'000;
  static constexpr uint64_t kSpinNs = 2'000'000;  // after the last progress
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
  std::atomic<uint64_t> paying_{0};     // the signal that is just being completed
  std::atomic<Pending*> new_{nullptr};  // newest first
  std::atomic<uint64_t> owing_{0};      // entries that are not settled
  std::atomic<uint64_t> passes_{0};     // (C) release at the end of each
  Pending* owed_ = nullptr;             // the thread's own, oldest first
  Pending** last_ = &owed_;
};

}  // namespace rtl::capture
