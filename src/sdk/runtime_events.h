// SPDX-License-Identifier: MIT
// runtime_events.h: reports RUNTIME_INITIALIZATION events: a runtime is loaded, and its functions
// can be called.
//
// Threads    any; the tools' functions run on the thread that loads the runtime, without a lock
// Blocking   while another thread appends a record to the same buffer
// Memory     two flags
#pragma once

#include <stdint.h>

#include <atomic>

#include "sdk/contexts/contexts.h"

namespace rtl::sdk {

class RuntimeEvents {
 public:
  explicit RuntimeEvents(Contexts* contexts) : contexts_(contexts) {}
  RuntimeEvents(const RuntimeEvents&) = delete;
  RuntimeEvents& operator=(const RuntimeEvents&) = delete;

  // The library that registers as `name` has passed its tables. HIP registers under two names and
  // is reported once, unless another copy of HIP is loaded.
  void OnTables(const char* name, uint64_t version, uint64_t instance);
  // HIP was loaded without tables, and its first call has begun.
  void OnHipCall();
  // RCCL was loaded without tables, and its first call has begun.
  void OnRcclCall();

 private:
  void Tell(rocprofiler_runtime_initialization_operation_t runtime, uint64_t version,
            uint64_t instance);

  Contexts* const contexts_;
  std::atomic<bool> hip_told_{false};
  std::atomic<bool> rccl_told_{false};
};

}  // namespace rtl::sdk
