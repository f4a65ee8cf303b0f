// SPDX-License-Identifier: MIT
// hsa_wrappers.h: our functions in the runtime's tables, in front of those that some context asks
// for.
//
//   program ─► a tool's own (intercept_tables.h) ─► ours ─► the capture engine's ─► the runtime
//
// Threads    Install, Remove: one at a time. Slots are written with single atomic stores: other
//            threads may be calling through them
// Memory     fixed. What was in a slot stays known for good: threads may be inside
// Errors     tables of unknown versions, and functions that a runtime does not have, are left alone
#pragma once

#include <stdint.h>

#include "sdk/allocations.h"
#include "sdk/api_calls.h"
#include "sdk/scratch_memory.h"

namespace rtl::sdk {

class HsaWrappers {
 public:
  // One per process: the wrappers find it without an argument. `on_init` is called on the
  // application's thread when it has initialised the runtime once more; may be null. `allocations`
  // and `scratch` may be null, too.
  explicit HsaWrappers(ApiCalls* calls, void (*on_init)() = nullptr,
                       Allocations* allocations = nullptr, ScratchMemory* scratch = nullptr);

  // `root`: an HsaApiTable. Only what is asked for, functions whose allocations are, those that make
  // queues when scratch memory is told, and hsa_init when it is watched.
  void Install(void* root, bool watch_init = false);
  // Puts back what was there, where our function still stands.
  void Remove();

 private:
  ApiCalls* const calls_;
};

}  // namespace rtl::sdk
