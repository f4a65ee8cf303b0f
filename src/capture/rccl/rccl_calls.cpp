// SPDX-License-Identifier: MIT
#include "capture/rccl/rccl_calls.h"

#include <errno.h>

#include "base/clock.h"
#include "base/thread_state.h"
#include "capture/hip/open_call.h"
#include "capture/roctx/pause.h"
#include "model/records.h"

namespace rtl::capture {
namespace {

constinit std::atomic<RcclCalls*> recorder{nullptr};
// True while an RCCL call is open on this thread.
[[gnu::tls_model("initial-exec")]] constinit thread_local bool inside_rccl = false;

}  // namespace

const RcclCallHooks* RcclCalls::Record(RecordSink* sink, const FastClock* clock) {
  clock_.store(clock, std::memory_order_release);  // (A)
  if (sink_ == nullptr) {
    sink_ = sink;
    armed_.store(Armed::kRecords, std::memory_order_release);  // (D)
    recorder.store(this, std::memory_order_release);           // (B)
  }
  return &kHooks;
}

const RcclCallHooks* RcclCalls::Await(void (*open)(void* data), void* data) {
  if (sink_ == nullptr) {
    open_ = open;
    open_data_ = data;
    armed_.store(Armed::kAwaits, std::memory_order_release);  // (D)
    recorder.store(this, std::memory_order_release);          // (B)
  }
  return &kHooks;
}

[[gnu::cold, gnu::noinline]] void RcclCalls::OpenTrace() {
  const int error_number = errno;  // the application's
  open_(open_data_);
  errno = error_number;
}

void RcclCalls::CountForked() {
  const bool records = armed_.load(std::memory_order_relaxed) == Armed::kRecords;
  armed_.store(records ? Armed::kForked : Armed::kOff, std::memory_order_relaxed);
}

bool RcclCalls::BeginAnew() {
  inside_rccl = false;
  listener_.store(nullptr, std::memory_order_relaxed);
  const bool recorded = armed_.exchange(Armed::kOff, std::memory_order_relaxed) != Armed::kOff;
  sink_ = nullptr;
  return recorded;
}

uint64_t RcclCalls::Now() const {
  const FastClock* const clock = clock_.load(std::memory_order_acquire);  // pairs with (A)
  return clock == nullptr ? BootTimeNs() : clock->NowNs();
}

const RcclCallHooks* RcclCalls::Listen(RcclListener* listener) {
  listener_.store(listener, std::memory_order_release);  // (C)
  recorder.store(this, std::memory_order_release);       // (B)
  return &kHooks;
}

bool RcclCalls::Enter(RcclCallOperation operation, RcclCallHooks::Open* open) {
  RcclCalls& calls = *recorder.load(std::memory_order_acquire);  // pairs with (B)
  if (inside_rccl || ReentryGuard::Active()) return false;
  RcclListener* const listener = calls.listener_.load(std::memory_order_acquire);  // pairs with (C)
  if (calls.armed_.load(std::memory_order_acquire) == Armed::kAwaits) [[unlikely]]
    calls.OpenTrace();
  const Armed armed = calls.armed_.load(std::memory_order_acquire);  // pairs with (D)
  if (armed == Armed::kForked) [[unlikely]] {
    calls.sink_->CountSubmitted(EventKind::kRcclCall, 1);
    calls.sink_->CountLoss(EventKind::kRcclCall, Loss::kForked, 1);
  }
  open->recorded = armed == Armed::kRecords;
  open->listened = listener != nullptr && listener->Wants(operation);
  if (!open->recorded && !open->listened) return false;
  inside_rccl = true;
  if (!open->recorded) return true;
  calls.sink_->CountSubmitted(EventKind::kRcclCall, 1);
  open->paused = Pause::Active();
  open->start = calls.Now();
  return true;
}

void RcclCalls::Begin(RcclCallHooks::Open* open, RcclCallOperation operation,
                      const void* const* arguments) {
  RcclCalls& calls = *recorder.load(std::memory_order_acquire);  // pairs with (B)
  calls.listener_.load(std::memory_order_acquire)->Begin(open->room, operation, arguments);
  // set after Begin: the tools' time is not part of the call
  if (open->recorded) open->start = calls.Now();
}

void RcclCalls::Exit(RcclCallHooks::Open* open, RcclCallOperation operation,
                     const RcclCallValues& values, uint64_t result) {
  RcclCalls& calls = *recorder.load(std::memory_order_acquire);  // pairs with (B)
  if (open->recorded) calls.Write(*open, operation, values);
  if (open->listened) calls.listener_.load(std::memory_order_acquire)->End(open->room, result);
  inside_rccl = false;
}

void RcclCalls::Write(const RcclCallHooks::Open& open, RcclCallOperation operation,
                      const RcclCallValues& values) {
  const uint64_t end = Now();
  const ReentryGuard guard;  // calls that a signal handler makes are not recorded
  if (open.paused) [[unlikely]]
    return sink_->CountLoss(EventKind::kRcclCall, Loss::kPaused, 1);
  EventRecord record;
  record.head.type = RecordType::kEvent;
  record.head.thread = ThreadId::Current();
  record.correlation = OpenCall::Recorded();
  record.start = open.start;
  record.end = end;
  record.kind = EventKind::kRcclCall;
  record.values = sizeof values / sizeof(uint64_t);
  record.operation = static_cast<uint16_t>(operation);
  record.text_bytes = sizeof values;
  if (!sink_->Write(&record, sizeof record, reinterpret_cast<const char*>(&values), sizeof values))
      [[unlikely]] {
    sink_->CountLoss(EventKind::kRcclCall, Loss::kSpoolFull, 1);
  }
}

}  // namespace rtl::capture
