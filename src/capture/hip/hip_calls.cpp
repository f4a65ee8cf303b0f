// SPDX-License-Identifier: MIT
#include "capture/hip/hip_calls.h"

#include <errno.h>

#include <algorithm>

#include "base/thread_state.h"
#include "capture/marker/pause.h"
#include "model/records.h"

namespace rtl::capture {

void HipCalls::Record(const Trace& trace) {
  clock_.store(trace.clock, std::memory_order_release);  // (A)
  if (recording()) return;                               // calls may be open
  trace_ = trace;
  armed_.fetch_or(kRecords, std::memory_order_release);  // (B)
}

void HipCalls::Listen(HipCallListener* listener) {
  if ((armed_.load(std::memory_order_relaxed) & kListens) != 0) return;
  if (recording()) {
    uint64_t last = trace_.seen->load(std::memory_order_relaxed);
    if (trace_.compiler_seen != nullptr)
      last = std::max(last, trace_.compiler_seen->load(std::memory_order_relaxed));
    listener->SkipIds(last);
  }
  listener_ = listener;
  armed_.fetch_or(kListens, std::memory_order_release);  // (B)
}

[[gnu::cold]] ThreadCalls* HipCalls::FirstOfThread(bool records, bool compiler) {
  const int error_number = errno;  // the application's
  ThreadCalls* const calls = OpenCall::MakeCalls();
  errno = error_number;
  if (calls == nullptr && records) {
    (void)(compiler ? trace_.compiler_seen : trace_.seen)->fetch_add(1, std::memory_order_relaxed);
    trace_.sink->CountLoss(KindOf(compiler), Loss::kNoMemory, 1);
  }
  return calls;
}

// Called while a call is open. True if the open call was abandoned. A handler on a stack of its own
// may be mistaken for that; the end of the call that it interrupts is then not seen.
[[gnu::cold]] bool HipCalls::WasLeft(ThreadCalls* calls, CallDoor door, const void* frame) {
  if (calls->door != door || frame < calls->frame) return false;
  if (calls->recorded != 0) trace_.sink->CountLoss(KindOf(calls->compiler), Loss::kAbandoned, 1);
  if (calls->told) calls->correlation = calls->ancestor = 0;
  return true;
}

// Tools may subscribe to more calls than the trace records, so a call that both get has a tools'
// id.
uint64_t HipCalls::NewId(bool compiler, bool listened_to) {
  std::atomic<uint64_t>* const seen = compiler ? trace_.compiler_seen : trace_.seen;
  const uint64_t own = seen->fetch_add(1, std::memory_order_relaxed) + 1;
  const uint64_t id = listened_to ? listener_->NewId() : own;
  return compiler ? id | kCompilerCorrelation : id;
}

// HOT: once per call, on the application's thread.
ThreadCalls* HipCalls::Enter(CallDoor door, const void* frame, uint32_t api,
                             const CallLayout* layout) {
  const uint8_t armed = armed_.load(std::memory_order_acquire);  // pairs with (B)
  if (armed == 0 || ReentryGuard::Active()) return nullptr;
  const bool tell = (armed & kListens) != 0 && layout != nullptr && listener_->Wants(*layout);
  const bool records = (armed & kRecords) != 0 && Records(layout);
  if (!tell && !records) return nullptr;
  const bool compiler = IsCompilerCall(layout);
  ThreadCalls* calls = OpenCall::Calls();
  if (calls == nullptr) [[unlikely]] {
    calls = FirstOfThread(records, compiler);
    if (calls == nullptr) return nullptr;
  }
  if (calls->open && !WasLeft(calls, door, frame)) return nullptr;
  calls->api = api;
  calls->layout = layout;
  calls->door = door;
  calls->frame = frame;
  calls->result_known = false;
  calls->compiler = compiler;
  calls->open = true;
  calls->tell = tell;
  calls->told = false;
  calls->recorded = 0;
  if (!records) return calls;
  calls->recorded = NewId(compiler, (armed & kListens) != 0);
  calls->paused = Pause::Active();
  if (!tell) calls->start = Now();  // otherwise TellListener sets it
  return calls;
}

// The time that tools take at the beginning of a call is not part of the call.
void HipCalls::TellListener(ThreadCalls* calls, const Arguments& arguments) {
  calls->told = true;
  listener_->Begin(calls, arguments);
  if (calls->recorded != 0) calls->start = Now();
}

void HipCalls::Exit(ThreadCalls* calls, Arguments arguments, int32_t result, bool result_known) {
  ExitAt(EndTime(calls), calls, arguments, result, result_known);
}

// HOT: once per call, on the application's thread.
void HipCalls::ExitAt(uint64_t end, ThreadCalls* calls, Arguments arguments, int32_t result,
                      bool result_known) {
  if (calls->told) listener_->End(calls, result, result_known, end);
  // Open until it is written: a call that a signal handler makes meanwhile must not use the
  // payload.
  if (calls->recorded != 0) WriteRecord(end, calls, arguments, result, result_known);
  calls->recorded = 0;
  calls->open = false;
}

void HipCalls::WriteRecord(uint64_t end, ThreadCalls* calls, const Arguments& arguments,
                           int32_t result, bool result_known) {
  if (calls->paused) [[unlikely]] {
    trace_.sink->CountLoss(KindOf(calls->compiler), Loss::kPaused, 1);
    return;
  }
  ApiCallRecord record;
  record.end = end;
  record.head.type = RecordType::kApiCall;
  record.head.thread = calls->thread;
  record.correlation = calls->recorded;
  record.start = calls->start;
  record.api = calls->api;
  record.result = result;
  record.flags = result_known ? 0 : kApiFlagNoResult;
  if (calls->compiler) record.flags |= kApiFlagCompiler;
  if (calls->layout != nullptr) {
    const CopiedArguments copied =
        CopyArguments(arguments.steps, *calls->layout, arguments.data, result_known && result == 0,
                      calls->payload, sizeof calls->payload);
    record.text_bytes = copied.bytes;
    record.slots = copied.slots;
    record.flags |= copied.flags;
  }
  if (!trace_.sink->Write(&record, sizeof record, reinterpret_cast<const char*>(calls->payload),
                          record.text_bytes)) [[unlikely]] {
    trace_.sink->CountLoss(KindOf(calls->compiler), Loss::kSpoolFull, 1);
  }
}

}  // namespace rtl::capture
