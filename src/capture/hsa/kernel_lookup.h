// SPDX-License-Identifier: MIT
// kernel_lookup.h: what the packet hook asks of the code-object side: which kernel is this address?
//
// Threads    any; KernelFor may take a short lock and write a KernelRecord, so the hook calls it
//            only when its per-queue cache misses
// Blocking   bounded; never calls back into the runtime
// Memory     the generation counter lives as long as the process
#pragma once

#include <stdint.h>

#include <atomic>

namespace rtl::capture {

class KernelLookup {
 public:
  // The id (KernelRecord::kernel) that `kernel_object` has now. Never zero: an address that no
  // executable has announced gets a record of its own with kKernelFlagUnknown.
  virtual uint32_t KernelFor(uint64_t kernel_object) = 0;

  // Increased (release) after every change that can give an address another meaning, i.e. when an
  // executable is frozen and when one is destroyed. An answer of KernelFor may be kept while this
  // stands still.
  virtual const std::atomic<uint64_t>& generation() const = 0;

 protected:
  ~KernelLookup() = default;  // never deleted through this interface
};

}  // namespace rtl::capture
