// SPDX-License-Identifier: MIT
// hip_tracing.h: calls of HIP, from the engine's doors (capture/hip/hip_capture.h) to the contexts
// that ask for them.
//
//   HIP ──► a door ──► HipCalls ──► Begin, End ──► ApiCalls
//
// Threads    Asks, Wants, Begin, End: the application's. The rest: any
// Blocking   opening a door takes the loader's and HIP's locks
// Memory     what an open call needs lies in its thread's block
// Errors     one line: calls are not told, and why
#pragma once

#include <stdint.h>

#include <atomic>

#include "base/config.h"
#include "base/mutex.h"
#include "capture/hip/hip_capture.h"
#include "sdk/api_calls.h"
#include "sdk/hip_functions.h"
#include "sdk/hip_streams.h"

namespace rtl::sdk {

class HipTracing final : public capture::HipCallListener {
 public:
  HipTracing(Contexts* contexts, ApiCalls* calls, RecordSink* sink)
      : calls_(calls), sink_(sink), streams_(contexts) {}
  HipTracing(const HipTracing&) = delete;
  HipTracing& operator=(const HipTracing&) = delete;

  // Contexts are complete: looks up who asks for what.
  void Open();
  // Some context asks for calls of HIP.
  bool asked() const { return asked_.load(std::memory_order_acquire); }

  // A program has begun to use the runtime below HIP: HIP may have come.
  void OnRuntimeUse();
  // Of the tables that HIP registers: whether the door is one that may be taken.
  bool TakesTables();
  // HIP has registered this table. False: it stays as it is.
  bool OnTable(const char* name, void* table);
  // librtl_hip.so asks at its first call. Null: nobody listens.
  const capture::PreloadDoor* OnPreload(const capture::PreloadedCalls& calls);
  void Disarm() { capture_.Disarm(); }

  bool Asks(const capture::CallLayout& layout) override;
  bool Wants(const capture::CallLayout& layout) override;
  void Begin(capture::ThreadCalls* calls, const capture::CallArguments& arguments) override;
  void End(capture::ThreadCalls* calls, int32_t result, bool result_known) override;

 private:
  static constexpr uint32_t kMostCalls = 1024;

  bool ReadConfig() RTL_REQUIRES(mutex_);
  capture::HipCalls::Services Services() { return {sink_, &seen_, nullptr, this}; }
  const HipFunction* FunctionOf(const capture::CallLayout& layout) const;
  // Listened to even when nobody asks for the call itself.
  StreamArgument StreamOf(const capture::CallLayout& layout) const;

  ApiCalls* const calls_;
  RecordSink* const sink_;
  std::atomic<bool> asked_{false};
  std::atomic<uint64_t> seen_{0};
  const HipFunction* functions_[kMostCalls] = {};     // by the call's number
  StreamArgument stream_arguments_[kMostCalls] = {};  // likewise, when somebody asks for streams
  HipStreams streams_;
  Mutex mutex_{Rank::kSession};
  bool read_ RTL_GUARDED_BY(mutex_) = false;
  Config config_ RTL_GUARDED_BY(mutex_);
  capture::HipCapture capture_;
};

}  // namespace rtl::sdk
