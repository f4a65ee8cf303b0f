// SPDX-License-Identifier: MIT
// counter_user.h: who wants kernels to be counted, which events, and who gets the values.
//
//   Choose ──► a set: the kernel is counted ──┬──► Counted, with its times and its values
//                                             └──► NotCounted, for a reason that has a name
//          └─► null: it runs as it would, one at a time with those that are counted
//
// Threads    Choose: the application's, under the lock of its queue. The others: the counting
//            thread
// Blocking   Choose: the application waits for it. The others: the next kernels' values wait
#pragma once

#include <stdint.h>

#include "capture/hsa/queue_identity.h"
#include "counters/plan.h"
#include "model/losses.h"
#include "model/records.h"

namespace rtl::capture {

using counters::CounterDimension;
using counters::CounterEvent;
using counters::CounterSet;
using counters::CounterValue;
using counters::kCounterDimensions;

class CounterUser {
 public:
  // `token`, below 2^62, comes back with the values, or with the reason why there are none. `gpu`:
  // null when AMD's library does not know it.
  virtual const CounterSet* Choose(const DispatchRecord& kernel, const QueueIdentity& queue,
                                   const counters::GpuFacts* gpu, uint64_t* token) = 0;
  virtual void Counted(uint64_t token, const DispatchRecord& kernel, const QueueIdentity& queue,
                       const CounterValue* values, uint32_t count) = 0;
  virtual void NotCounted(uint64_t token, Loss why) = 0;

 protected:
  ~CounterUser() = default;  // never deleted through this interface
};

}  // namespace rtl::capture
