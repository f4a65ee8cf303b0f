// SPDX-License-Identifier: MIT
// kernel_cache.h: one queue's cache of kernels by address. An entry is valid for one generation of
// code objects, so an address that was freed and reused is looked up again.
//
// Threads    the thread that holds the queue's lock (traced_queue.h)
// Blocking   only on a miss, as KernelLookup does
#pragma once

#include <stdint.h>

#include <atomic>

#include "capture/hsa/kernel_lookup.h"

namespace rtl::capture {

class KernelCache {
 public:
  void Init(KernelLookup* lookup) {
    lookup_ = lookup;
    generation_ = &lookup->generation();
    for (Entry& entry : entries_) {
      entry = {};
    }
  }

  uint32_t KernelFor(uint64_t kernel_object) {
    // Acquire: pairs with the release by the thread that mapped an address to another kernel.
    const uint64_t generation = generation_->load(std::memory_order_acquire);
    Entry& entry = entries_[IndexOf(kernel_object)];
    if (entry.kernel == 0 || entry.kernel_object != kernel_object || entry.generation != generation)
        [[unlikely]] {
      entry = {kernel_object, generation, lookup_->KernelFor(kernel_object)};
    }
    return entry.kernel;
  }

 private:
  static constexpr uint32_t kEntries = 64;
  struct Entry {
    uint64_t kernel_object = 0;
    uint64_t generation = 0;
    uint32_t kernel = 0;
  };
  // Kernel descriptors are 64-byte aligned.
  static uint32_t IndexOf(uint64_t kernel_object) {
    return static_cast<uint32_t>(((kernel_object >> 6) * 0x9E3779B97F4A7C15u) >> 58);
  }

  KernelLookup* lookup_ = nullptr;
  const std::atomic<uint64_t>* generation_ = nullptr;
  Entry entries_[kEntries];
};

}  // namespace rtl::capture
