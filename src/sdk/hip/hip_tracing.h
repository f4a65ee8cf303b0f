// SPDX-License-Identifier: MIT
// hip_tracing.h: reports HIP calls from the engine (capture/hip/hip_calls.h) to the contexts that
// subscribe to them.
//
//   HIP ──► HipCalls ──► Begin, End ──► ApiCalls
//
// Threads    the application's; Open: before the engine gets this object
// Blocking   as ApiCalls
// Memory     an open call's data is in its thread's block
#pragma once

#include <stdint.h>

#include <atomic>

#include "capture/hip/hip_calls.h"
#include "sdk/calls/api_calls.h"
#include "sdk/hip/hip_functions.h"
#include "sdk/hip/hip_streams.h"

namespace rtl::sdk {

class HipTracing final : public capture::HipCallListener {
 public:
  HipTracing(Contexts* contexts, ApiCalls* calls)
      : contexts_(contexts), calls_(calls), streams_(contexts) {}
  HipTracing(const HipTracing&) = delete;
  HipTracing& operator=(const HipTracing&) = delete;

  // Called when configuration is complete: looks up which contexts subscribe to each kind.
  void Open();
  // True if some context subscribes to HIP calls.
  bool asked() const { return asked_.load(std::memory_order_acquire); }

  // Called when a context has started or stopped.
  void UpdateDemand() {
    demand_.Update([this] { return WantsAny(); });
  }

  const Demand* demand() const override { return &demand_; }
  bool Asks(const capture::CallLayout& layout) override;
  bool Wants(const capture::CallLayout& layout) override;
  uint64_t NewId() override { return calls_->NewCorrelation(); }
  void SkipIds(uint64_t last) override { calls_->SkipCorrelations(last); }
  void Begin(capture::ThreadCalls* calls, const capture::CallArguments& arguments) override;
  void End(capture::ThreadCalls* calls, int32_t result, bool result_known, uint64_t end) override;

 private:
  static constexpr uint32_t kMostCalls = 1024;

  const LibraryFunction* FunctionOf(const capture::CallLayout& layout) const;
  // How the call uses a stream. The call may be needed for HIP_STREAM even if no context subscribes
  // to the call itself.
  StreamArgument StreamOf(const capture::CallLayout& layout) const;

  bool WantsAny() const;
  // The contexts that subscribe to HIP calls, as bits.
  uint64_t Asking() const;

  Demand demand_;
  Contexts* const contexts_;
  ApiCalls* const calls_;
  std::atomic<bool> asked_{false};
  const LibraryFunction* functions_[kMostCalls] = {};  // indexed by the call's number
  // The use of a stream by each call, if a context subscribes to HIP_STREAM; indexed by the call's
  // number.
  StreamArgument stream_arguments_[kMostCalls] = {};
  HipStreams streams_;
};

}  // namespace rtl::sdk
