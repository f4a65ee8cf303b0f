// SPDX-License-Identifier: MIT
// counter_user.h: the interface of a user of counters. A user chooses which kernels are counted and
// which events, and gets the values.
//
//   Choose ──► a set: the kernel is counted ──┬──► Counted, with its times and its values
//                                             └──► NotCounted, with a named reason
//          └─► null: the kernel is not counted, but takes turns with counted kernels
//
// Threads    Choose: the application's, under the lock of its queue. All other functions: the
//            counting thread
// Blocking   Choose delays the application. All other functions delay the values of the next
//            kernels
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
  // Returns the events to count. `token`, below 2^62, is passed to Counted or NotCounted later.
  // `gpu`: null when AMD's library does not know the GPU.
  virtual const CounterSet* Choose(const DispatchRecord& kernel, const QueueIdentity& queue,
                                   const counters::GpuFacts* gpu, uint64_t* token) = 0;
  virtual void Counted(uint64_t token, const DispatchRecord& kernel, const QueueIdentity& queue,
                       const CounterValue* values, uint32_t count) = 0;
  virtual void NotCounted(uint64_t token, Loss why) = 0;

 protected:
  ~CounterUser() = default;  // never deleted through this interface
};

}  // namespace rtl::capture
