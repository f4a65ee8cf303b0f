// SPDX-License-Identifier: MIT
// trace_counters.h: the counters that `rtl trace --pmc` requests for every kernel, and their
// records.
//
// Several groups of counters take turns on each GPU: the first group is counted for `interval`
// chosen kernels, then the second group for as many, and so on; the first follows the last.
//
// Threads    Parse: before the first kernel. All other functions: as CounterUser
// Blocking   Choose, once for each GPU: reads the definitions
// Memory     a plan for each GPU and group
// Errors     Parse names the wrong word. A counter that a GPU lacks gives one warning; a kernel
//            whose records find no room is a loss
#pragma once

#include <stdint.h>

#include <atomic>

#include "base/mutex.h"
#include "base/status.h"
#include "capture/counters/counter_user.h"
#include "capture/hsa/agents.h"
#include "capture/hsa/hsa_api.h"
#include "counters/kernel_filter.h"
#include "counters/plan.h"
#include "counters/words.h"
#include "model/record_sink.h"

namespace rtl::capture {

class TraceCounters final : public CounterUser {
 public:
  static constexpr uint32_t kMostWords = CounterSet::kMost;
  static constexpr uint32_t kMostGroups = counters::kMostGroups;

  TraceCounters() = default;
  TraceCounters(const TraceCounters&) = delete;
  TraceCounters& operator=(const TraceCounters&) = delete;
  ~TraceCounters();

  // `text`: RTL_COUNTERS (counters/words.h), which must live as long as this object. `kernels`:
  // RTL_COUNTER_KERNELS, or null. `interval`: RTL_COUNTER_GROUP_INTERVAL, the number of kernels in
  // a group's turn; null: one.
  Status Parse(const char* text, const char* kernels = nullptr, const char* interval = nullptr);
  // The filter for kernel names; null if every kernel is counted.
  counters::KernelFilter* filter() { return filter_.any() ? &filter_ : nullptr; }
  void Open(RecordSink* sink, const HsaApi* api);
  bool any() const { return word_count_ != 0; }

  const CounterSet* Choose(const DispatchRecord& kernel, const QueueIdentity& queue,
                           const counters::GpuFacts* gpu, uint64_t* token) override;
  void Counted(uint64_t token, const DispatchRecord& kernel, const QueueIdentity& queue,
               const CounterValue* values, uint32_t count) override;
  void NotCounted(uint64_t token, Loss why) override;

 private:
  struct Group {
    uint32_t first, count;  // range of the group in words_
  };
  // The counters of one GPU.
  struct Gpu {
    counters::Plan plans[kMostGroups];
    std::atomic<uint64_t> chosen{0};  // kernels chosen so far
    // definitions of counters that a word gives directly, as BLOCK:EVENT
    counters::Definition own[kMostWords];
    char names[kMostWords][64];  // names of these counters
  };
  Status ParseGroup(std::string_view text);
  Gpu* MakeGpu(const QueueIdentity& queue, const counters::GpuFacts* facts) RTL_REQUIRES(mutex_);
  uint32_t NumberOfGpu(hsa_agent_t agent) const;
  void MakePlan(uint32_t group, const char* name, const QueueIdentity& queue,
                const counters::GpuFacts* facts, Gpu* gpu) const;
  static bool InEarlierPlan(const Gpu& gpu, uint32_t group, std::string_view counter);
  const counters::Definition* DefinitionOf(uint32_t word, std::string_view name, Gpu* gpu) const;
  void WriteInfo(uint32_t agent, const counters::Definition& counter) const;
  bool Write(const DispatchRecord& kernel, const counters::Definition& counter,
             const counters::Series& series, uint32_t* left) const;

  counters::KernelFilter filter_;
  uint32_t word_count_ = 0;
  counters::Word words_[kMostWords];
  uint32_t group_count_ = 0;
  Group groups_[kMostGroups];
  uint64_t interval_ = 1;
  RecordSink* sink_ = nullptr;
  const HsaApi* api_ = nullptr;
  Mutex mutex_{Rank::kCounterPlans};
  std::atomic<Gpu*> gpus_[Agents::kMaxAgents] = {};  // indexed by the agent's number - 1
  counters::Arena arena_;                            // used by the counting thread only
};

}  // namespace rtl::capture
