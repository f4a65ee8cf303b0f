// SPDX-License-Identifier: MIT
// counter_pair.h: lets the trace and a tool count at the same time. A GPU counts one set of events
// per kernel, so the two sets are counted as one joint set, and each side gets the values of its
// own events.
//
// If the joint set does not fit, the tool gets its values, those of the trace are lost
// (kNotCountable), and one line on stderr reports this.
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
  // kernels in flight for which both sides have chosen events
  static constexpr uint32_t kMostSlots = 1024;
  // A kernel that only one side has chosen keeps that side's token, with one of these bits set.
  static constexpr uint64_t kOfTrace = uint64_t{1} << 62;
  static constexpr uint64_t kOfTool = uint64_t{2} << 62;

  struct Joint {
    Joint* next = nullptr;
    const CounterSet* trace = nullptr;
    const CounterSet* tool = nullptr;
    const counters::GpuFacts* gpu = nullptr;
    bool fits = false;
    CounterSet both;
    // index of an event in the trace's set; kNone if the trace did not choose the event
    uint8_t in_trace[CounterSet::kMost];
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
  // Returns zero if no slot is free.
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
  uint32_t free_slot_ RTL_GUARDED_BY(mutex_) = 0;  // index of the first free slot, plus one
  CounterValue* own_ = nullptr;                    // used by the counting thread only
  uint32_t own_room_ = 0;
};

}  // namespace rtl::capture
