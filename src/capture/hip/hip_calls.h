// SPDX-License-Identifier: MIT
// hip_calls.h: what every interception method of the HIP API does with a call: Enter when it
// begins, Exit when it returns. One call gives one record with any number of methods. A call that
// is made while another one is open on its thread comes from HIP itself, or is the same call seen
// by a second method, and is not recorded. The stack shows a call that was left without returning
// (longjmp, an exception): the next call by the same method is not deeper.
//
// The trace gets a record of a call (Record), a listener gets its beginning and its end (Listen),
// or both happen; then the call has the same id for both. A party that joins later gets later
// calls.
//
// Threads    Enter and Exit: the application's, any. The rest: one at a time
// Blocking   never; a thread's first call takes a lock and may make system calls
// Memory     a block per thread (open_call.h)
// Losses     a call is seen when it begins. A record that the sink refuses is kSpoolFull, a call that
//            was left is kAbandoned, one that began in a pause (roctx/pause.h) is kPaused; the reader
//            counts a call that is open when the process ends
#pragma once

#include <stdint.h>

#include <atomic>

#include "base/demand.h"
#include "base/fast_clock.h"
#include "base/thread_state.h"
#include "capture/hip/copy_arguments.h"
#include "capture/hip/hip_layout.h"
#include "capture/hip/open_call.h"
#include "capture/roctx/pause.h"
#include "model/call_cell.h"
#include "model/record_sink.h"
#include "model/records.h"

namespace rtl::capture {

// The location of a call's arguments: at `data`, as these steps describe.
struct CallArguments {
  const CopyStep* steps;
  const uint8_t* data;
};

// Gets calls while they happen. It may store its data of an open call in `room`. All functions but
// Asks and SkipIds run on the thread of the call, without a lock.
class HipCallListener {
 public:
  // True if the call may ever be of interest: queried before its function is wrapped.
  virtual bool Asks(const CallLayout& layout) = 0;
  // Whether any call is of interest now. Constant for the life of the process.
  virtual const Demand* demand() const = 0;
  // True if it is of interest now. Otherwise Begin and End are not called.
  virtual bool Wants(const CallLayout& layout) = 0;
  // Returns an id for a call that the trace records. Begin finds it in `recorded`, without its
  // flags.
  virtual uint64_t NewId() = 0;
  // Ids up to this one are in use.
  virtual void SkipIds(uint64_t last) = 0;
  virtual void Begin(ThreadCalls* calls, const CallArguments& arguments) = 0;
  // `end`: the time, when the trace records the call. It is taken once for both, as `calls->start`.
  virtual void End(ThreadCalls* calls, int32_t result, bool result_known, uint64_t end) = 0;

 protected:
  ~HipCallListener() = default;
};

// A word of a record, from the lower half up.
constexpr uint64_t RecordWord(uint32_t low, uint32_t high) { return low | uint64_t{high} << 32; }

class HipCalls {
 public:
  constexpr HipCalls() = default;
  HipCalls(const HipCalls&) = delete;
  HipCalls& operator=(const HipCalls&) = delete;

