// SPDX-License-Identifier: MIT
// async_copies.h: the application's asynchronous copies, from the call to the record.
//
// The tracer never sees the packet: the runtime writes the DMA engine's or a blit kernel's. So the
// application's signal stays in place, and the runtime is queried for the times
// (hsa_amd_profiling_get_async_copy_time) after the copy has ended: AppSignalTable, as for a kernel
// in place. For that the runtime's timing of copies is enabled at the first copy and kept on.
//
//   entry     set by                       meaning
//   kFree     the worker, or a call that   on the free list
//             failed
//   kBusy     a hook: Begin                the call into the runtime has begun
//   kWaiting  a hook: End                  submitted; the worker checks for its end
//
// Threads    Do, SetTiming: any. Scan, GiveUp: the thread that has the turn (turn.h)
// Blocking   Do: as long as the runtime's own function, and a lock of a few instructions. When
//            kCapacity copies are in flight: 2 ms to let the worker run, or as long as configured
//            (RTL_LOSSLESS)
// Memory     kCapacity entries, mapped at the first copy, used from the lowest on
// Errors     a copy with a failed call is not an event. A copy without a record is a named loss
#pragma once

#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>
#include <stddef.h>
#include <stdint.h>

#include <atomic>

#include "base/bell.h"
#include "base/mutex.h"
#include "capture/hsa/agents.h"
#include "capture/queue/hook_state.h"
#include "capture/signal/app_signals.h"
#include "capture/signal/pending.h"
#include "model/record_sink.h"
#include "model/records.h"

namespace rtl::capture {

// One copy as the call describes it.
struct CopyRequest {
  hsa_signal_t completion = {};
  const void* dst = nullptr;
  const void* src = nullptr;
  uint64_t bytes = 0;
  uint32_t dst_agent = 0;  // AgentRecord::agent; zero when the call does not name it
  uint32_t src_agent = 0;
  CopyKind kind = CopyKind::kUnknown;
  uint64_t correlation = 0;  // the recorded call that is open on this thread; zero: none
};

class SignalMarks;
class SubmissionWatcher;

class AsyncCopies {
 public:
  static constexpr uint32_t kCapacity = 16384;  // in flight; beyond them kBacklog

  struct Progress {
    uint64_t finished = 0;
    uint64_t waiting = 0;
  };

  AsyncCopies() = default;
  AsyncCopies(const AsyncCopies&) = delete;
  AsyncCopies& operator=(const AsyncCopies&) = delete;
  ~AsyncCopies();

  struct Services {
    HookState* state = nullptr;
    const HsaApi* api = nullptr;
    RecordSink* sink = nullptr;
    AppSignalTable* app_signals = nullptr;
    Bell* bell = nullptr;
    SignalMarks* marks = nullptr;          // may be null
    SubmissionWatcher* watcher = nullptr;  // may be null; tools that join later set it then
    bool lite = false;                     // leave copies with a signal alone
    bool running = false;                  // the program may have enabled timing before
    uint64_t room_wait_ns = 0;             // how long a hook waits for room; zero: kRoomNs
  };
  // Tools join: copies from now on are reported to them.
  void Tell(SubmissionWatcher* watcher) {
    __atomic_store_n(&services_.watcher, watcher, __ATOMIC_RELEASE);
  }
  void Init(const Services& services, const Agents* agents, uint64_t first_copy) {
    services_ = services;
    state_ = services.state;
    agents_ = agents;
    next_copy_ = first_copy;
    if (services.running) asked_.store(true, std::memory_order_relaxed);
  }
  uint64_t next_copy() const { return next_copy_; }

  // Makes the `count` copies of one call by `call` and remembers them; `describe` describes copy i.
  template <typename Describe, typename Call>
  hsa_status_t Do(uint32_t count, Describe describe, Call call) {
    if (state_->Quiet()) {
      for (uint32_t i = 0; i < count; ++i) BeforeUse(describe(i).completion);
      return call();
    }
    const Visit visit(this);
    CallCopies copies;
    for (uint32_t i = 0; i < count; ++i) {
      const CopyRequest request = describe(i);
      BeforeUse(request.completion);
      if (visit.armed()) Begin(request, &copies);
    }
    const hsa_status_t status = call();
    if (visit.armed()) {
      End(&copies, status);
    } else if (status == HSA_STATUS_SUCCESS) {
      CountLost(state_->WhyDisarmed(), count);
    }
    return status;
  }
  // Ends the watch of this signal, because a copy is about to use it.
  void BeforeUse(hsa_signal_t signal) { services_.app_signals->BeforeReuse(signal); }
  // The application is about to set this signal. HOT when it is a doorbell: one relaxed load while
  // no copy is in flight. A value below one does not hide the end of a copy.
  void BeforeSet(hsa_signal_t signal, hsa_signal_value_t value) {
    if (watched_.load(std::memory_order_relaxed) == 0 || value < 1) return;
    services_.app_signals->BeforeSet(signal);
  }
  // The direction of a linear copy between two agents.
  CopyKind KindOf(uint32_t dst_agent, uint32_t src_agent) const;
  uint32_t NumberOf(hsa_agent_t agent) const { return agents_->NumberOf(agent); }

