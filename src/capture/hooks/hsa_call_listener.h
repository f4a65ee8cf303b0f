// SPDX-License-Identifier: MIT
// hsa_call_listener.h: gets HSA calls while they happen, from the functions by which the trace
// records them (hsa_call_hooks.h): a call is intercepted once, and timed once, for both.
//
//   Wants ──► Begin ──► (the trace) ──► the function ──► (the trace) ──► End
//
// Threads    Wants, Begin, End: the application's, on the thread of the call, without a lock; calls
//            may be nested. The rest: one at a time, before or after calls
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "capture/hsa/hsa_slots.h"

namespace rtl::capture {

// An open call, on the stack of its thread.
struct HsaCall {
  static constexpr size_t kRoomBytes = 2688;

  uint32_t function;  // HsaFunctionIndex
  uint32_t wanted;    // the value that Wants has returned
  // The trace records the call: `start` and `end` are valid at End. Otherwise they are zero.
  bool timed;
  uint64_t start, end;
  // One word each, extended as its type says. A structure that is passed by value: its address.
  const uint64_t* arguments;
  alignas(8) uint8_t room[kRoomBytes];  // for the listener
};

class HsaCallListener {
 public:
  // The functions of `root`, an HsaApiTable, are about to be wrapped. More than once for a runtime.
  virtual void RuntimeComes(void* root, const HsaSlots& slots) = 0;
  // Its wrappers are about to be removed.
  virtual void RuntimeGoes() = 0;
  // True if calls of the function may ever be of interest: queried before it is wrapped.
  virtual bool Asks(uint32_t function) = 0;
  // HOT. Nonzero if this call is of interest. Otherwise Begin and End are not called.
  virtual uint32_t Wants(uint32_t function) = 0;
  virtual void Begin(HsaCall* call) = 0;
  // `result`: extended as its type says; zero if there is none.
  virtual void End(HsaCall* call, uint64_t result) = 0;

 protected:
  ~HsaCallListener() = default;
};

}  // namespace rtl::capture