  struct Trace {
    RecordSink* sink = nullptr;
    // Counts the recorded calls of threads without a cell.
    std::atomic<uint64_t>* seen = nullptr;
    const FastClock* clock = nullptr;  // the clock that stamps packets; null: none yet
    bool runtime_calls = true;         // record all calls but the compiler's
    // Counts the compiler's calls (__hipPushCallConfiguration …); null: they are not recorded.
    std::atomic<uint64_t>* compiler_seen = nullptr;
    CallCell* cells = nullptr;  // kCallCells, for calls of both kinds; null: none
  };
  void Record(const Trace& trace);
  void Listen(HipCallListener* listener);
  // Before Record: the first call that the trace is to record calls `open`, which opens the trace
  // and calls Record, or else StopAwaiting. `compiler`: the compiler's calls are to be recorded.
  struct Opening {
    void (*open)(void* data) = nullptr;
    void* data = nullptr;
    bool runtime_calls = false;
    bool compiler_calls = false;
  };
  void Await(const Opening& opening);
  void StopAwaiting() { StopRecording(); }
  // Begins no more calls; open calls are still recorded. Async-signal-safe.
  void Disarm() {
    alone_.store(nullptr, std::memory_order_relaxed);
    armed_.store(0, std::memory_order_relaxed);
  }
  // In the child of a fork: counts the calls that the trace would have got. Async-signal-safe.
  void CountForked() {
    alone_.store(nullptr, std::memory_order_relaxed);
    armed_.store(recording() ? kForked : 0, std::memory_order_relaxed);
  }
  // In the child of a fork: forgets the parent's trace. Async-signal-safe.
  void ForgetTrace() {
    Disarm();
    trace_ = {};
    number_ = 0;
  }
  // The same for the trace alone.
  void StopRecording() {
    armed_.fetch_and(kListens, std::memory_order_relaxed);
    if (armed_.load(std::memory_order_relaxed) == kListens)
      alone_.store(demand_, std::memory_order_release);
  }
  // The listener's demand, while the trace takes no calls (HipCallHooks::alone).
  const std::atomic<const Demand*>* alone() const { return &alone_; }
  // True if the trace records such calls: of HIP's API, or of the code that its compiler generates.
  bool Records(const CallLayout* layout) const {
    return IsCompilerCall(layout) ? opening_.compiler_calls : opening_.runtime_calls;
  }
  static bool IsCompilerCall(const CallLayout* layout) {
    return layout != nullptr && layout->name[0] == '_';
  }
  bool recording() const { return (armed_.load(std::memory_order_relaxed) & kRecords) != 0; }

  // HOT. Null: the call is not of interest, and it has no Exit. `frame`: of the wrapper.
  [[gnu::always_inline]] ThreadCalls* Enter(CallMethod method, const void* frame, uint32_t api,
                                            const CallLayout* layout) {
    ThreadCalls* const calls = OpenCall::Calls();
    if (!IsPlain(calls, layout)) [[unlikely]]
      return EnterAny(method, frame, api, layout);
    Open(calls, {method, frame, api, layout});
    calls->plain = true;
    // A handler that interrupts this thread from here on finds the call open and counts nothing.
    std::atomic_signal_fence(std::memory_order_seq_cst);
    calls->cell->Count(false);
    calls->recorded = ++calls->ids.used;
    if (!TryNow(&calls->start)) [[unlikely]]
      return StartBySystemClock(calls);
    return calls;
  }
  // A call of a function that is not described has begun.
  void CountUndescribed();
  using Arguments = CallArguments;
  // The arguments are valid, and HIP's function has not begun.
  void Tell(ThreadCalls* calls, const Arguments& arguments) {
    if (calls->tell) TellListener(calls, arguments);
  }
  // HOT.
  [[gnu::always_inline]] void Exit(ThreadCalls* calls, Arguments arguments, int32_t result,
                                   bool result_known) {
    uint64_t end;
    if (!calls->plain || calls->ids.of != number_ || !TryNow(&end)) [[unlikely]]
      return ExitAt(EndTime(calls), calls, arguments, result, result_known);
    WriteRecord(end, calls, arguments, result, result_known);
    calls->recorded = 0;
    calls->open = false;
  }
  // The same in two steps, for a method that needs time to find the result. Listeners have clocks
  // of their own, so the time of ours is not taken for them.
  uint64_t EndTime(const ThreadCalls* calls) const { return calls->recorded == 0 ? 0 : Now(); }
  void ExitAt(uint64_t end, ThreadCalls* calls, Arguments arguments, int32_t result,
              bool result_known);

 private:
  static EventKind KindOf(bool compiler) {
    return compiler ? EventKind::kCompilerCall : EventKind::kHipCall;
  }
  // kPlain: threads may have what IsPlain asks for. kAwaits: until Record. kForked: this is the
  // child of a fork, and the trace is the parent's.
  static constexpr uint8_t kRecords = 1, kListens = 2, kPlain = 4, kAwaits = 8, kForked = 16;
  static constexpr uint64_t kIdsAtOnce = 128;

