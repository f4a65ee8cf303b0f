// SPDX-License-Identifier: MIT
// async_copies.h: follows the application's asynchronous copies from the call to the record.
//
// The tracer does not see the packet of a copy: the runtime writes a packet of a DMA engine or of a
// blit kernel. So the application's signal stays with the copy, AppSignalTable watches it, and the
// runtime is queried for the times (hsa_amd_profiling_get_async_copy_time) after the copy has
// ended. For that the tracer enables the runtime's timing of copies at the first copy and keeps it
// enabled.
//
//   entry     set by                       meaning
//   kFree     the worker, or a call that   on the free list
//             failed
//   kBusy     a hook: Begin                the call into the runtime has begun
//   kWaiting  a hook: End                  submitted; the worker checks for its end
//
// Threads    Do, SetTiming: any. Scan, GiveUp: the thread that has its turn (turn.h)
// Blocking   Do: as long as the runtime's own function, and a lock of a few instructions. When
//            kCapacity copies are in flight: 2 ms to let the worker run, or as long as configured
//            (RTL_LOSSLESS)
// Memory     kCapacity entries, mapped at the first copy. Free entries with the lowest numbers are
//            used first
// Errors     a copy whose call failed is not an event. A copy without a record is a named loss
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

// A copy as the application's call describes it.
struct CopyRequest {
  hsa_signal_t completion = {};
  const void* dst = nullptr;
  const void* src = nullptr;
  uint64_t bytes = 0;
  uint32_t dst_agent = 0;  // AgentRecord::agent; zero if the call does not name the agent
  uint32_t src_agent = 0;
  CopyKind kind = CopyKind::kUnknown;
  uint64_t correlation = 0;  // the recorded call that is open on this thread; zero: none
};

class SignalMarks;
class SubmissionWatcher;

class AsyncCopies {
 public:
  // most copies in flight; further ones are lost as kBacklog
  static constexpr uint32_t kCapacity = 16384;

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
    SubmissionWatcher* watcher = nullptr;  // may be null; set later if tools join later
    bool lite = false;                     // copies with a signal are not recorded (mode lite)
    // the tracer joined late, so the program may have enabled timing before
    bool running = false;
    uint64_t room_wait_ns = 0;  // longest time that a hook waits for room; zero: kRoomNs
  };
  // Sets the watcher of tools that join: later copies are reported to it.
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

  // Calls `call`, which makes `count` copies, and remembers these copies; `describe(i)` describes
  // copy i.
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
  // Ends the watch of this signal, because a new copy is about to use it.
  void BeforeUse(hsa_signal_t signal) { services_.app_signals->BeforeReuse(signal); }
  // The application is about to set this signal. A value below one cannot hide the end of a copy.
  // HOT when the signal is a doorbell: one relaxed load while no copy is in flight.
  void BeforeSet(hsa_signal_t signal, hsa_signal_value_t value) {
    if (watched_.load(std::memory_order_relaxed) == 0 || value < 1) return;
    services_.app_signals->BeforeSet(signal);
  }
  // The direction of a linear copy between two agents.
  CopyKind KindOf(uint32_t dst_agent, uint32_t src_agent) const;
  uint32_t NumberOf(hsa_agent_t agent) const { return agents_->NumberOf(agent); }

  // Replaces hsa_amd_profiling_async_copy_enable: copies stay timed even if the program disables
  // timing.
  hsa_status_t SetTiming(bool enable);
  // Replaces hsa_amd_profiling_get_async_copy_time: a program that has not enabled timing gets no
  // times, as without the tracer.
  hsa_status_t GetTime(hsa_signal_t signal, hsa_amd_profiling_async_copy_time_t* time);

  // Records ended copies. `application`: true on a thread of the application, which also waits for
  // threads that read the same signal, and leaves reports to a watcher to the worker.
  Progress Scan(bool application = false);
  // For the worker: counts the remaining copies as kShutdown.
  void GiveUp();
  // True if some copy is in flight or not recorded at this moment. Any thread.
  bool Watched() const { return watched_.load(std::memory_order_relaxed) != 0; }
  bool InHook() const { return inside_.load(std::memory_order_acquire) != 0; }

 private:
  enum class State : uint32_t { kFree, kBusy, kWaiting };
  struct Entry {
    Pending watch;  // for AppSignalTable: signal, times, outcome
    CopyRequest request;
    // recorded, or counted as a loss; written by the thread that has its turn
    bool accounted;
    bool paused;               // submitted in a pause of the trace; only a tool gets it
    std::atomic<State> state;  // released by the thread that leaves a state, acquired by the worker
    uint32_t next_free;        // guarded by mutex_
    Entry* next_of_call;       // next entry of the same call, while both are kBusy
  };
  // The entries of one call, until the call returns.
  struct CallCopies {
    Entry* first = nullptr;
    uint32_t count = 0;
    // latest time until which this call waits for room; zero: it has not waited yet
    uint64_t wait_until = 0;
    uint64_t losses[kLossCount] = {};
  };
  // Marks a hook as running, with a full barrier: if Stop does not see this hook, the hook sees
  // that the hooks are disarmed. Copies are rare and slow enough for such a barrier.
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
  uint64_t next_copy_ = 1;  // used by the thread that has its turn
  std::atomic<uint32_t> inside_{0};
  static constexpr uint64_t kRoomNs = 2'000'000;
  static constexpr long kRoomNapNs = 100'000;

  // the tracer is enabling timing, or has enabled it
  std::atomic<bool> wanted_{false};
  std::atomic<bool> timing_{false};  // the tracer has enabled timing
  std::atomic<bool> asked_{false};   // the program has enabled timing at some time
  std::atomic<uint64_t> freed_{0};   // how often an entry became free again
  // value of freed_ when WaitForRoom last gave up
  std::atomic<uint64_t> freed_in_vain_{UINT64_MAX};
  std::atomic<uint32_t> watched_{0};  // entries that are not free
  // null until mapped; released by the thread that maps them
  std::atomic<Entry*> entries_{nullptr};
  std::atomic<uint32_t> used_{0};  // entries that have been used at least once
  Mutex mutex_{Rank::kSignals};
  // first entry of the free list; kCapacity: the list is empty
  uint32_t first_free_ RTL_GUARDED_BY(mutex_) = kCapacity;
};

}  // namespace rtl::capture
