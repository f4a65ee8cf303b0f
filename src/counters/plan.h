// SPDX-License-Identifier: MIT
// plan.h: counters that one kind of GPU counts together: the events of the hardware that they need,
// and what is computed of these.
//
//   names ──► Add ──► set() ──► packets ──► values of events ──► Evaluate ──► values of counters
//
// Threads    Add: one at a time, before anything is counted. Evaluate: one for each arena
// Memory     the plan's arena; what Evaluate gives out lies in the caller's
// Errors     Add: which counter cannot be had, and why; the plan is then what it was
#pragma once

#include <stdint.h>

#include "base/status.h"
#include "counters/arena.h"
#include "counters/counter_set.h"
#include "counters/definitions.h"
#include "counters/expression.h"

namespace rtl::counters {

// What expressions and checks need to know of one GPU.
class GpuFacts {
 public:
  // As the topology names it ("simd_count"). False: there is none.
  virtual bool Property(std::string_view name, double* value) const = 0;
  // How many positions each dimension has for a block, by CounterDimension. False: not known.
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
  // It cannot be parsed, names what is not there, or combines what does not go together.
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

  // Counters that need no event can be evaluated as well: gives the set one, when it has none.
  void NeedEvent(const Definitions& definitions, std::string_view gpu);

  const CounterSet& set() const { return set_; }
  uint32_t count() const { return count_; }
  const Definition& at(uint32_t index) const { return *counters_[index].definition; }
  // By 1 << CounterDimension: the dimensions in which the counter's values lie.
  uint32_t DimensionsOf(uint32_t index) const { return counters_[index].dimensions; }
  // An event by which the counter's extents can be queried; null: it has one value.
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
