// SPDX-License-Identifier: MIT
// plan.h: counters that one kind of GPU counts together: the hardware events that they need, and
// how their values are computed from those of the events.
//
//   names ──► Add ──► set() ──► packets ──► values of events ──► Evaluate ──► values of counters
//
// Threads    Add: one at a time, before anything is counted. Evaluate: any, each with its own arena
// Memory     Add: the plan's arena; Evaluate: the caller's arena
// Errors     Add: the counter that cannot be added, and why; the plan is then unchanged
#pragma once

#include <stdint.h>

#include "base/status.h"
#include "counters/arena.h"
#include "counters/counter_set.h"
#include "counters/definitions.h"
#include "counters/expression.h"

namespace rtl::counters {

// The facts about one GPU that expressions and checks need.
class GpuFacts {
 public:
  // A property under its name in the topology ("simd_count"). False: there is no such property.
  virtual bool Property(std::string_view name, double* value) const = 0;
  // The number of positions that a block has in each dimension, by CounterDimension. False: not
  // known.
  virtual bool Extents(const CounterEvent& event, uint32_t* extents) const = 0;
  // Whether the events can be counted at once.
  virtual bool FitTogether(const CounterSet& set) const = 0;

 protected:
  ~GpuFacts() = default;  // never deleted through this interface
};

// Properties that expressions may name.
bool IsGpuProperty(std::string_view name);

enum class PlanError : uint8_t {
  kNone,
  // The expression cannot be parsed, names a counter or property that does not exist, or combines
  // values that do not match.
  kExpression,
  kTooMany,  // more events than a set has
  kNoMemory,
};

// Values by position. One value without a position belongs to the whole GPU.
struct Series {
  uint32_t count = 0;
  uint64_t* positions = nullptr;
  double* values = nullptr;
  bool not_modelled = false;
};

class Plan {
 public:
  static constexpr uint32_t kMost = CounterSet::kMost;

  Plan() = default;
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;

  // `facts`: null when the GPU itself is not known, only its kind; the plan then serves checks
  // only. A counter that is in the plan already is not added again.
  PlanError Add(const Definitions& definitions, std::string_view gpu, const Definition& counter,
                const GpuFacts* facts, Status* why);

  // Adds an event if the set has none, so that counters that need no event can be evaluated, too.
  void NeedEvent(const Definitions& definitions, std::string_view gpu);

  const CounterSet& set() const { return set_; }
  uint32_t count() const { return count_; }
  const Definition& at(uint32_t index) const { return *counters_[index].definition; }
  // The dimensions in which the counter has several values, as bits 1 << CounterDimension.
  uint32_t DimensionsOf(uint32_t index) const { return counters_[index].dimensions; }
  // An event that has the counter's extents. Null: the counter has a single value.
  const CounterEvent* LeadOf(uint32_t index) const;

  // False: there is no memory.
  bool Evaluate(uint32_t index, const CounterValue* values, uint32_t count, Arena* arena,
                Series* out) const;

 private:
  struct Counter {
    const Definition* definition = nullptr;
    Expression* tree = nullptr;
    uint32_t dimensions = 0;
  };

  CounterSet set_;
  uint32_t count_ = 0;
  Counter counters_[kMost];
  Arena arena_;
};

}  // namespace rtl::counters