  uint64_t Now() const {
    const FastClock* const clock = clock_.load(std::memory_order_acquire);  // pairs with (A)
    return clock == nullptr ? BootTimeNs() : clock->NowNs();
  }
  bool TryNow(uint64_t* now) const {
    const FastClock* const clock = clock_.load(std::memory_order_acquire);  // pairs with (A)
    return clock != nullptr && clock->TryNowNs(now);
  }
  struct Entered {
    CallMethod method;
    const void* frame;
    uint32_t api;
    const CallLayout* layout;
  };
  // True for a call for the trace alone, on a thread that has all it needs for that.
  bool IsPlain(const ThreadCalls* calls, const CallLayout* layout) const {
    // pairs with (B)
    if (armed_.load(std::memory_order_acquire) != (kRecords | kPlain)) return false;
    if (calls == nullptr || calls->open || ReentryGuard::Active() || Pause::Requested())
      return false;
    return calls->ids.used != calls->ids.last && calls->ids.of == number_ &&
           !IsCompilerCall(layout);
  }
  static void Open(ThreadCalls* calls, const Entered& entered) {
    calls->api = entered.api;
    calls->layout = entered.layout;
    calls->method = entered.method;
    calls->frame = entered.frame;
    calls->open = true;
    calls->tell = false;
    calls->told = false;
    calls->result_known = false;
    calls->plain = false;
    calls->paused = false;
    calls->compiler = false;
    calls->launches = entered.layout != nullptr && entered.layout->launches;
    calls->reserved = 0;
  }
  ThreadCalls* EnterAny(CallMethod method, const void* frame, uint32_t api,
                        const CallLayout* layout);
  static ThreadCalls* StartBySystemClock(ThreadCalls* calls);
  uint8_t OpenTrace();
  ThreadCalls* CountForked(ThreadCalls* calls, bool compiler);
  ThreadCalls* FirstOfThread(bool records, bool compiler);
  bool WasLeft(ThreadCalls* calls, CallMethod method, const void* frame);
  void CountSeen(const ThreadCalls* calls, bool compiler);
  uint64_t NewId(ThreadCalls* calls, bool compiler, bool listened_to);
  void TakeIds(ThreadCalls* calls, bool compiler);
  void TellListener(ThreadCalls* calls, const Arguments& arguments);
  void WriteRecord(uint64_t end, ThreadCalls* calls, const Arguments& arguments, int32_t result,
                   bool result_known);
  void CountRefused(const ThreadCalls* calls);

  std::atomic<uint8_t> armed_{0};
  std::atomic<const FastClock*> clock_{nullptr};
  std::atomic<uint64_t> last_id_{0}, last_compiler_id_{0};  // that a thread was given
  Trace trace_;                                             // written before kRecords is set
  Opening opening_;      // written before kRecords or kAwaits is set
  uint32_t number_ = 0;  // likewise: of this object and its cells in the process
  std::atomic<const Demand*> alone_{nullptr};
  HipCallListener* listener_ = nullptr;  // likewise, for kListens
  const Demand* demand_ = nullptr;       // likewise, the listener's
};

// HOT.
[[gnu::always_inline]] inline void HipCalls::WriteRecord(uint64_t end, ThreadCalls* calls,
                                                         const Arguments& arguments, int32_t result,
                                                         bool result_known) {
  uint16_t flags = result_known ? 0 : kApiFlagNoResult;
  if (calls->compiler) flags |= kApiFlagCompiler;
  CopiedArguments copied = {};
  if (calls->layout != nullptr) {
    copied = CopyArguments(arguments.steps, *calls->layout, arguments.data,
                           result_known && result == 0, calls->payload, sizeof calls->payload);
    flags |= copied.flags;
  }
  // An ApiCallRecord, of whole words: the sink loads words, and a load that finds its bytes in
  // several stores waits until all of them have left the processor.
  constexpr uint32_t kType = static_cast<uint16_t>(RecordType::kApiCall);
  const uint64_t record[] = {RecordWord(kType, calls->thread),
                             calls->recorded,
                             calls->start,
                             end,
                             RecordWord(calls->api, static_cast<uint32_t>(result)),
                             RecordWord(copied.bytes, copied.slots | uint32_t{flags} << 16)};
  static_assert(sizeof record == sizeof(ApiCallRecord));
  if (!trace_.sink->Write(record, sizeof record, reinterpret_cast<const char*>(calls->payload),
                          copied.bytes)) [[unlikely]] {
    CountRefused(calls);
  }
}

}  // namespace rtl::capture
