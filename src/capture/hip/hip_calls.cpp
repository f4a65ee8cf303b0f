// SPDX-License-Identifier: MIT
#include "capture/hip/hip_calls.h"

#include <errno.h>

#include <algorithm>

#include "base/thread_state.h"
#include "capture/roctx/pause.h"
#include "model/records.h"

namespace rtl::capture {

void HipCalls::Record(const Trace& trace) {
  clock_.store(trace.clock, std::memory_order_release);  // (A)
  // calls may be open, so the rest must not change
  if (recording()) return;
  // A new number makes each thread take new ids and a new cell.
  static constinit std::atomic<uint32_t> given{0};
  if (number_ == 0 || trace.cells != trace_.cells)
    number_ = given.fetch_add(1, std::memory_order_relaxed) + 1;
  trace_ = trace;
  opening_.runtime_calls = trace.runtime_calls;
  opening_.compiler_calls = trace.compiler_submitted != nullptr;
  alone_.store(nullptr, std::memory_order_relaxed);  // set to null before the trace gets kernels
  const bool plain = trace.runtime_calls && trace.cells != nullptr;
  const uint8_t records = plain ? kRecords | kPlain : kRecords;
  uint8_t before = armed_.load(std::memory_order_relaxed);
  while (!armed_.compare_exchange_weak(before, (before & kListens) | records,
                                       std::memory_order_release,  // (B)
                                       std::memory_order_relaxed)) {
  }
}

void HipCalls::Await(const Opening& opening) {
  if (recording()) return;
  opening_ = opening;
  alone_.store(nullptr, std::memory_order_relaxed);
  armed_.fetch_or(kAwaits, std::memory_order_release);  // (B)
}

// Opens the trace on the application's thread that makes the first call.
[[gnu::cold, gnu::noinline]] uint8_t HipCalls::OpenTrace() {
  const int error_number = errno;  // the application's
  opening_.open(opening_.data);
  errno = error_number;
  return armed_.load(std::memory_order_acquire);  // pairs with (B)
}

// Only counts the call: the child of a fork may touch nothing but the shared counters. The call is
// marked as open, so that calls that HIP makes inside it are not counted.
[[gnu::cold, gnu::noinline]] ThreadCalls* HipCalls::CountForked(ThreadCalls* calls, bool compiler) {
  (void)(compiler ? trace_.compiler_submitted : trace_.submitted)
      ->fetch_add(1, std::memory_order_relaxed);
  trace_.sink->CountLoss(KindOf(compiler), Loss::kForked, 1);
  return calls;
}

void HipCalls::Listen(HipCallListener* listener) {
  if ((armed_.load(std::memory_order_relaxed) & kListens) != 0) return;
  if (recording()) {
    listener->SkipIds(std::max(last_id_.load(std::memory_order_relaxed),
                               last_compiler_id_.load(std::memory_order_relaxed)));
  }
  listener_ = listener;
  demand_ = listener->demand();
  const uint8_t others = armed_.fetch_or(kListens, std::memory_order_release);  // (B)
  if (others == 0) alone_.store(demand_, std::memory_order_release);
}

[[gnu::cold]] ThreadCalls* HipCalls::FirstOfThread(bool records, bool compiler) {
  const int error_number = errno;  // the application's
  ThreadCalls* const calls = OpenCall::MakeCalls();
  errno = error_number;
  if (calls == nullptr && records) {
    (void)(compiler ? trace_.compiler_submitted : trace_.submitted)
        ->fetch_add(1, std::memory_order_relaxed);
    trace_.sink->CountLoss(KindOf(compiler), Loss::kNoMemory, 1);
  }
  return calls;
}

// Called when a call begins while another one is open. True if the open call was abandoned. A
// signal handler on a stack of its own may look like that; the end of the interrupted call is then
// not seen.
[[gnu::cold]] bool HipCalls::WasLeft(ThreadCalls* calls, CallMethod method, const void* frame) {
  if (calls->method != method || frame < calls->frame) return false;
  if (calls->recorded != 0) trace_.sink->CountLoss(KindOf(calls->compiler), Loss::kAbandoned, 1);
  if (calls->told) calls->correlation = calls->ancestor = 0;
  return true;
}

inline void HipCalls::CountSubmitted(const ThreadCalls* calls, bool compiler) {
  if (trace_.cells != nullptr && calls->index < kCallCells) {
    return trace_.cells[calls->index].Count(compiler);
  }
  (void)(compiler ? trace_.compiler_submitted : trace_.submitted)
      ->fetch_add(1, std::memory_order_relaxed);
}

// A thread without a cell takes one id at a time, so its calls are never plain.
[[gnu::cold, gnu::noinline]] void HipCalls::TakeIds(ThreadCalls* calls, bool compiler) {
  const bool has_cell = trace_.cells != nullptr && calls->index < kCallCells;
  calls->cell = has_cell ? &trace_.cells[calls->index] : nullptr;
  const uint64_t ids = has_cell ? kIdsAtOnce : 1;
  std::atomic<uint64_t>& last = compiler ? last_compiler_id_ : last_id_;
  const uint64_t before = last.fetch_add(ids, std::memory_order_relaxed);
  (compiler ? calls->compiler_ids : calls->ids) = {before, before + ids, number_};
}

// If there is a listener, every call gets an id of the listener: tools may subscribe to more calls
// than the trace records, and a call that both get must have one id.
inline uint64_t HipCalls::NewId(ThreadCalls* calls, bool compiler, bool listened_to) {
  IdBlock& ids = compiler ? calls->compiler_ids : calls->ids;
  if (!listened_to && (ids.used == ids.last || ids.of != number_)) TakeIds(calls, compiler);
  const uint64_t id = listened_to ? listener_->NewId() : ++ids.used;
  return compiler ? id | kCompilerCorrelation : id;
}

// Handles the calls that Enter does not handle inline.
[[gnu::noinline]] ThreadCalls* HipCalls::EnterAny(CallMethod method, const void* frame,
                                                  uint32_t api, const CallLayout* layout) {
  uint8_t armed = armed_.load(std::memory_order_acquire);  // pairs with (B)
  if (armed == 0 || (armed == kListens && demand_->Quiet())) return nullptr;
  if (ReentryGuard::Active()) return nullptr;
  if ((armed & kAwaits) != 0 && Records(layout)) [[unlikely]]
    armed = OpenTrace();
  const bool tell = (armed & kListens) != 0 && layout != nullptr && !demand_->Quiet() &&
                    listener_->Wants(*layout);
  const bool records = (armed & (kRecords | kForked)) != 0 && Records(layout);
  if (!tell && !records) return nullptr;
  const bool compiler = IsCompilerCall(layout);
  ThreadCalls* calls = OpenCall::Calls();
  if (calls == nullptr) [[unlikely]] {
    calls = FirstOfThread(records, compiler);
    if (calls == nullptr) return nullptr;
  }
  if (calls->open && !WasLeft(calls, method, frame)) return nullptr;
  Open(calls, {method, frame, api, layout});
  calls->compiler = compiler;
  calls->tell = tell;
  calls->recorded = 0;
  calls->of = number_;
  if (!records) return calls;
  if ((armed & kForked) != 0) [[unlikely]]
    return CountForked(calls, compiler);
  // as in Enter: signal handlers find the call open
  std::atomic_signal_fence(std::memory_order_seq_cst);
  CountSubmitted(calls, compiler);
  calls->recorded = NewId(calls, compiler, (armed & kListens) != 0);
  calls->paused = Pause::Active();
  if (!tell) calls->start = Now();  // otherwise TellListener sets it
  return calls;
}

[[gnu::cold, gnu::noinline]] ThreadCalls* HipCalls::StartBySystemClock(ThreadCalls* calls) {
  calls->start = BootTimeNs();
  return calls;
}

// Sets the start of the call after the listener returns, because the listener's time is not part of
// the call.
void HipCalls::TellListener(ThreadCalls* calls, const Arguments& arguments) {
  calls->told = true;
  listener_->Begin(calls, arguments);
  if (calls->recorded != 0) calls->start = Now();
}

void HipCalls::ExitAt(uint64_t end, ThreadCalls* calls, Arguments arguments, int32_t result,
                      bool result_known) {
  if (calls->told) listener_->End(calls, result, result_known, end);
  // A call that began in an earlier trace of this process was counted in that trace.
  if ((calls->plain ? calls->ids.of : calls->of) != number_) [[unlikely]]
    calls->recorded = 0;
  // The call stays open until its record is written, because a call of a signal handler must not
  // overwrite the payload meanwhile.
  if (calls->recorded != 0) {
    if (calls->paused) {
      trace_.sink->CountLoss(KindOf(calls->compiler), Loss::kPaused, 1);
    } else {
      WriteRecord(end, calls, arguments, result, result_known);
    }
  }
  calls->recorded = 0;
  calls->open = false;
}

void HipCalls::CountUndescribed() {
  uint8_t armed = armed_.load(std::memory_order_acquire);  // pairs with (B)
  if (armed == 0 || ReentryGuard::Active() || !opening_.runtime_calls) return;
  const ThreadCalls* const calls = OpenCall::Calls();
  if (calls != nullptr && calls->open) return;  // a call that HIP itself makes
  if ((armed & kAwaits) != 0) armed = OpenTrace();
  if ((armed & (kRecords | kForked)) == 0) return;
  (void)trace_.submitted->fetch_add(1, std::memory_order_relaxed);
  Loss why = Pause::Active() ? Loss::kPaused : Loss::kUndescribed;
  if ((armed & kForked) != 0) why = Loss::kForked;
  trace_.sink->CountLoss(EventKind::kHipCall, why, 1);
}

[[gnu::cold, gnu::noinline]] void HipCalls::CountRefused(const ThreadCalls* calls) {
  trace_.sink->CountLoss(KindOf(calls->compiler), Loss::kSpoolFull, 1);
}

}  // namespace rtl::capture
