// SPDX-License-Identifier: MIT
// counter_device.h: one GPU as the counters see it: its blocks, and for each set of events the
// packets that count them. Every kernel in flight has packets of its own, which are used again.
//
// Threads    one at a time: the lock of KernelCounting
// Blocking   MakeJob: as long as the runtime allocates memory and the library writes packets
// Memory     jobs are mapped when more kernels are in flight than ever before, and kept
// Errors     MakeJob: null; why_not says it, once for each set
#pragma once

#include <hsa/hsa.h>
#include <stdint.h>

#include <atomic>

#include "base/status.h"
#include "capture/counters/counter_memory.h"
#include "capture/counters/counter_user.h"
#include "capture/counters/node_facts.h"
#include "capture/hsa/queue_identity.h"
#include "counters/aqlprofile.h"

namespace rtl::capture {

class CounterDevice;
struct CounterPlan;

// A kernel between its packets and its values.
struct CounterJob {
  enum class State : uint8_t {
    kSubmitted,  // its queue has not come to it
    kArrived,    // its queue waits at the gate
    kRuns,       // the gate is open; or there was none
    kRead,       // its counters have been read
  };

  CounterJob* next = nullptr;  // of its queue, of those that are free
  CounterJob* next_made = nullptr;
  bool in_use = false;
  CounterDevice* device = nullptr;
  CounterPlan* plan = nullptr;  // null: it only takes its turn
  counters::AqlProfile::Handle handle;
  counters::AqlProfile::Packets packets;
  // A queue waits at the gate, or for another's end: the thread is woken by these. Made when
  // needed.
  hsa_signal_t arrived = {}, gate = {}, done = {};
  hsa_signal_t quiet_done = {};  // no one waits for its end

  // Of one kernel.
  bool gated = false;
  hsa_signal_t Done() const { return gated ? done : quiet_done; }
  uint32_t number = 0;  // by which the engine knows it
  State state = State::kSubmitted;
  bool ended = false;  // `kernel` is complete, or it is lost
  bool lost = false;
  Loss why = Loss::kShutdown;
  QueueIdentity queue;
  DispatchRecord kernel;
  uint64_t token = 0;
  uint64_t packet = UINT64_MAX;  // its index in its queue, if known
  uint64_t since = 0;            // when it was let run
};

// What one set of events is on one GPU.
struct CounterPlan {
  CounterPlan* next = nullptr;
  const CounterSet* set = nullptr;
  bool refused = false;
  uint32_t count = 0;
  static constexpr uint32_t kMost = 1024;
  counters::AqlProfile::Event* events = nullptr;
  uint8_t* from = nullptr;  // the index in the set
  CounterJob* free = nullptr;
  // The values as the library hands them over, which is the same each time: which event each is of,
  // and its place.
  struct Known {
    counters::AqlProfile::Event event;
    uint64_t sample;
    CounterValue value;
  };
  static constexpr uint32_t kMostKnown = 4096;
  Known* known = nullptr;
  uint32_t known_count = 0;
};

class CounterDevice {
 public:
  Status Open(const counters::AqlProfile* library, const CounterMemory* memory, const HsaApi* api,
              hsa_agent_t agent);
  bool open() const { return api_ != nullptr; }
  hsa_agent_t agent() const { return agent_; }

  // Null for `set`: of one that only takes its turn. Null: it cannot be had, for the reason `why`.
  CounterJob* Take(const CounterSet* set, bool gated, Loss* why);
  void Give(CounterJob* job);
  // Before the runtime goes: gives back what no packet in a queue speaks of any more.
  // `keeps_packets`: the library may have been destroyed already, as it is when the process exits.
  void Close(bool keeps_packets = false);
  // The values that the job's packets have read. How many; UINT32_MAX: the library refused.
  uint32_t Values(const CounterJob& job, CounterValue* out, uint32_t room) const;

  const NodeFacts& facts() const { return facts_; }

  // KernelCounting's.
  uint32_t running = 0;
  uint64_t running_since = 0;
  bool mixed = false;               // kernels run at once until none does: the bound was reached
  std::atomic<uint32_t> queues{0};  // that live

 private:
  CounterPlan* PlanOf(const CounterSet* set);
  bool Fill(CounterPlan* plan);
  CounterJob* Make(CounterPlan* plan);
  bool MakeSignals(CounterJob* job, bool gated) const;
  static hsa_status_t OnAllocate(void** memory, uint64_t bytes, uint32_t flags, void* device);
  static void OnFree(void* memory, void* device);
  static hsa_status_t OnCopy(void* to, const void* from, size_t bytes, void* device);

  const counters::AqlProfile* library_ = nullptr;
  const CounterMemory* memory_ = nullptr;
  const HsaApi* api_ = nullptr;
  hsa_agent_t agent_ = {};
  counters::AqlProfile::Agent handle_;
  NodeFacts facts_;
  CounterPlan* plans_ = nullptr;
  CounterJob* free_turns_ = nullptr;
  CounterJob* made_ = nullptr;
};

}  // namespace rtl::capture