  // In place of hsa_amd_profiling_async_copy_enable: timed copies stay timed.
  hsa_status_t SetTiming(bool enable);
  // In place of hsa_amd_profiling_get_async_copy_time: a program that has not enabled timing gets no
  // times, as untraced.
  hsa_status_t GetTime(hsa_signal_t signal, hsa_amd_profiling_async_copy_time_t* time);

  // Records ended copies. `application`: called by a thread of the application, which also waits
  // for threads that read the same signal, and leaves reports to a watcher to the worker.
  Progress Scan(bool application = false);
  // Worker: counts the remaining copies as kShutdown.
  void GiveUp();
  // Any thread; at this moment: some copy is in flight, or not recorded yet.
  bool Watched() const { return watched_.load(std::memory_order_relaxed) != 0; }
  bool InHook() const { return inside_.load(std::memory_order_acquire) != 0; }

 private:
  enum class State : uint32_t { kFree, kBusy, kWaiting };
  struct Entry {
    Pending watch;  // for AppSignalTable: signal, times, outcome
    CopyRequest request;
    bool accounted;            // recorded or counted as a loss; in the worker's turn
    bool paused;               // for a tool alone
    std::atomic<State> state;  // release by the thread that leaves a state, acquire by the worker
    uint32_t next_free;        // guarded by mutex_
    Entry* next_of_call;       // while kBusy
  };
  // The copies of one call, while the call is open.
  struct CallCopies {
    Entry* first = nullptr;
    uint32_t count = 0;
    uint64_t wait_until = 0;  // the limit, after it has waited for room
    uint64_t losses[kLossCount] = {};
  };
  // Marks a hook as running. Copies are rare and slow enough for a full barrier: a hook that Stop
  // did not see sees that the hooks are disarmed.
  class Visit {
   public:
    explicit Visit(AsyncCopies* copies) : copies_(copies) {
      copies_->inside_.fetch_add(1, std::memory_order_seq_cst);
      armed_ = copies_->state_->armed.load(std::memory_order_seq_cst);
    }
    ~Visit() { copies_->inside_.fetch_sub(1, std::memory_order_release); }
    Visit(const Visit&) = delete;
    Visit& operator=(const Visit&) = delete;
    bool armed() const { return armed_; }

   private:
    AsyncCopies* const copies_;
    bool armed_;
  };

  void Begin(const CopyRequest& request, CallCopies* copies);
  Entry* TryBegin(const CopyRequest& request, Loss* loss);
  void End(CallCopies* copies, hsa_status_t status);
  bool WaitForRoom(CallCopies* copies);
  void EnsureTiming();
  bool EnsureEntries() RTL_REQUIRES(mutex_);
  Entry* Take(Loss* loss);
  void Free(Entry* entry);
  void Finish(Entry* entry, Outcome outcome);
  static CopyRecord RecordOf(const Entry& entry);
  void LetGo(Entry* entry);
  void Lose(Entry* entry, Loss why);
  uint32_t TellSubmitted(const Entry& entry);
  void TellLost(Entry* entry);
  bool WatcherWaits(const Entry& entry) const;
  void TellEnd(Entry* entry);
  void CountLost(Loss why, uint64_t copies);

  Services services_;
  HookState* state_ = nullptr;
  const Agents* agents_ = nullptr;
  uint64_t next_copy_ = 1;  // worker
  std::atomic<uint32_t> inside_{0};
  static constexpr uint64_t kRoomNs = 2'000'000;
  static constexpr long kRoomNapNs = 100'000;

  std::atomic<bool> wanted_{false};                  // the tracer has begun to enable timing
  std::atomic<bool> timing_{false};                  // it is enabled
  std::atomic<bool> asked_{false};                   // the program has enabled it at some time
  std::atomic<uint64_t> freed_{0};                   // entries that became free again
  std::atomic<uint64_t> freed_in_vain_{UINT64_MAX};  // freed_ when WaitForRoom gave up
  std::atomic<uint32_t> watched_{0};                 // entries that are not free
  std::atomic<Entry*> entries_{nullptr};             // release once mapped
  std::atomic<uint32_t> used_{0};                    // entries that were ever used
  Mutex mutex_{Rank::kSignals};
  uint32_t first_free_ RTL_GUARDED_BY(mutex_) = kCapacity;  // kCapacity: none
};

}  // namespace rtl::capture
