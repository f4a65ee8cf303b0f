// SPDX-License-Identifier: MIT
// counter_user.h: who wants kernels to be counted, which events, and who gets the values.
//
//   Choose ──► a set: the kernel is counted ──┬──► Counted, with its times and its values
//                                             └──► NotCounted, for a reason that has a name
//          └─► null: it runs as it would, one at a time with those that are counted
//
// Threads    Choose: the application's, under the lock of its queue. The others: the counting thread
// Blocking   Choose: the application waits for it. The others: the next kernels' values wait
#pragma once

#include <stdint.h>

#include "capture/hsa/queue_identity.h"
#include "model/losses.h"
#include "model/records.h"

namespace rtl::capture {

// One event of a block, of every instance of that block.
struct CounterEvent {
  char block[16] = {};  // "SQ"
  uint32_t event = 0;
  uint32_t flags = 0;  // of the library: how SQ accumulates
};

// What is counted together. Not changed any more once a kernel was counted with it; lives as long as
// the process.
struct CounterSet {
  static constexpr uint32_t kMost = 64;
  uint32_t count = 0;
  CounterEvent events[kMost];
};

// Where in the chip a value was counted. The numbers of the interface's dimensions.
enum class CounterDimension : uint8_t {
  kNone,
  kXcc,
  kAid,
  kEngine,
  kAgent,
  kArray,
  kWgp,
  kInstance
};
inline constexpr uint32_t kCounterDimensions = 8;

struct CounterValue {
  uint32_t event = 0;                          // index in the set
  uint16_t position[kCounterDimensions] = {};  // by CounterDimension
  uint64_t value = 0;
  bool not_modelled = false;  // by a virtual GPU: the value means nothing
};

class CounterUser {
 public:
  // `token` comes back with the values.
  virtual const CounterSet* Choose(const DispatchRecord& kernel, const QueueIdentity& queue,
                                   uint64_t* token) = 0;
  virtual void Counted(uint64_t token, const DispatchRecord& kernel, const QueueIdentity& queue,
                       const CounterValue* values, uint32_t count) = 0;
  virtual void NotCounted(uint64_t token, Loss why) = 0;

 protected:
  ~CounterUser() = default;  // never deleted through this interface
};

}  // namespace rtl::capture
