// SPDX-License-Identifier: MIT
// rccl_tracing.h: describes RCCL functions, and reports calls of them from the engine
// (capture/rccl/rccl_calls.h) to the contexts that subscribe to them.
//
// Threads    the application's; Open: before the engine gets this object
// Blocking   as ApiCalls
// Memory     the data of an open call is on its thread's stack
#pragma once

#include <stdint.h>

#include <atomic>

#include "capture/rccl/rccl_calls.h"
#include "sdk/calls/arguments.h"

namespace rtl::sdk {

// Indexed by operation.
extern const LibraryFunction kRcclFunctions[ROCPROFILER_RCCL_API_ID_LAST];

class RcclTracing final : public capture::RcclListener {
 public:
  explicit RcclTracing(ApiCalls* calls) : calls_(calls) {}
  RcclTracing(const RcclTracing&) = delete;
  RcclTracing& operator=(const RcclTracing&) = delete;

  // Called when configuration is complete: looks up whether a context subscribes.
  void Open();
  bool asked() const { return asked_.load(std::memory_order_acquire); }

  bool Wants(RcclCallOperation operation) override;
  void Begin(void* room, RcclCallOperation operation, const void* const* arguments) override;
  void End(void* room, uint64_t result) override;

 private:
  ApiCalls* const calls_;
  std::atomic<bool> asked_{false};
};

}  // namespace rtl::sdk
