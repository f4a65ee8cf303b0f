// SPDX-License-Identifier: MIT
// clr_capture.h: takes calls, kernels and copies from HIP's built-in profiler. It changes no packet
// and no signal.
//
//   state       entered by                              what happens
//   kClosed     -
//   kRecording  Open, at the program's first HIP call   HIP records
//   kPaused     a call when many records are kept       a thread of ours takes out all records, if
//                                                       no call is open, and resumes HIP
//   kOff        ... or cannot resume it                 calls have no record (kProfilerOff)
//   kClosed     Stop                                    HIP stops, the remaining records are taken
//
// Records that stay where they are (ClrForm::kStreaming) are read while HIP writes them, by a thread
// of ours (clr_live.h), and there is no pause. The other forms can be read only while no call is
// open. So HIP's profiler is switched off every `pause_every` calls for as long as the fetch takes,
// preferably at a call that waits for the GPU.
//
// Threads    Prepare, Open, Stop: one at a time (the session ensures it)
// Blocking   Prepare: as HIP's initialisation.
//            Stop: the exit budget for HIP's wait for all GPUs, then `drain_ns` for the records.
//            Both happen on a thread of their own, which is not joined when they take longer: its
//            later records are not counted, and it makes no more calls into HIP
// Memory     HIP's: at most 2 * pause_every records, or all of them (kStreaming). Ours: clr_records.h
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
    PreloadedCalls calls;  // of librtl_hip.so
    uint64_t pause_every = 200'000;
    uint64_t drain_ns = 10'000'000'000;
  };
  // Makes HIP complete its own initialisation, in which it may start the HSA runtime and register its
  // tables: HIP 7.14 crashes when its profiler is switched on before. No lock may be held.
  void Prepare();
  // True if HIP has a profiler that may be used. Does not change HIP.
  Status Probe();
  // `hooks`: for librtl_hip.so, null if calls need not be watched.
  Status Open(const Options& options, const HipCallHooks** hooks);
  bool open() const { return state_.load(std::memory_order_relaxed) != State::kClosed; }
  // The calls of librtl_hip.so are watched for the profiler, and no tool can have them.
  bool watches_calls() const { return open() && library_.form() != ClrForm::kStreaming; }
  // For librtl_hip.so if calls need not be watched. The hooks count the calls that come too late
  // for the trace: those of exit handlers and destructors after Stop, and those of the child of a
  // fork.
  const HipCallHooks* late_hooks() const { return &late_hooks_; }
  // Launches of graphs among these calls. No count has their kernels, whose number is not known.
  uint64_t late_graphs() const { return late_graphs_.load(std::memory_order_relaxed); }
  // The trace is finished.
  void Close() {
    late_.Update([] { return false; });
  }
  // "HIP's profiler (streaming), times of CLOCK_REALTIME"
  const char* description() const { return description_; }
  const char* library_path() const { return library_.path(); }
  // An address in that HIP.
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
  // A look at HIP's records is made this often; down to kMostLookNs if it takes more than 1 /
  // kLookShare of a processor.
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
  std::atomic<uint64_t> calls_{0};      // since the last reset of HIP
  std::atomic<uint64_t> watched_{0};    // calls that were seen
  std::atomic<uint32_t> under_way_{0};  // open calls
  std::atomic<bool> disabled_{false};   // HIP has returned from Disable
  Options options_;
  ClrLibrary library_;
  bool waits_[kMaxCalls] = {};  // calls that wait until the GPU is idle, by index
  enum class Launches : uint8_t { kNothing, kKernel, kGraph };
  Launches launches_[kMaxCalls] = {};
  std::atomic<uint64_t> late_graphs_{0};
  Demand late_;  // wanted: calls are counted
  const std::atomic<const Demand*> for_late_{&late_};
  const HipCallHooks late_hooks_ = {OnLate, OnExit, &for_late_};
  Mutex mutex_{Rank::kProfiler};
  ClrRecords records_ RTL_GUARDED_BY(mutex_);
  ClrLive live_ RTL_GUARDED_BY(mutex_);
  pthread_t looker_ = {};
  bool looks_ = false;                  // looker_ runs
  std::atomic<uint32_t> end_looks_{0};  // futex: 1 ends looker_
  uint64_t first_ = 0;                  // HIP's counter of records at the start
  std::atomic<bool> taken_out_{false};  // all records, since the profiler was last switched on
  char description_[96] = {};
  char warning_[224] = {};
};

}  // namespace rtl::capture
