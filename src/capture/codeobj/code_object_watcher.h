// SPDX-License-Identifier: MIT
// code_object_watcher.h: notifications of loaded and unloaded executables.
//
// Threads    any: the application thread that freezes or destroys the executable
// Blocking   the application waits for it. No lock of ours is held, but the session's for
//            executables that were loaded before the watcher came, and that go with the runtime
#pragma once

#include <hsa/hsa.h>
#include <stdint.h>

#include "capture/hsa/hsa_api.h"

namespace rtl::capture {

class CodeObjectWatcher {
 public:
  // The executable is frozen and the KernelRecords with this `code_object` have been written.
  virtual void Loaded(const HsaApi& hsa, hsa_executable_t executable, uint64_t code_object) = 0;
  // The executable is about to be destroyed. It may be one that Loaded did not report.
  virtual void Unloading(hsa_executable_t executable) = 0;
  // The runtime is about to be unloaded, with every executable.
  virtual void AllGone() = 0;

 protected:
  ~CodeObjectWatcher() = default;  // never deleted through this interface
};

}  // namespace rtl::capture
