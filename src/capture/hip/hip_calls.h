// SPDX-License-Identifier: MIT
// hip_calls.h: records calls of the HIP API for every interception method. A method calls Enter
// when a call begins, and Exit when it returns. A call gives one record, even if several methods
// see it: while a call is open on a thread, further calls on this thread come from HIP itself, or
// are the same call seen by a second method, and are not recorded. The stack shows when a call was
// left without returning (longjmp, an exception): the next call by the same method is then not
// deeper in the stack.
//
// The trace gets a record of a call (Record), and a listener gets its beginning and its end
// (Listen). If both are active, the call has the same id for both. A trace or listener that joins
// later gets only later calls.
//
// Threads    Enter and Exit: any thread of the application. All other functions: one at a time
// Blocking   never; a thread's first call takes a lock and may make system calls
// Memory     a block per thread (open_call.h)
// Losses     a call is seen when it begins. A record that the sink refuses is kSpoolFull, a call
//            that was left is kAbandoned, a call that began in a pause (roctx/pause.h) is kPaused;
//            the reader counts a call that is open when the process ends
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

// Where the arguments of a call are: at `data`, laid out as `steps` describe.
struct CallArguments {
  const CopyStep* steps;
  const uint8_t* data;
};

// Gets calls while they happen. The listener may keep its data of an open call in `room` of
// ThreadCalls. All functions but Asks and SkipIds run on the thread of the call, without a lock.
class HipCallListener {
 public:
  // True if this call may be of interest at any time. Queried before the function is wrapped.
  virtual bool Asks(const CallLayout& layout) = 0;
  // The demand that says whether any call is of interest now. Constant for the life of the process.
  virtual const Demand* demand() const = 0;
  // True if this call is of interest now. Otherwise Begin and End are not called.
  virtual bool Wants(const CallLayout& layout) = 0;
  // Returns an id for a call that the trace records. Begin finds the id in `calls->recorded`,
  // where kCompilerCorrelation is added to the id of a call that HIP's compiler generates.
  virtual uint64_t NewId() = 0;
  // Ids up to `last` are in use.
  virtual void SkipIds(uint64_t last) = 0;
  virtual void Begin(ThreadCalls* calls, const CallArguments& arguments) = 0;
  // `end`: the end time of the call, when the trace records the call; it is taken once for both,
  // like `calls->start`.
  virtual void End(ThreadCalls* calls, int32_t result, bool result_known, uint64_t end) = 0;

 protected:
  ~HipCallListener() = default;
};

// Two halves of a word of a record: `low` are the lower 32 bits.
constexpr uint64_t RecordWord(uint32_t low, uint32_t high) { return low | uint64_t{high} << 32; }

class HipCalls {
 public:
  constexpr HipCalls() = default;
  HipCalls(const HipCalls&) = delete;
  HipCalls& operator=(const HipCalls&) = delete;

  struct Trace {
    RecordSink* sink = nullptr;
    // Counts the recorded calls of threads that have no cell.
    std::atomic<uint64_t>* submitted = nullptr;
    const FastClock* clock = nullptr;  // the clock that stamps packets; null: not known yet
    // record all calls, except those that HIP's compiler generates
    bool runtime_calls = true;
    // Counts calls that HIP's compiler generates (__hipPushCallConfiguration …); null: these calls
    // are not recorded.
    std::atomic<uint64_t>* compiler_submitted = nullptr;
    CallCell* cells = nullptr;  // kCallCells cells, for calls of both kinds; null: none
  };
  void Record(const Trace& trace);
  void Listen(HipCallListener* listener);
  // For use before Record: the first call that the trace is to record calls `open`, which opens the
  // trace and calls Record, or else StopAwaiting. `compiler_calls`: calls that HIP's compiler
  // generates are recorded.
  struct Opening {
    void (*open)(void* data) = nullptr;
    void* data = nullptr;
    bool runtime_calls = false;
    bool compiler_calls = false;
  };
  void Await(const Opening& opening);
  void StopAwaiting() { StopRecording(); }
  // Begins no more calls. Calls that are open are still recorded. Async-signal-safe.
  void Disarm() {
    alone_.store(nullptr, std::memory_order_relaxed);
    armed_.store(0, std::memory_order_relaxed);
  }
  // In the child of a fork: counts the calls that the parent's trace does not get.
  // Async-signal-safe.
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
  // Disarms for the trace only; the listener still gets calls.
  void StopRecording() {
    armed_.fetch_and(kListens, std::memory_order_relaxed);
    if (armed_.load(std::memory_order_relaxed) == kListens)
      alone_.store(demand_, std::memory_order_release);
  }
  // Points to the listener's demand while only the listener wants calls, and to null while the
  // trace records calls as well or nothing is armed (HipCallHooks::alone).
  const std::atomic<const Demand*>* alone() const { return &alone_; }
  // True if the trace records calls of this kind: calls of HIP's API, or calls that HIP's compiler
  // generates.
  bool Records(const CallLayout* layout) const {
    return IsCompilerCall(layout) ? opening_.compiler_calls : opening_.runtime_calls;
  }
  static bool IsCompilerCall(const CallLayout* layout) {
    return layout != nullptr && layout->name[0] == '_';
  }
  bool recording() const { return (armed_.load(std::memory_order_relaxed) & kRecords) != 0; }

