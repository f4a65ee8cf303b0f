// SPDX-License-Identifier: MIT
// clr_capture.h: takes calls, kernels and copies from HIP's built-in profiler. No packet and no
// signal is touched.
//
//   state       entered by                              what happens
//   kClosed     -
//   kRecording  Open, at the program's first HIP call   HIP records
//   kPaused     a call that finds much to be read       a thread of ours takes everything out, if no
//                                                       call is under way, and lets HIP go on
//   kOff        ... or cannot let it go on              calls have no record (kProfilerOff)
//   kClosed     Stop                                    HIP is told to stop, the rest is taken
//
// A HIP that hands over its records by itself (ClrForm::kStreaming) is never paused. The others
// keep them until they are asked, and may not be asked while calls are under way: every
// `pause_every` calls, best at one that waits for the GPU, HIP's profiler is switched off for as
// long as it takes.
//
// Threads    Open, Stop: one at a time (the session sees to it). Chunks come on HIP's threads
// Blocking   Stop: the exit budget for HIP's wait for all GPUs, then `drain_ns` for the records. Both
//            happen on a thread of their own, which is left behind when they take longer: what it
//            finds then does not count, and it asks HIP for nothing more
// Memory     HIP's: at most 2 * pause_every records. Ours: clr_records.h
// Errors     Open says why there is no profiler here; HIP is as it was then
// Why        docs/adr/0034-clr-profiler.md
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <atomic>

#include "base/mutex.h"
#include "base/status.h"
#include "capture/clr/clr_library.h"
#include "capture/clr/clr_records.h"
#include "capture/hip/preload_door.h"
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
  // Without touching HIP: whether it has a profiler that may be used.
  Status Probe();
  // `door`: for librtl_hip.so, null where calls need not be watched.
  Status Open(const Options& options, const PreloadDoor** door);
  bool open() const { return state_.load(std::memory_order_relaxed) != State::kClosed; }
  // "HIP's profiler (streaming), times of CLOCK_REALTIME"
  const char* description() const { return description_; }
  const char* library_path() const { return library_.path(); }

  // Bounded. Idempotent.
  void Stop(uint64_t exit_budget_ns);
  // What the user should know about what was handed over; null when nothing.
  const char* warning() const { return warning_[0] == '\0' ? nullptr : warning_; }

  // In the child of a fork. Async-signal-safe.
  void DisarmInChild() { forked_.store(true, std::memory_order_relaxed); }

 private:
  enum class State : uint8_t { kClosed, kRecording, kPaused, kOff };
  static constexpr uint64_t kUnderWayNs = 100'000'000;
  static constexpr size_t kMaxCalls = 1024;

  Status SwitchOn();
  // Without the lock: of records_ it touches the counts alone, which are atomic.
  void CountUnwatched() RTL_THREAD_SAFETY(no_thread_safety_analysis);
  uint64_t PauseEvery() const;
  void Describe();
  void SayWhatWasFound();
  void TakeOut();
  void TakeFlat() RTL_REQUIRES(mutex_);
  void TakeChunks() RTL_REQUIRES(mutex_);
  void CountMissing(uint64_t first, uint64_t behind) RTL_REQUIRES(mutex_);
  void Pause();
  bool WaitUntilNoneIsUnderWay() const;
  static void* PauseMain(void* self);
  static void* StopMain(void* self);
  static void OnChunk(const void* records, uint32_t count, uint32_t chunk_id, void* self);
  static void* OnEnter(uint32_t place, const uint64_t* arguments);
  static void OnExit(void* entered, const uint64_t* arguments, int32_t result, bool known);

  static ClrCapture* installed_;  // what the door's functions work on

  std::atomic<State> state_{State::kClosed};
  std::atomic<bool> forked_{false};
  std::atomic<bool> pausing_{false};
  std::atomic<uint64_t> calls_{0};      // since HIP was last emptied
  std::atomic<uint64_t> watched_{0};    // calls that came through the door
  std::atomic<uint32_t> under_way_{0};  // calls
  std::atomic<bool> disabled_{false};   // HIP has come back from Disable
  Options options_;
  ClrLibrary library_;
  bool waits_[kMaxCalls] = {};  // calls that return when the GPU has nothing to do, by place
  Mutex mutex_{Rank::kProfiler};
  ClrRecords records_ RTL_GUARDED_BY(mutex_);
  uint64_t first_ = 0;                  // HIP's counter of records when it began
  std::atomic<bool> taken_out_{false};  // everything, since it was last switched on
  char description_[96] = {};
  char warning_[224] = {};
};

}  // namespace rtl::capture
