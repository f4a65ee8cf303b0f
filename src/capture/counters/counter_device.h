// SPDX-License-Identifier: MIT
// counter_device.h: one GPU as the counters see it: its blocks, and for each set of events the
// packets that count these events. Every kernel in flight has packets of its own, which a later
// kernel reuses.
//
// Threads    one at a time: the lock of KernelCounting
// Blocking   MakeJob: while the runtime allocates memory and AMD's library writes packets
// Memory     a job is mapped when more kernels are in flight than ever before; it is kept
// Errors     MakeJob returns null; why_not gives the reason, once for each set
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

// One counted kernel, from its submission until its values are reported.
struct CounterJob {
  enum class State : uint8_t {
    kSubmitted,  // its queue has not reached the job
    kArrived,    // its queue waits at the gate before the kernel
    kRuns,       // the gate is open, or the job has no gate
    kRead,       // its counters have been read
  };

  CounterJob* next = nullptr;  // next job of the queue, or of the free list
  CounterJob* next_made = nullptr;
  bool in_use = false;
  CounterDevice* device = nullptr;
  CounterPlan* plan = nullptr;  // null: the kernel is not counted and only takes its turn
  counters::AqlProfile::Handle handle;
  counters::AqlProfile::Packets packets;
  // Signals for a job with a gate. The counting thread sleeps on `arrived` and `done`; the queue
  // waits for `gate`. Created when first needed.
  hsa_signal_t arrived = {}, gate = {}, done = {};
  // completion signal of a job without a gate: no thread sleeps on it
  hsa_signal_t quiet_done = {};

  // The rest is set anew for each kernel.
  bool gated = false;
  hsa_signal_t Done() const { return gated ? done : quiet_done; }
  uint32_t number = 0;  // the number by which the engine refers to this job
  State state = State::kSubmitted;
  bool ended = false;  // the kernel is complete, and `kernel` has its times; or it is lost
  bool lost = false;
  Loss why = Loss::kShutdown;
  QueueIdentity queue;
  DispatchRecord kernel;
  uint64_t token = 0;
  uint64_t packet = UINT64_MAX;  // index of the kernel's packet in its queue; UINT64_MAX: not known
  uint64_t since = 0;            // when the kernel was allowed to run
};

// One set of events as it is counted on one GPU.
struct CounterPlan {
  CounterPlan* next = nullptr;
  const CounterSet* set = nullptr;
  bool refused = false;
  uint32_t count = 0;
  static constexpr uint32_t kMost = 1024;
  counters::AqlProfile::Event* events = nullptr;
  uint8_t* from = nullptr;  // for each event, its index in the set
  CounterJob* free = nullptr;
  // AMD's library hands over the same values in the same order each time. This table keeps, for
  // each of them, the event and its place.
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

  // Takes a free job, or makes one. `set`: null for a kernel that only takes its turn. Returns null
  // if no job is available, for the reason `why`.
  CounterJob* Take(const CounterSet* set, bool gated, Loss* why);
  void Give(CounterJob* job);
  // Before the runtime is unloaded: frees all jobs that no packet in a queue refers to.
  // `keeps_packets`: true if AMD's library may have been destroyed already, as at the end of the
  // process.
  void Close(bool keeps_packets = false);
  // Writes the values that the job's packets have read. Returns how many; UINT32_MAX if AMD's
  // library refused.
  uint32_t Values(const CounterJob& job, CounterValue* out, uint32_t room) const;

  const NodeFacts& facts() const { return facts_; }

  // Owned by KernelCounting.
  uint32_t running = 0;
  uint64_t running_since = 0;
  // a kernel exceeded the bound: kernels run without turns until none is running
  bool mixed = false;
  std::atomic<uint32_t> queues{0};  // number of live queues on this GPU

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
