// SPDX-License-Identifier: MIT
#include "capture/counters/counter_pair.h"

#include <stdlib.h>
#include <string.h>

#include <new>

#include "base/log.h"

namespace rtl::capture {
namespace {

bool IsSame(const CounterEvent& one, const CounterEvent& other) {
  return one.event == other.event && one.flags == other.flags &&
         strncmp(one.block, other.block, sizeof one.block) == 0;
}

}  // namespace

CounterPair::~CounterPair() {
  while (joints_ != nullptr) {
    Joint* const next = joints_->next;
    free(joints_);
    joints_ = next;
  }
  free(own_);
}

// The joint set has the trace's events first, then those that only the tool has chosen.
void CounterPair::Fill(Joint* joint) {
  CounterSet& both = joint->both;
  both = *joint->trace;
  memset(joint->in_tool, kNone, sizeof joint->in_tool);
  memset(joint->in_trace, kNone, sizeof joint->in_trace);
  for (uint32_t i = 0; i < both.count; ++i) joint->in_trace[i] = static_cast<uint8_t>(i);
  for (uint32_t i = 0; i < joint->tool->count; ++i) {
    uint32_t at = 0;
    while (at < both.count && !IsSame(both.events[at], joint->tool->events[i])) ++at;
    if (at == CounterSet::kMost) return;
    if (at == both.count) both.events[both.count++] = joint->tool->events[i];
    joint->in_tool[at] = static_cast<uint8_t>(i);
  }
  joint->fits = joint->gpu == nullptr || joint->gpu->FitTogether(both);
}

const CounterPair::Joint* CounterPair::JointOf(const CounterSet* trace, const CounterSet* tool,
                                               const counters::GpuFacts* gpu) {
  for (const Joint* joint = joints_; joint != nullptr; joint = joint->next) {
    if (joint->trace == trace && joint->tool == tool && joint->gpu == gpu) return joint;
  }
  void* const memory = malloc(sizeof(Joint));
  if (memory == nullptr) return nullptr;
  auto* const joint = new (memory) Joint;
  joint->trace = trace;
  joint->tool = tool;
  joint->gpu = gpu;
  Fill(joint);
  if (!joint->fits)
    Warn(
        "the trace's counters and those of a tool do not fit into one run: kernels that both count "
        "have the tool's alone (kNotCountable)");
  joint->next = joints_;
  joints_ = joint;
  return joint;
}

uint32_t CounterPair::TakeSlot(const Slot& content) {
  uint32_t number = free_slot_;
  if (number != 0) {
    free_slot_ = slots_[number - 1].next_free;
  } else if (slot_count_ < kMostSlots) {
    number = ++slot_count_;
  } else {
    return 0;
  }
  slots_[number - 1] = content;
  return number;
}

CounterPair::Slot CounterPair::GiveSlot(uint64_t token) {
  const auto number = static_cast<uint32_t>(token);
  const MutexLock lock(mutex_);
  Slot& slot = slots_[number - 1];
  const Slot content = slot;
  slot.next_free = free_slot_;
  free_slot_ = number;
  return content;
}

const CounterSet* CounterPair::Choose(const DispatchRecord& kernel, const QueueIdentity& queue,
                                      const counters::GpuFacts* gpu, uint64_t* token) {
  Slot slot;
  const CounterSet* const trace = trace_->Choose(kernel, queue, gpu, &slot.trace);
  const CounterSet* const tool = tool_->Choose(kernel, queue, gpu, &slot.tool);
  if (trace == nullptr && tool == nullptr) return nullptr;
  *token = trace == nullptr ? kOfTool | slot.tool : kOfTrace | slot.trace;
  if (trace == nullptr) return tool;
  if (tool == nullptr) return trace;
  Loss why = Loss::kNoMemory;
  {
    const MutexLock lock(mutex_);
    slot.joint = JointOf(trace, tool, gpu);
    const bool fits = slot.joint != nullptr && slot.joint->fits;
    if (slot.joint != nullptr && !fits) why = Loss::kNotCountable;
    const uint32_t number = fits ? TakeSlot(slot) : 0;
    if (number != 0) {
      *token = number;
      return &slot.joint->both;
    }
  }
  trace_->NotCounted(slot.trace, why);
  *token = kOfTool | slot.tool;
  return tool;
}

void CounterPair::Deliver(CounterUser* user, uint64_t token, const uint8_t* index,
                          const DispatchRecord& kernel, const QueueIdentity& queue,
                          const CounterValue* values, uint32_t count, CounterValue* own) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count; ++i) {
    if (index[values[i].event] == kNone) continue;
    own[kept] = values[i];
    own[kept++].event = index[values[i].event];
  }
  user->Counted(token, kernel, queue, own, kept);
}

void CounterPair::Counted(uint64_t token, const DispatchRecord& kernel, const QueueIdentity& queue,
                          const CounterValue* values, uint32_t count) {
  const uint64_t alone = token & ~(kOfTrace | kOfTool);
  if ((token & kOfTrace) != 0) return trace_->Counted(alone, kernel, queue, values, count);
  if ((token & kOfTool) != 0) return tool_->Counted(alone, kernel, queue, values, count);
  if (count > own_room_) {
    void* const more = realloc(own_, count * sizeof(CounterValue));
    if (more == nullptr) return NotCounted(token, Loss::kNoMemory);
    own_ = static_cast<CounterValue*>(more);
    own_room_ = count;
  }
  const Slot slot = GiveSlot(token);
  Deliver(trace_, slot.trace, slot.joint->in_trace, kernel, queue, values, count, own_);
  Deliver(tool_, slot.tool, slot.joint->in_tool, kernel, queue, values, count, own_);
}

void CounterPair::NotCounted(uint64_t token, Loss why) {
  const uint64_t alone = token & ~(kOfTrace | kOfTool);
  if ((token & kOfTrace) != 0) return trace_->NotCounted(alone, why);
  if ((token & kOfTool) != 0) return tool_->NotCounted(alone, why);
  const Slot slot = GiveSlot(token);
  trace_->NotCounted(slot.trace, why);
  tool_->NotCounted(slot.tool, why);
}

}  // namespace rtl::capture
