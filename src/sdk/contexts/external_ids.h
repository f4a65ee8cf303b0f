// SPDX-License-Identifier: MIT
// external_ids.h: the external ids that a tool has pushed for each thread, in one context. A thread
// without such ids uses the value that was last pushed for the process's first thread.
//
// Threads    any
// Blocking   a lock held for a few instructions; no lock before the first push
// Memory     grows with the threads and the depth, never shrinks
#pragma once

#include <stdint.h>

#include <atomic>

#include "base/mutex.h"

namespace rtl::sdk {

class ExternalIds {
 public:
  ExternalIds() = default;
  ~ExternalIds();
  ExternalIds(const ExternalIds&) = delete;
  ExternalIds& operator=(const ExternalIds&) = delete;

  // False if there is no memory.
  bool Push(uint64_t thread, uint64_t value);
  // Zero when nothing was pushed.
  uint64_t Pop(uint64_t thread);
  uint64_t Current(uint64_t thread) const;

 private:
  static constexpr uint32_t kBuckets = 64;
  struct Stack {
    uint64_t thread;
    Stack* next;
    uint64_t* values;
    uint32_t depth, room;
  };
  Stack* Find(uint64_t thread) const RTL_REQUIRES(mutex_);

  std::atomic<bool> used_{false};
  mutable Mutex mutex_{Rank::kBuffer};
  Stack* buckets_[kBuckets] RTL_GUARDED_BY(mutex_) = {};
};

}  // namespace rtl::sdk
