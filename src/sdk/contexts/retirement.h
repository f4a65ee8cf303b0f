// SPDX-License-Identifier: MIT
// retirement.h: reports correlation ids to tools when no later record will use them.
//
//   Begin ──► held by the call, by packets that it has reserved and not yet submitted, and
//             by kernels and copies in flight ──► the last Release: a record
//
// Threads    any
// Blocking   a lock held for a few instructions; none when no context subscribes
// Memory     a node for each held id; nodes are kept for later ids
// Errors     without memory, or when a reserved packet is never submitted, an id is not reported
// Why        docs/adr/0044-sdk-kernels-and-copies.md
#pragma once

#include <stdint.h>

#include "base/mutex.h"
#include "sdk/contexts/contexts.h"
#include "sdk/contexts/ticket_table.h"

namespace rtl::sdk {

class Retirement {
 public:
  explicit Retirement(Contexts* contexts) : contexts_(contexts) {}
  Retirement(const Retirement&) = delete;
  Retirement& operator=(const Retirement&) = delete;

  // Called when configuration is complete.
  void Open();
  bool asked() const { return contexts_that_ask_ != 0; }

  // Begins a new id, which has one hold. Contexts that are started now will get its retirement.
  void Begin(uint64_t id);
  // Hold and Release change the number of holds of an id that has some; other ids are ignored.
  void Hold(uint64_t id, uint64_t times);
  void Release(uint64_t id, uint64_t times);

 private:
  static constexpr uint32_t kBuckets = 256;
  struct Node {
    uint64_t id;
    uint64_t holds;
    uint64_t contexts;  // contexts that get the retirement, as bits
    uint32_t next;      // next node in the bucket
  };
  struct Bucket {
    Mutex mutex{Rank::kTools};
    uint32_t first RTL_GUARDED_BY(mutex) = 0;
  };

  Node* At(uint32_t node) const { return static_cast<Node*>(nodes_.At(node)); }
  Bucket& BucketOf(uint64_t id) { return buckets_[id % kBuckets]; }
  void Tell(uint64_t id, uint64_t contexts) const;

  Contexts* const contexts_;
  uint64_t contexts_that_ask_ = 0;
  TicketTable nodes_;
  Bucket buckets_[kBuckets];
};

}  // namespace rtl::sdk
