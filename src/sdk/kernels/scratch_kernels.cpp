// SPDX-License-Identifier: MIT
#include "sdk/kernels/scratch_kernels.h"

namespace rtl::sdk {

ScratchKernels::ScratchKernels() {
  const MutexLock lock(mutex_);
  for (uint32_t i = 0; i < kMost; ++i) free_[i] = static_cast<uint16_t>(kMost - 1 - i);
}

uint32_t ScratchKernels::Add(uint64_t queue, uint64_t packet, uint32_t bytes, uint32_t ticket) {
  const MutexLock lock(mutex_);
  if (free_count_ == 0) return 0;
  const uint32_t place = free_[--free_count_];
  kernels_[place] = {queue, packet, bytes, ticket};
  return place + 1;
}

void ScratchKernels::Remove(uint32_t place) {
  if (place == 0) return;
  const MutexLock lock(mutex_);
  kernels_[place - 1].ticket = 0;
  free_[free_count_++] = static_cast<uint16_t>(place - 1);
}

const ScratchKernels::Kernel* ScratchKernels::Find(uint64_t queue, uint64_t packet,
                                                   uint32_t room) const {
  const Kernel* found = nullptr;
  for (const Kernel& kernel : kernels_) {
    if (kernel.ticket == 0 || kernel.queue != queue) continue;
    if (kernel.packet < packet && kernel.bytes > room) return nullptr;
    if (kernel.packet == packet) found = &kernel;
  }
  return found;
}

}  // namespace rtl::sdk
