// SPDX-License-Identifier: MIT
#include "capture/hip/hip_calls.h"

#include <errno.h>

#include "base/thread_state.h"
#include "capture/marker/pause.h"
#include "model/records.h"

namespace rtl::capture {

void HipCalls::Arm(const Services& services) {
  clock_.store(services.clock, std::memory_order_release);  // (A)
  if (armed()) return;                                      // calls are under way
  services_ = services;
  armed_.store(true, std::memory_order_release);
}

[[gnu::cold]] ThreadCalls* HipCalls::FirstOfThread(bool compiler) {
  const int error_number = errno;  // the application's
  ThreadCalls* const calls = OpenCall::MakeCalls();
  errno = error_number;
  if (calls == nullptr) {
    (void)(compiler ? services_.compiler_seen : services_.seen)
        ->fetch_add(1, std::memory_order_relaxed);
    services_.sink->CountLoss(KindOf(compiler), Loss::kNoMemory, 1);
  }
  return calls;
}

// A call is open. True: not any more, it was left without its end. A handler on a stack of its own
// may be taken for that; the call that it interrupts then ends unseen.
[[gnu::cold]] bool HipCalls::WasLeft(ThreadCalls* calls, CallDoor door, const void* frame) {
  if (calls->door != door || frame < calls->frame) return false;
  services_.sink->CountLoss(KindOf(calls->compiler), Loss::kAbandoned, 1);
  return true;
}

// HOT: once per call, on the application's thread.
ThreadCalls* HipCalls::Enter(CallDoor door, const void* frame, uint32_t api,
                             const CallLayout* layout) {
  if (!armed_.load(std::memory_order_relaxed) || ReentryGuard::Active()) return nullptr;
  if (services_.listener != nullptr && (layout == nullptr || !services_.listener->Wants(*layout)))
    return nullptr;
  const bool compiler = IsCompilerCall(layout);
  if (services_.listener == nullptr && !Records(layout)) return nullptr;
  ThreadCalls* calls = OpenCall::Calls();
  if (calls == nullptr) [[unlikely]] {
    calls = FirstOfThread(compiler);
    if (calls == nullptr) return nullptr;
  }
  if (calls->correlation != 0 && !WasLeft(calls, door, frame)) return nullptr;
  calls->api = api;
  calls->layout = layout;
  calls->door = door;
  calls->frame = frame;
  calls->result_known = false;
  calls->compiler = compiler;
  if (services_.listener != nullptr) {
    calls->correlation = kListenedTo;
    return calls;
  }
  calls->correlation =
      compiler ? (services_.compiler_seen->fetch_add(1, std::memory_order_relaxed) + 1) |
                     kCompilerCorrelation
               : services_.seen->fetch_add(1, std::memory_order_relaxed) + 1;
  calls->paused = Pause::Active();
  calls->start = Now();
  return calls;
}

void HipCalls::Exit(ThreadCalls* calls, Arguments arguments, int32_t result, bool result_known) {
  ExitAt(EndTime(), calls, arguments, result, result_known);
}

// HOT: once per recorded call, on the application's thread.
void HipCalls::ExitAt(uint64_t end, ThreadCalls* calls, Arguments arguments, int32_t result,
                      bool result_known) {
  if (services_.listener != nullptr) {
    services_.listener->End(calls, result, result_known);
    calls->correlation = 0;
    return;
  }
  if (calls->paused) [[unlikely]] {
    services_.sink->CountLoss(KindOf(calls->compiler), Loss::kPaused, 1);
    calls->correlation = 0;
    return;
  }
  ApiCallRecord record;
  record.end = end;
  record.head.type = RecordType::kApiCall;
  record.head.thread = calls->thread;
  record.correlation = calls->correlation;
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
  // Open until it is written: what a signal handler calls meanwhile must not use the payload.
  if (!services_.sink->Write(&record, sizeof record, reinterpret_cast<const char*>(calls->payload),
                             record.text_bytes)) [[unlikely]] {
    services_.sink->CountLoss(KindOf(calls->compiler), Loss::kSpoolFull, 1);
  }
  calls->correlation = 0;
}

}  // namespace rtl::capture
