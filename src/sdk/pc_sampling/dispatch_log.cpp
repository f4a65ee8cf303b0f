// SPDX-License-Identifier: MIT
#include "sdk/pc_sampling/dispatch_log.h"

#include <sys/mman.h>

namespace rtl::sdk {

bool DispatchLog::Open() {
  if (kernels_ != nullptr) return true;
  void* const memory = mmap(nullptr, kRoom * sizeof(Kernel), PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return false;
  kernels_ = static_cast<Kernel*>(memory);
  return true;
}

void DispatchLog::Note(const Kernel& kernel) {
  const MutexLock lock(mutex_);
  kernels_[PlaceOf(kernel.queue, kernel.packet)] = kernel;
}

bool DispatchLog::Find(uint32_t queue, uint64_t packet, Kernel* out) {
  if (kernels_ == nullptr || queue == 0) return false;
  const MutexLock lock(mutex_);
  const Kernel& kernel = kernels_[PlaceOf(queue, packet)];
  if (kernel.queue != queue || kernel.packet != packet) return false;
  *out = kernel;
  return true;
}

}  // namespace rtl::sdk
