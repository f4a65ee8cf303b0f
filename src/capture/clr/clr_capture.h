// SPDX-License-Identifier: MIT
// clr_capture.h: takes calls, kernels and copies from HIP's built-in profiler. It changes no packet
// and no signal.
//
//   state       entered by                              what happens
//   kClosed     -
//   kRecording  Open, at the program's first HIP call   HIP records
//   kPaused     a call when many records are kept       the tracer takes out all records, if
//                                                       no call is open, and resumes HIP
//   kOff        ... or cannot resume it                 calls have no record (kProfilerOff)
//   kClosed     Stop                                    HIP stops, the remaining records are taken
//
// Records that HIP never moves (ClrForm::kStreaming) are read by a thread of the tracer while HIP
// writes them (clr_live.h), and there is no pause. The other forms can be read only while no call
// is open. So the tracer switches HIP's profiler off every `pause_every` calls for as long as the
// reading takes, preferably at a call that waits for the GPU.
//
// Threads    Prepare, Open, Stop: one at a time (the session ensures it)
// Blocking   Prepare: as HIP's initialisation. Stop: the exit budget for HIP's wait for all GPUs,
//            then `drain_ns` for the records. Both happen on a thread of their own. When they take
//            longer, this thread is not joined, records that it reads later are not counted, and it
//            makes no more calls into HIP
// Memory     HIP's: at most 2 * pause_every records, or all of them (kStreaming). The tracer's:
//            clr_records.h
// Errors     Open reports why there is no profiler; HIP is then unchanged
// Why        docs/adr/0034-clr-profiler.md
#pragma once

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#include <atomic>

#include "base/mutex.h"
#include "base/status.h"
#include "capture/clr/clr_library.h"
#include "capture/clr/clr_live.h"
#include "capture/clr/clr_records.h"
#include "capture/hip/hip_call_hooks.h"
#include "model/record_sink.h"

namespace rtl::capture {

class ClrCapture {
 public:
  constexpr ClrCapture() = default;
  ClrCapture(const ClrCapture&) = delete;
  ClrCapture& operator=(const ClrCapture&) = delete;

  struct Options {
    ClrRecords::Services services;
    PreloadedCalls calls;  // the calls that librtl_hip.so reports
    uint64_t pause_every = 200'000;
    uint64_t drain_ns = 10'000'000'000;
  };
  // Makes HIP complete its own initialisation, in which HIP may start the HSA runtime and register
  // its tables. HIP 7.14 crashes when its profiler is switched on before that. The caller must hold
  // no lock.
  void Prepare();
  // True if HIP has a profiler that may be used. Does not change HIP.
  Status Probe();
  // Switches HIP's profiler on. `hooks` gets the hooks for librtl_hip.so; null if the tracer need
  // not watch calls.
  Status Open(const Options& options, const HipCallHooks** hooks);
  bool open() const { return state_.load(std::memory_order_relaxed) != State::kClosed; }
  // True if librtl_hip.so reports its calls to this object. Tools cannot get these calls.
  bool watches_calls() const { return open() && library_.form() != ClrForm::kStreaming; }
  // The hooks for librtl_hip.so when the tracer need not watch calls. These hooks count the calls
  // that come too late for the trace: calls of exit handlers and destructors after Stop, and calls
  // in the child of a fork.
  const HipCallHooks* late_hooks() const { return &late_hooks_; }
  // The graph launches among the late calls. The kernels of these graphs are in no count, because
  // their number is not known.
  uint64_t late_graphs() const { return late_graphs_.load(std::memory_order_relaxed); }
  // Ends the counting of late calls: the trace is finished.
  void Close() {
    late_.Update([] { return false; });
  }
  // For example "HIP's profiler (streaming), times of CLOCK_REALTIME".
  const char* description() const { return description_; }
  const char* library_path() const { return library_.path(); }
  // An address inside the HIP library whose profiler is used.
  const void* in_library() const { return library_.inside(); }

  // Bounded. Idempotent.
  void Stop(uint64_t exit_budget_ns);
  // A sentence for the user about the delivered records; null when there is none.
  const char* warning() const { return warning_[0] == '\0' ? nullptr : warning_; }

  // In the child of a fork. Async-signal-safe.
  void DisarmInChild() {
    forked_.store(true, std::memory_order_relaxed);
    CountLate();
  }

 private:
  enum class State : uint8_t { kClosed, kRecording, kPaused, kOff };
  static constexpr uint64_t kUnderWayNs = 100'000'000;
  static constexpr size_t kMaxCalls = 1024;
  // The thread reads HIP's records every kLookNs. If reading takes more than 1 / kLookShare of a
  // processor, it reads less often, down to every kMostLookNs.
  static constexpr uint64_t kLookNs = 10'000'000, kMostLookNs = 100'000'000, kLookShare = 20;

  Status SwitchOn();
  void CountLate() {
    if (open()) late_.Update([] { return true; });
  }
  static void* OnLate(uint32_t place, const uint64_t* arguments);
  // Works without the lock: it uses only the counts of records_, which are atomic.
  void CountUnwatched() RTL_THREAD_SAFETY(no_thread_safety_analysis);
  uint64_t PauseEvery() const;
  void Describe();
  void SayWhatWasFound();
  void TakeOut();
  void TakeFlat() RTL_REQUIRES(mutex_);
  void TakeChunks() RTL_REQUIRES(mutex_);
  void Pause();
  bool WaitUntilNoneIsUnderWay() const;
  static void* PauseMain(void* self);
  static void* StopMain(void* self);
  static void* LookMain(void* self);
  void StopLooking();
  void LookOnceMore();
  static void* OnEnter(uint32_t place, const uint64_t* arguments);
  static void OnExit(void* entered, const uint64_t* arguments, int32_t result, bool known);

  static ClrCapture* installed_;  // used by the functions that report calls

  std::atomic<State> state_{State::kClosed};
  std::atomic<bool> forked_{false};
  std::atomic<bool> pausing_{false};
  std::atomic<uint64_t> calls_{0};      // calls since the last reset of HIP
  std::atomic<uint64_t> watched_{0};    // calls that OnEnter has watched
  std::atomic<uint32_t> under_way_{0};  // open calls
  std::atomic<bool> disabled_{false};   // HIP has returned from Disable
  Options options_;
  ClrLibrary library_;
  // by index of the call: true if the call waits until the GPU is idle
  bool waits_[kMaxCalls] = {};
  enum class Launches : uint8_t { kNothing, kKernel, kGraph };
  Launches launches_[kMaxCalls] = {};
  std::atomic<uint64_t> late_graphs_{0};
  Demand late_;  // wanted while late calls are counted
  const std::atomic<const Demand*> for_late_{&late_};
  const HipCallHooks late_hooks_ = {OnLate, OnExit, &for_late_};
  Mutex mutex_{Rank::kProfiler};
  ClrRecords records_ RTL_GUARDED_BY(mutex_);
  ClrLive live_ RTL_GUARDED_BY(mutex_);
  pthread_t looker_ = {};
  bool looks_ = false;                  // true while looker_ runs
  std::atomic<uint32_t> end_looks_{0};  // futex: 1 ends looker_
  uint64_t first_ = 0;                  // HIP's counter of records at the start
  // all records since the profiler was last switched on have been taken out
  std::atomic<bool> taken_out_{false};
  char description_[96] = {};
  char warning_[224] = {};
};

}  // namespace rtl::capture
