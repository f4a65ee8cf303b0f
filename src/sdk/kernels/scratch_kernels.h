// SPDX-License-Identifier: MIT
// scratch_kernels.h: kernels in flight that use scratch memory. Finds the kernel at which a queue
// has stopped.
//
// The runtime reports the packet's index in the runtime's queue. It is the same as the index in the
// program's queue, unless the runtime has inserted packets of its own; then it is larger. So a
// kernel is certain only if it has that index and if no older kernel can have stopped the queue. A
// kernel does not stop a queue that has enough memory for it. Older kernels may still be listed,
// because their ends are reported late.
//
// Threads    any
// Blocking   a lock held for a few instructions, and while the kernel of a stopped queue is read
// Memory     fixed
// Errors     kernels beyond kMost are not known
// Why        docs/adr/0048-scratch-memory.md
#pragma once

#include <stdint.h>

#include "base/mutex.h"

namespace rtl::sdk {

class ScratchKernels {
 public:
  static constexpr uint32_t kMost = 512;

  ScratchKernels();
  ScratchKernels(const ScratchKernels&) = delete;
  ScratchKernels& operator=(const ScratchKernels&) = delete;

  // To be called before the packet is written. `bytes`: scratch memory per work item. Returns a
  // slot for Remove; zero if there is no slot.
  uint32_t Add(uint64_t queue, uint64_t packet, uint32_t bytes, uint32_t ticket);
  // Called while the kernel's ticket is still valid.
  void Remove(uint32_t place);

  // Calls `look` with the ticket of the kernel at which the queue has stopped, and with the
  // kernel's bytes; the ticket stays valid meanwhile. `room`: the queue has memory for kernels of
  // this many bytes. False if the kernel is not known.
  template <typename Look>
  bool WithStopped(uint64_t queue, uint64_t packet, uint32_t room, Look look) {
    const MutexLock lock(mutex_);
    const Kernel* const kernel = Find(queue, packet, room);
    if (kernel != nullptr) look(kernel->ticket, kernel->bytes);
    return kernel != nullptr;
  }

 private:
  struct Kernel {
    uint64_t queue, packet;
    uint32_t bytes;
    uint32_t ticket;  // zero: the slot is free
  };
  const Kernel* Find(uint64_t queue, uint64_t packet, uint32_t room) const RTL_REQUIRES(mutex_);

  Mutex mutex_{Rank::kTools};
  uint32_t free_count_ RTL_GUARDED_BY(mutex_) = kMost;
  uint16_t free_[kMost] RTL_GUARDED_BY(mutex_);
  Kernel kernels_[kMost] RTL_GUARDED_BY(mutex_) = {};
};

}  // namespace rtl::sdk
