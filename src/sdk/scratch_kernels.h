// SPDX-License-Identifier: MIT
// scratch_kernels.h: kernels in flight that use scratch memory: which of them has a queue stopped at?
//
// The runtime says it by the packet's place in its own queue. That is the place in the program's
// queue unless the runtime has put packets of its own between them, which makes its numbers larger. So
// a kernel is known for certain when it stands at that place and none that is older can be meant:
// kernels that the queue has memory for do not stop it. (That they have ended is heard of late.)
//
// Threads    any
// Blocking   a lock held for a few instructions, and while a stopped queue's kernel is looked at
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

  // Before its packet is written. `bytes`: of a work item. Answers a place, for Remove; zero: it is not known.
  uint32_t Add(uint64_t queue, uint64_t packet, uint32_t bytes, uint32_t ticket);
  // Its ticket is still valid.
  void Remove(uint32_t place);

  // Calls `look` with the ticket, which stays valid meanwhile, and with its bytes. `room`: for
  // kernels of so many bytes the queue has memory. False: it is not known.
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
    uint32_t ticket;  // zero: free
  };
  const Kernel* Find(uint64_t queue, uint64_t packet, uint32_t room) const RTL_REQUIRES(mutex_);

  Mutex mutex_{Rank::kTools};
  uint32_t free_count_ RTL_GUARDED_BY(mutex_) = kMost;
  uint16_t free_[kMost] RTL_GUARDED_BY(mutex_);
  Kernel kernels_[kMost] RTL_GUARDED_BY(mutex_) = {};
};

}  // namespace rtl::sdk
