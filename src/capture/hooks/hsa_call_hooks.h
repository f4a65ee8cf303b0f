// SPDX-License-Identifier: MIT
// hsa_call_hooks.h: wrappers of HSA functions, which record calls and the memory that they allocate
// and free.
//
//   program ─► other tools ─► ours ─► the hooks that record kernels and copies ─► the runtime
//
// Threads    Install, Remove: one at a time. Slots are written with single atomic stores: other
//            threads may be calling through them
// Blocking   never; Install queries the runtime for its agents' memory
// Memory     fixed. The former function of a slot is kept: threads may be inside
// Losses     a call is seen when it begins. A record that the sink refuses is kSpoolFull; one that
//            began in a pause (marker/pause.h) is kPaused; the reader counts a call that is open when
//            the process ends
// Errors     tables of unknown versions, and functions that a runtime lacks, are unchanged
#pragma once

#include <hsa/hsa.h>
#include <stdint.h>

#include <atomic>

#include "base/fast_clock.h"
#include "model/event_kinds.h"
#include "model/record_sink.h"

namespace rtl::capture {

class HsaCallHooks {
 public:
  struct Services {
    RecordSink* sink = nullptr;
    const FastClock* clock = nullptr;  // the clock that stamps packets
    bool calls = false;                // EventKind::kHsaCall
    bool allocations = false;          // EventKind::kAllocation
    // AgentRecord::agent; zero: not known.
    uint32_t (*agent_number)(const void* data, hsa_agent_t agent) = nullptr;
    const void* agent_data = nullptr;
  };

  // One per process: the functions in the tables find it without an argument.
  HsaCallHooks() = default;
  HsaCallHooks(const HsaCallHooks&) = delete;
  HsaCallHooks& operator=(const HsaCallHooks&) = delete;

  // `root`: an HsaApiTable. Replaces only the functions to be recorded.
  void Install(void* root, const Services& services);
  // Begins no more events; open calls are still recorded. Async-signal-safe.
  void Disarm() { armed_.store(false, std::memory_order_relaxed); }
  // Restores the former function where our wrapper is still installed.
  void Remove();

  // Used by the functions in the tables.
  struct Open {
    uint64_t correlation, start;
    bool call, allocation;  // to be recorded
    bool paused;
  };
  // HOT: in every replaced function. True if anything is recorded now.
  bool Wants() const;
  void Begin(uint32_t function, Open* open);
  // `arguments`: one word each; a structure that is passed by value is zero.
  void End(uint32_t function, const Open& open, uint64_t result, const uint64_t* arguments);

 private:
  struct Pool {
    uint64_t handle;
    uint32_t agent;
  };
  static constexpr uint32_t kMostPools = 512;

  void AskForPools(void* root);
  uint32_t AgentOf(uint64_t pool) const;
  void WriteCall(uint32_t function, const Open& open, uint64_t end, uint64_t result,
                 const uint64_t* arguments);
  void WriteAllocation(uint32_t function, const Open& open, uint64_t end, uint64_t result,
                       const uint64_t* arguments);
  void Write(EventRecord* record, const void* payload);

  std::atomic<bool> armed_{false};
  Services services_;
  uint32_t pool_count_ = 0;  // written before armed_
  Pool pools_[kMostPools];
};

}  // namespace rtl::capture
