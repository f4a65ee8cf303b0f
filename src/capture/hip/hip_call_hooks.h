// SPDX-License-Identifier: MIT
// hip_call_hooks.h: the interface between librtl_hip.so, which wraps HIP's functions, and librtl.so.
// Both must come from one build; kHipCallHooksVersion rejects others.
//
// librocprofiler-sdk.so.1 has the same interface as librtl.so.
//
//   librtl_hip.so   at a process's first HIP call: `rtl_hip_hooks`(version, calls, count,
//                   address of a function of the HIP that the calls go to)
//                   before a call: enter(index of the call in that list, arguments) -> null, or
//                                  the first argument of exit
//                   after it:      exit(the same, arguments, result)
//
// Threads    enter, exit: the application's, any
// Memory     the interface and the list live as long as the process
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <atomic>

#include "base/demand.h"

namespace rtl::capture {

inline constexpr uint32_t kHipCallHooksVersion = 4;
// A flag in the index of a call: it goes to another HIP than the one whose function was passed.
inline constexpr uint32_t kOfAnotherHip = 1u << 31;
// Flags in the result of `enter`. The lowest bits are librtl_hip.so's own.
inline constexpr uintptr_t kEnteredAlignment = 8;

struct HipCallHooks {
  // `arguments`: eight bytes each, dim3 sixteen; a structure that is passed in memory takes its own
  // size.
  void* (*enter)(uint32_t call, const uint64_t* arguments);
  void (*exit)(void* entered, const uint64_t* arguments, int32_t result, bool result_known);
  // Whether calls are wanted, if that depends on this demand alone; null, or a null in it: it does not.
  const std::atomic<const Demand*>* alone = nullptr;

  // HOT: a call that is not wanted now needs no `enter`.
  bool Pass() const {
    if (alone == nullptr) return false;
    const Demand* const demand = alone->load(std::memory_order_acquire);  // pairs with HipCalls
    return demand != nullptr && demand->Quiet();
  }
};

// The functions of librtl_hip.so: the name of the call that each of them makes; and a function of
// the HIP that they call.
struct PreloadedCalls {
  const char* const* names = nullptr;
  size_t count = 0;
  const void* hip = nullptr;
};

}  // namespace rtl::capture
