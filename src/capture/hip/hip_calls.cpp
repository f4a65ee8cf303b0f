// SPDX-License-Identifier: MIT
#include "capture/hip/hip_calls.h"

#include <errno.h>

#include "base/thread_state.h"
#include "model/records.h"

namespace rtl::capture {

void HipCalls::Arm(const Services& services, const CopyStep* steps) {
  services_ = services;
  steps_ = steps;
  armed_.store(true, std::memory_order_release);
}

[[gnu::cold]] ThreadCalls* HipCalls::FirstOfThread() {
  const int error_number = errno;  // the application's
  ThreadCalls* const calls = OpenCall::MakeCalls();
  errno = error_number;
  if (calls == nullptr) {
    (void)services_.seen->fetch_add(1, std::memory_order_relaxed);
    services_.sink->CountLoss(EventKind::kHipCall, Loss::kNoMemory, 1);
  }
  return calls;
}

// HOT: once per call, on the application's thread.
ThreadCalls* HipCalls::Enter(uint32_t api, const CallLayout* layout) {
  if (!armed_.load(std::memory_order_relaxed) || ReentryGuard::Active()) return nullptr;
  ThreadCalls* calls = OpenCall::Calls();
  if (calls == nullptr) [[unlikely]] {
    calls = FirstOfThread();
    if (calls == nullptr) return nullptr;
  }
  if (calls->correlation != 0) return nullptr;
  calls->correlation = services_.seen->fetch_add(1, std::memory_order_relaxed) + 1;
  calls->api = api;
  calls->layout = layout;
  calls->result_known = false;
  calls->start = Now();
  return calls;
}

void HipCalls::Exit(ThreadCalls* calls, const uint8_t* data, int32_t result, bool result_known) {
  ExitAt(Now(), calls, data, result, result_known);
}

// HOT: once per recorded call, on the application's thread.
void HipCalls::ExitAt(uint64_t end, ThreadCalls* calls, const uint8_t* data, int32_t result,
                      bool result_known) {
  ApiCallRecord record;
  record.end = end;
  record.head.type = RecordType::kApiCall;
  record.head.thread = calls->thread;
  record.correlation = calls->correlation;
  record.start = calls->start;
  record.api = calls->api;
  record.result = result;
  record.flags = result_known ? 0 : kApiFlagNoResult;
  if (calls->layout != nullptr) {
    const CopiedArguments copied =
        CopyArguments(steps_, *calls->layout, data, result_known && result == 0, calls->payload,
                      sizeof calls->payload);
    record.text_bytes = copied.bytes;
    record.slots = copied.slots;
    record.flags |= copied.flags;
  }
  calls->correlation = 0;
  if (!services_.sink->Write(&record, sizeof record, reinterpret_cast<const char*>(calls->payload),
                             record.text_bytes)) [[unlikely]] {
    services_.sink->CountLoss(EventKind::kHipCall, Loss::kSpoolFull, 1);
  }
}

}  // namespace rtl::capture
