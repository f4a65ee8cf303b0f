// SPDX-License-Identifier: MIT
// hsa_call_listener.h: gets HSA calls while they happen, from the wrappers that also record them
// for the trace (hsa_call_hooks.h). A call is intercepted once and timed once for both.
//
//   Wants ──► Begin ──► (the trace) ──► the function ──► (the trace) ──► End
//
// Threads    Wants, Begin, End: the application's, on the thread of the call, without a lock; calls
//            may be nested. All other functions: one at a time, and never during a call
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
  // True if the trace records the call. `start` and `end` are then valid at End; otherwise they are
  // zero.
  bool timed;
  uint64_t start, end;
  // One word for each argument, sign- or zero-extended, depending on the argument's type. For a
  // structure passed by value: its address.
  const uint64_t* arguments;
  alignas(8) uint8_t room[kRoomBytes];  // for the listener
};

class HsaCallListener {
 public:
  // Called before the functions of `root`, an HsaApiTable, are wrapped. May be called more than
  // once for a runtime.
  virtual void RuntimeComes(void* root, const HsaSlots& slots) = 0;
  // Called before the wrappers are removed.
  virtual void RuntimeGoes() = 0;
  // True if calls of the function may be of interest at any time. Queried before the function is
  // wrapped.
  virtual bool Asks(uint32_t function) = 0;
  // HOT. Nonzero if calls of the function are of interest now. Otherwise Begin and End are not
  // called.
  virtual uint32_t Wants(uint32_t function) = 0;
  virtual void Begin(HsaCall* call) = 0;
  // `result`: sign- or zero-extended to 64 bits, depending on its type; zero if the function has no
  // result.
  virtual void End(HsaCall* call, uint64_t result) = 0;

 protected:
  ~HsaCallListener() = default;
};

}  // namespace rtl::capture
