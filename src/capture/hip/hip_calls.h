// SPDX-License-Identifier: MIT
// hip_calls.h: what every door to the HIP API does with a call: Enter when it begins, Exit when it
// returns. One call, one record, whatever doors are open: a call that is made while another one is
// open on its thread is HIP's own, or the same one seen by a second door, and is not recorded. A
// call that was left without returning (longjmp, an exception) is told by the stack: the next one
// by the same door is not deeper.
//
// The trace gets a record of a call (Record), a listener is told of its beginning and its end (Listen),
// or both; a call that both know has the same id for both. Who comes later is told of later calls.
//
// Threads    Enter and Exit: the application's, any. The rest: one at a time
// Blocking   never; a thread's first call takes a lock and may make system calls
// Memory     a block per thread (open_call.h)
// Losses     a call is seen when it begins; a record that the sink refuses is kSpoolFull, one that
//            was left is kAbandoned, one that began in a pause (marker/pause.h) kPaused, a call
//            that is open when the process ends is counted by the reader
#pragma once

#include <stdint.h>

#include <atomic>

#include "base/fast_clock.h"
#include "capture/hip/hip_layout.h"
#include "capture/hip/open_call.h"
#include "model/record_sink.h"

namespace rtl::capture {

// Where the arguments of a call lie: at `data`, as these steps say.
struct CallArguments {
  const CopyStep* steps;
  const uint8_t* data;
};

// Who is told of calls while they happen. What it keeps of an open call goes into `room`. All but Asks
// and SkipIds on the thread of the call, without a lock.
class HipCallListener {
 public:
  // Whether the call may ever be of interest: asked before there is a function before it.
  virtual bool Asks(const CallLayout& layout) = 0;
  // Whether it is now. Otherwise nothing follows.
  virtual bool Wants(const CallLayout& layout) = 0;
  // An id for a call that the trace records. Begin finds it in `recorded`, without its flags.
  virtual uint64_t NewId() = 0;
  // Ids up to this one are given out.
  virtual void SkipIds(uint64_t last) = 0;
  virtual void Begin(ThreadCalls* calls, const CallArguments& arguments) = 0;
  virtual void End(ThreadCalls* calls, int32_t result, bool result_known) = 0;

 protected:
  ~HipCallListener() = default;
};

class HipCalls {
 public:
  constexpr HipCalls() = default;
  HipCalls(const HipCalls&) = delete;
  HipCalls& operator=(const HipCalls&) = delete;

  struct Trace {
    RecordSink* sink = nullptr;
    // Counts the calls that are recorded. Without a listener its values are their ids.
    std::atomic<uint64_t>* seen = nullptr;
    const FastClock* clock = nullptr;  // the one that stamps packets; null: there is none yet
    bool runtime_calls = true;         // record what is not the compiler's
    // Counts the compiler's calls (__hipPushCallConfiguration …); null: they are not recorded.
    std::atomic<uint64_t>* compiler_seen = nullptr;
  };
  void Record(const Trace& trace);
  void Listen(HipCallListener* listener);
  // From now on nothing begins; calls that are open are still recorded. Async-signal-safe.
  void Disarm() { armed_.store(0, std::memory_order_relaxed); }
  // The same for the trace alone.
  void StopRecording() {
    armed_.fetch_and(static_cast<uint8_t>(~kRecords), std::memory_order_relaxed);
  }
  // Whether the trace records such calls: of HIP's API, or of what its compiler puts into programs.
  bool Records(const CallLayout* layout) const {
    return IsCompilerCall(layout) ? trace_.compiler_seen != nullptr : trace_.runtime_calls;
  }
  static bool IsCompilerCall(const CallLayout* layout) {
    return layout != nullptr && layout->name[0] == '_';
  }
  bool recording() const { return (armed_.load(std::memory_order_relaxed) & kRecords) != 0; }

  // Null: nobody wants this call, and it has no Exit. `frame`: of the door's function.
  ThreadCalls* Enter(CallDoor door, const void* frame, uint32_t api, const CallLayout* layout);
  using Arguments = CallArguments;
  // The arguments are there, and HIP's function has not begun.
  void Tell(ThreadCalls* calls, const Arguments& arguments) {
    if (calls->tell) TellListener(calls, arguments);
  }
  void Exit(ThreadCalls* calls, Arguments arguments, int32_t result, bool result_known);
  // The same in two steps, for a door that needs time to find the result. Listeners have clocks of
  // their own: they pay for none of ours.
  uint64_t EndTime(const ThreadCalls* calls) const { return calls->recorded == 0 ? 0 : Now(); }
  void ExitAt(uint64_t end, ThreadCalls* calls, Arguments arguments, int32_t result,
              bool result_known);

 private:
  static EventKind KindOf(bool compiler) {
    return compiler ? EventKind::kCompilerCall : EventKind::kHipCall;
  }
  static constexpr uint8_t kRecords = 1, kListens = 2;

  uint64_t Now() const {
    const FastClock* const clock = clock_.load(std::memory_order_acquire);  // pairs with (A)
    return clock == nullptr ? BootTimeNs() : clock->NowNs();
  }
  ThreadCalls* FirstOfThread(bool records, bool compiler);
  bool WasLeft(ThreadCalls* calls, CallDoor door, const void* frame);
  uint64_t NewId(bool compiler, bool listened_to);
  void TellListener(ThreadCalls* calls, const Arguments& arguments);
  void WriteRecord(uint64_t end, ThreadCalls* calls, const Arguments& arguments, int32_t result,
                   bool result_known);

  std::atomic<uint8_t> armed_{0};
  std::atomic<const FastClock*> clock_{nullptr};
  Trace trace_;                          // written before kRecords is set
  HipCallListener* listener_ = nullptr;  // as well, kListens
};

}  // namespace rtl::capture
