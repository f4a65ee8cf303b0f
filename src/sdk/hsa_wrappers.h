// SPDX-License-Identifier: MIT
// hsa_wrappers.h: wrappers in the runtime's tables, for the functions that some context subscribes
// to.
//
//   program ─► a tool's own (intercept_tables.h) ─► ours ─► the capture engine's ─► the runtime
//
// Threads    Install, Remove: one at a time. Slots are written with single atomic stores: other
//            threads may be calling through them
// Memory     fixed. The previous function of a slot is kept: threads may be inside
// Errors     tables of unknown versions, and functions that a runtime lacks, are unchanged
#pragma once

#include <stdint.h>

#include "sdk/allocations.h"
#include "sdk/api_calls.h"
#include "sdk/scratch_memory.h"

namespace rtl::sdk {

class HsaWrappers {
 public:
  // One per process: the wrappers find it without an argument. `on_init` is called on the
  // application's thread each time after it has initialised the runtime; may be null. `allocations`
  // and `scratch` may be null, too.
  explicit HsaWrappers(ApiCalls* calls, void (*on_init)() = nullptr,
                       Allocations* allocations = nullptr, ScratchMemory* scratch = nullptr);

  // `root`: an HsaApiTable. Wraps the subscribed functions, the functions that allocate when
  // allocations are subscribed, the functions that make queues when scratch memory is, and hsa_init
  // when it is watched.
  void Install(void* root, bool watch_init = false);
  // Restores the previous function where our wrapper is still installed.
  void Remove();

 private:
  ApiCalls* const calls_;
};

}  // namespace rtl::sdk
