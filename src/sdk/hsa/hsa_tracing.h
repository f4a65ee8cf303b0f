// SPDX-License-Identifier: MIT
// hsa_tracing.h: describes HSA functions, and reports calls of them from the engine
// (capture/hooks/hsa_call_hooks.h) to the contexts that subscribe to them, and to the services that
// are built on HSA calls.
//
//   HSA ──► HsaCallHooks ──► Begin, End ──► ApiCalls        calls
//                                       ──► Allocations     functions that allocate and free
//                                       ──► ScratchMemory   functions that make queues
//                                       ──► on_init         hsa_init
//
// Threads    as HsaCallListener
// Blocking   as ApiCalls and Allocations
// Memory     an open call's data is on the stack of its thread
#pragma once

#include <stdint.h>

#include "capture/hooks/hsa_call_listener.h"
#include "sdk/calls/arguments.h"
#include "sdk/memory/allocations.h"
#include "sdk/memory/scratch_memory.h"

namespace rtl::sdk {

// Indexed by capture::HsaFunctionIndex; the tables follow each other.
extern const LibraryFunction kHsaFunctions[];

// `kind`: its number is the same in both services.
LibraryFunctions HsaFunctionsOf(uint32_t kind);

class HsaTracing final : public capture::HsaCallListener {
 public:
  // `allocations` and `scratch` may be null.
  explicit HsaTracing(ApiCalls* calls, Allocations* allocations = nullptr,
                      ScratchMemory* scratch = nullptr)
      : calls_(calls), allocations_(allocations), scratch_(scratch) {}
  HsaTracing(const HsaTracing&) = delete;
  HsaTracing& operator=(const HsaTracing&) = delete;

  // `on_init` is called on the application's thread each time it has initialised the runtime. Set
  // before the engine gets this listener.
  void WatchInit(void (*on_init)()) { on_init_ = on_init; }

  void RuntimeComes(void* root, const capture::HsaSlots& slots) override;
  void RuntimeGoes() override;
  bool Asks(uint32_t function) override;
  uint32_t Wants(uint32_t function) override;
  void Begin(capture::HsaCall* call) override;
  void End(capture::HsaCall* call, uint64_t result) override;

 private:
  bool WatchesQueues() const { return scratch_ != nullptr && scratch_->installed(); }

  ApiCalls* const calls_;
  Allocations* const allocations_;
  ScratchMemory* const scratch_;
  void (*on_init_)() = nullptr;
};

}  // namespace rtl::sdk
