// SPDX-License-Identifier: MIT
// counter_pair.h: the trace and a tool that count at the same time. A GPU counts one set of events
// of a kernel, so the sets of both are counted as one, and each gets the values of its own.
//
// Events that do not fit together: the tool gets its values, the trace's are lost (kNotCountable),
// and one line says so.
//
// Threads    as CounterUser
// Blocking   as the users'; Choose, Counted: a short lock
// Memory     the joint set of each pair of sets, and a slot for each kernel in flight, kept
// Errors     without memory for a joint set the trace's values are lost (kNoMemory)
#pragma once

#include <stdint.h>

#include "base/mutex.h"
#include "capture/counters/counter_user.h"

namespace rtl::capture {

class CounterPair final : public CounterUser {
 public:
  CounterPair() = default;
  CounterPair(const CounterPair&) = delete;
  CounterPair& operator=(const CounterPair&) = delete;
  ~CounterPair();

  void Open(CounterUser* trace, CounterUser* tool) {
    trace_ = trace;
    tool_ = tool;
  }

  const CounterSet* Choose(const DispatchRecord& kernel, const QueueIdentity& queue,
                           const counters::GpuFacts* gpu, uint64_t* token) override;
  void Counted(uint64_t token, const DispatchRecord& kernel, const QueueIdentity& queue,
               const CounterValue* values, uint32_t count) override;
  void NotCounted(uint64_t token, Loss why) override;

 private:
  static constexpr uint32_t kMostSlots = 1024;  // kernels of which both have chosen events
  // Tokens of one user alone have its number in the upper bits.
  static constexpr uint64_t kOfTrace = uint64_t{1} << 62;
  static constexpr uint64_t kOfTool = uint64_t{2} << 62;

  struct Joint {
    Joint* next = nullptr;
    const CounterSet* trace = nullptr;
    const CounterSet* tool = nullptr;
    const counters::GpuFacts* gpu = nullptr;
    bool fits = false;
    CounterSet both;
    uint8_t in_trace[CounterSet::kMost];  // an event's index there; kNone: it has none
    uint8_t in_tool[CounterSet::kMost];
  };
  static constexpr uint8_t kNone = UINT8_MAX;
  struct Slot {
    uint32_t next_free = 0;
    const Joint* joint = nullptr;
    uint64_t trace = 0, tool = 0;  // tokens
  };

  const Joint* JointOf(const CounterSet* trace, const CounterSet* tool,
                       const counters::GpuFacts* gpu) RTL_REQUIRES(mutex_);
  static void Fill(Joint* joint);
  // Zero: there is none.
  uint32_t TakeSlot(const Slot& content) RTL_REQUIRES(mutex_);
  Slot GiveSlot(uint64_t token);
  static void Deliver(CounterUser* user, uint64_t token, const uint8_t* index,
                      const DispatchRecord& kernel, const QueueIdentity& queue,
                      const CounterValue* values, uint32_t count, CounterValue* own);

  CounterUser* trace_ = nullptr;
  CounterUser* tool_ = nullptr;
  Mutex mutex_{Rank::kCounterPlans};
  Joint* joints_ RTL_GUARDED_BY(mutex_) = nullptr;
  Slot slots_[kMostSlots] RTL_GUARDED_BY(mutex_);
  uint32_t slot_count_ RTL_GUARDED_BY(mutex_) = 0;
  uint32_t free_slot_ RTL_GUARDED_BY(mutex_) = 0;  // number + 1
  CounterValue* own_ = nullptr;                    // the counting thread's
  uint32_t own_room_ = 0;
};

}  // namespace rtl::capture
