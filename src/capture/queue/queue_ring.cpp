// SPDX-License-Identifier: MIT
#include "capture/queue/queue_ring.h"

#include <string.h>
#include <sys/mman.h>

#include <algorithm>

namespace rtl::capture {

QueueRing::~QueueRing() {
  if (batch_ != nullptr) (void)munmap(batch_, batch_size_ * sizeof(AqlPacket));
}

uint64_t QueueRing::BeforeWrap(const void* packets, uint64_t count) const {
  const uintptr_t at = reinterpret_cast<uintptr_t>(packets);
  const uintptr_t begin = reinterpret_cast<uintptr_t>(packets_);
  const uintptr_t end = begin + size_ * sizeof(AqlPacket);
  if (packets_ == nullptr || at < begin || at >= end) return count;
  return std::min<uint64_t>(count, (end - at) / sizeof(AqlPacket));
}

AqlPacket* QueueRing::Copy(const void* packets, uint64_t count) {
  if (count + 1 > batch_size_) {
    // Rare, because a batch is never longer than the ring, and the memory is kept.
    const uint64_t size = std::max<uint64_t>(2 * count, kFirstBatch);
    void* const memory = mmap(nullptr, size * sizeof(AqlPacket), PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return nullptr;
    if (batch_ != nullptr) (void)munmap(batch_, batch_size_ * sizeof(AqlPacket));
    batch_ = static_cast<AqlPacket*>(memory);
    batch_size_ = size;
  }
  AqlPacket* const copy = batch_ + 1;
  const uint64_t first = BeforeWrap(packets, count);
  memcpy(copy, packets, first * sizeof(AqlPacket));
  if (first < count) memcpy(copy + first, packets_, (count - first) * sizeof(AqlPacket));
  return copy;
}

uint64_t QueueRing::CountKernels(uint64_t from, uint64_t to) const {
  uint64_t kernels = 0;
  for (uint64_t i = from; i < to; ++i) {
    if (IsKernelDispatch(packets_[i & (size_ - 1)])) ++kernels;
  }
  return kernels;
}

}  // namespace rtl::capture
