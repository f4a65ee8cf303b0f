// SPDX-License-Identifier: MIT
// hsa_call_hooks.h: the wrappers of HSA functions. The trace gets records of calls and of the
// memory that they allocate and free (Record), a listener gets the beginning and end of calls
// (Listen), or both happen. A function has one wrapper, and a call has the same times for both.
//
//   program ─► other tools ─► ours ─► the hooks that record kernels and copies ─► the runtime
//
// Threads    Record, Listen, Install, Remove: one at a time. Slots are written with single atomic
//            stores: other threads may be calling through them
// Blocking   never; Install queries the runtime for its agents' memory
// Memory     fixed; 3 KB of stack for a call of the listener. The former function of a slot is
//            kept, because threads may be inside the wrapper
// Losses     a call is seen when it begins. A record that the sink refuses is kSpoolFull; a call
//            that began in a pause (roctx/pause.h) is kPaused; the reader counts a call that is
//            open when the process ends. A call of a function that is newer than all descriptions
//            is kUndescribed, and the listener does not get it
// Errors     tables of unknown versions, and functions that a runtime lacks, are unchanged
#pragma once

#include <hsa/hsa.h>
#include <stdint.h>

#include <atomic>

#include "base/fast_clock.h"
#include "capture/hooks/hsa_call_listener.h"
#include "model/event_kinds.h"
#include "model/record_sink.h"

namespace rtl::capture {

class HsaCallHooks {
 public:
  struct Services {
    RecordSink* sink = nullptr;
    const FastClock* clock = nullptr;  // the clock that stamps packets
    bool calls = false;                // record calls (EventKind::kHsaCall)
    bool allocations = false;          // record allocations (EventKind::kAllocation)
    // Returns AgentRecord::agent; zero: not known.
    uint32_t (*agent_number)(const void* data, hsa_agent_t agent) = nullptr;
    const void* agent_data = nullptr;
  };

  // One per process, because the functions in the tables have no argument to find it by.
  HsaCallHooks() = default;
  HsaCallHooks(const HsaCallHooks&) = delete;
  HsaCallHooks& operator=(const HsaCallHooks&) = delete;

  // Record and Listen take effect at the next Install.
  void Record(const Services& services);
  void Listen(HsaCallListener* listener);
  // `root`: an HsaApiTable. Replaces only the functions that the trace or the listener wants. A
  // function whose slot has the tracer's wrapper already, directly or below another tool's
  // function, keeps it.
  void Install(void* root);
  // Begins no more events. Calls that are open still end. Async-signal-safe.
  void Disarm() { armed_.store(0, std::memory_order_relaxed); }
  // Disarms for the trace only; the listener still gets calls.
  void StopRecording() {
    armed_.fetch_and(static_cast<uint8_t>(~kRecords), std::memory_order_relaxed);
  }
  // Restores the former function in each slot that still has the tracer's wrapper, so that other
  // hooks can be installed below the wrappers, and forgets trace and listener. Record, Listen and
  // Install are to follow.
  void Lift();
  // Lift for a runtime that is about to be unloaded.
  void Remove();

  // The rest is for the functions in the tables.
  struct Parties {
    bool records;     // the trace records the call
    uint32_t wanted;  // result of HsaCallListener::Wants; zero: the listener does not want the call
    bool any() const { return records || wanted != 0; }
  };
  // HOT: in every replaced function. Returns who wants this call.
  Parties PartiesOf(uint32_t function) const;
  // The former function with the call's arguments.
  struct Function {
    const void* data;
    uint64_t (*call)(const void* data);
    uint64_t operator()() const { return call(data); }
  };
  // Calls `real` and reports the call. `arguments`: as in HsaCall.
  uint64_t Around(uint32_t function, Parties parties, const uint64_t* arguments, Function real);

 private:
  struct Pool {
    uint64_t handle;
    uint32_t agent;
  };
  static constexpr uint32_t kMostPools = 512;
  static constexpr uint8_t kRecords = 1, kListens = 2;
  struct Open {
    uint64_t correlation, start;
    bool call, allocation;  // whether each is to be recorded
    bool paused;
  };

  static void CountUndescribed();
  bool AskListener(void* root, const HsaSlots& slots);
  void AskForPools(const HsaSlots& slots);
  uint32_t AgentOf(uint64_t pool) const;
  void Begin(uint32_t function, Open* open);
  void End(uint32_t function, const Open& open, uint64_t end, uint64_t result,
           const uint64_t* arguments);
  uint64_t AroundForListener(uint32_t function, Parties parties, const uint64_t* arguments,
                             Function real);
  void WriteCall(uint32_t function, const Open& open, uint64_t end, uint64_t result,
                 const uint64_t* arguments);
  void WriteAllocation(uint32_t function, const Open& open, uint64_t end, uint64_t result,
                       const uint64_t* arguments);
  void Write(EventRecord* record, const void* payload);

  std::atomic<uint8_t> armed_{0};
  uint8_t joining_ = 0;  // bits for Record and Listen calls since the last Install
  // bits for Record and Listen calls before the last Install and since the last Remove
  uint8_t joined_ = 0;
  // written before armed_, like the members below; late threads use it after Remove
  Services services_;
  bool in_table_ = false;  // true from Install to Remove
  HsaCallListener* listener_ = nullptr;
  std::atomic<bool> asked_[kHsaFunctionTotal] = {};  // whether the listener may want the function
  uint32_t pool_count_ = 0;
  Pool pools_[kMostPools];
};

}  // namespace rtl::capture
