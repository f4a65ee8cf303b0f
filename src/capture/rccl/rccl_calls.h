// SPDX-License-Identifier: MIT
// rccl_calls.h: records RCCL calls, and reports them to tools. A call that is made while another
// one is open on its thread comes from RCCL itself, or is the same call seen twice. It is neither
// recorded nor reported.
//
// Threads    the functions for wrappers: any thread of the application. All other functions: one at
//            a time
// Blocking   never; a thread's first call may make a system call
// Losses     a call is seen when it begins. A record that the sink refuses is kSpoolFull; a call
//            that began in a pause (roctx/pause.h) is kPaused; the reader counts a call that is
//            open when the process ends. A call that a longjmp leaves hides later ones of its
//            thread
#pragma once

#include <atomic>

#include "base/fast_clock.h"
#include "capture/rccl/rccl_function.h"
#include "model/record_sink.h"

namespace rtl::capture {

// Receives RCCL calls for the tools of a process, on threads of the application.
class RcclListener {
 public:
  // True if the call is of interest now. Otherwise Begin and End are not called.
  virtual bool Wants(RcclCallOperation operation) = 0;
  // `room`: RcclCallHooks::kRoomBytes bytes, the same memory in Begin and End of a call.
  virtual void Begin(void* room, RcclCallOperation operation, const void* const* arguments) = 0;
  virtual void End(void* room, uint64_t result) = 0;

 protected:
  ~RcclListener() = default;
};

class RcclCalls {
 public:
  // One per process, because the wrappers have no argument to find it by.
  constexpr RcclCalls() = default;
  RcclCalls(const RcclCalls&) = delete;
  RcclCalls& operator=(const RcclCalls&) = delete;

  // `clock`: the clock that stamps packets; null: not known yet. Record is called again when the
  // clock is known.
  const RcclCallHooks* Record(RecordSink* sink, const FastClock* clock);
  bool opened() const { return sink_ != nullptr; }
  // For use before Record: the first RCCL call calls `open`, which opens the trace and calls
  // Record, or else Disarm.
  const RcclCallHooks* Await(void (*open)(void* data), void* data);
  // Sets the listener of the tools. Once per process.
  const RcclCallHooks* Listen(RcclListener* listener);
  // Begins no more calls for the trace. Calls that are open are still recorded. Tools are not
  // affected. Async-signal-safe.
  void Disarm() { armed_.store(Armed::kOff, std::memory_order_relaxed); }
  // In the child of a fork, async-signal-safe. CountForked counts the child's calls in the parent's
  // trace. BeginAnew forgets the parent's trace, and returns whether that trace recorded calls or
  // was to record them.
  void CountForked();
  bool BeginAnew();

 private:
  static bool Enter(RcclCallOperation operation, RcclCallHooks::Open* open);
  static void Begin(RcclCallHooks::Open* open, RcclCallOperation operation,
                    const void* const* arguments);
  static void Exit(RcclCallHooks::Open* open, RcclCallOperation operation,
                   const RcclCallValues& values, uint64_t result);
  uint64_t Now() const;
  void Write(const RcclCallHooks::Open& open, RcclCallOperation operation,
             const RcclCallValues& values);

  static constexpr RcclCallHooks kHooks = {Enter, Begin, Exit};

  enum class Armed : uint8_t { kOff, kAwaits, kRecords, kForked };
  void OpenTrace();

  std::atomic<Armed> armed_{Armed::kOff};
  void (*open_)(void* data) = nullptr;  // written before armed_ becomes kAwaits
  void* open_data_ = nullptr;
  std::atomic<RcclListener*> listener_{nullptr};
  std::atomic<const FastClock*> clock_{nullptr};
  RecordSink* sink_ = nullptr;  // written before armed_
};

}  // namespace rtl::capture