  // HOT. Null: the call is not of interest, and Exit must not be called. `frame`: the stack frame
  // of the wrapper.
  [[gnu::always_inline]] ThreadCalls* Enter(CallMethod method, const void* frame, uint32_t api,
                                            const CallLayout* layout) {
    ThreadCalls* const calls = OpenCall::Calls();
    if (!IsPlain(calls, layout)) [[unlikely]]
      return EnterAny(method, frame, api, layout);
    Open(calls, {method, frame, api, layout});
    calls->plain = true;
    // From here on a signal handler that interrupts this thread finds the call open and counts
    // nothing.
    std::atomic_signal_fence(std::memory_order_seq_cst);
    calls->cell->Count(false);
    calls->recorded = ++calls->ids.used;
    if (!TryNow(&calls->start)) [[unlikely]]
      return StartBySystemClock(calls);
    return calls;
  }
  // A call of a function without a description has begun.
  void CountUndescribed();
  using Arguments = CallArguments;
  // Reports the beginning to the listener, when the arguments are valid and before HIP's function
  // begins.
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
  // Exit in two steps, for a method that needs time to find the result. EndTime reads the clock
  // only if the trace records the call: a listener has a clock of its own.
  uint64_t EndTime(const ThreadCalls* calls) const { return calls->recorded == 0 ? 0 : Now(); }
  void ExitAt(uint64_t end, ThreadCalls* calls, Arguments arguments, int32_t result,
              bool result_known);

 private:
  static EventKind KindOf(bool compiler) {
    return compiler ? EventKind::kCompilerCall : EventKind::kHipCall;
  }
  // kPlain: a call may be plain (IsPlain). kAwaits: set until Record or StopAwaiting. kForked: this
  // is the child of a fork, and the trace is the parent's.
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
  // True if only the trace records this call, and its thread already has the ids and the cell for
  // that.
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
  void CountSubmitted(const ThreadCalls* calls, bool compiler);
  uint64_t NewId(ThreadCalls* calls, bool compiler, bool listened_to);
  void TakeIds(ThreadCalls* calls, bool compiler);
  void TellListener(ThreadCalls* calls, const Arguments& arguments);
  void WriteRecord(uint64_t end, ThreadCalls* calls, const Arguments& arguments, int32_t result,
                   bool result_known);
  void CountRefused(const ThreadCalls* calls);

  std::atomic<uint8_t> armed_{0};
  std::atomic<const FastClock*> clock_{nullptr};
  std::atomic<uint64_t> last_id_{0}, last_compiler_id_{0};  // last id that a thread has taken
  Trace trace_;                                             // written before kRecords is set
  Opening opening_;  // written before kRecords or kAwaits is set
  // number in the process of this object with its cells; written before kRecords is set
  uint32_t number_ = 0;
  std::atomic<const Demand*> alone_{nullptr};
  HipCallListener* listener_ = nullptr;  // written before kListens is set
  const Demand* demand_ = nullptr;       // the listener's; written before kListens is set
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
  // An ApiCallRecord, written as whole words. The sink loads words, and a load of bytes from
  // several narrower stores would wait until all these stores have left the processor.
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
