// SPDX-License-Identifier: MIT
// kernel_lookup.h: maps the address of a kernel descriptor to a kernel, for the hook that sees
// packets.
//
// Threads    any; KernelFor may take a short lock and write a KernelRecord, so the hook calls it
//            only on a miss of its per-queue cache
// Blocking   bounded; never calls back into the runtime
// Memory     the generation counter lives as long as the process
#pragma once

#include <stdint.h>

#include <atomic>

namespace rtl::capture {

class KernelLookup {
 public:
  // Returns the present id (KernelRecord::kernel) of `kernel_object`. Never zero: an address that
  // is in no announced executable gets a record of its own with kKernelFlagUnknown.
  virtual uint32_t KernelFor(uint64_t kernel_object) = 0;

  // Increased (release) after every change that can map an address to another kernel: when an
  // executable is frozen and when one is destroyed. A result of KernelFor is valid until the
  // counter changes.
  virtual const std::atomic<uint64_t>& generation() const = 0;

 protected:
  ~KernelLookup() = default;  // never deleted through this interface
};

}  // namespace rtl::capture
