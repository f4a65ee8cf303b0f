// SPDX-License-Identifier: MIT
// hip_call_hooks.h: the interface between librtl_hip.so, which wraps HIP's functions, and
// librtl.so. Both must come from one build; kHipCallHooksVersion rejects others.
//
// librocprofiler-sdk.so.1 has the same interface and can take the place of librtl.so.
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
// A flag in the index of a call: the call goes to a HIP library other than the one whose function
// was passed to `rtl_hip_hooks`.
inline constexpr uint32_t kOfAnotherHip = 1u << 31;
// The result of `enter` is a multiple of this: librtl_hip.so keeps its own flags in the lowest
// bits.
inline constexpr uintptr_t kEnteredAlignment = 8;

struct HipCallHooks {
  // `arguments`: eight bytes each, sixteen for a dim3. A structure that is passed in memory takes
  // as many bytes as it has.
  void* (*enter)(uint32_t call, const uint64_t* arguments);
  void (*exit)(void* entered, const uint64_t* arguments, int32_t result, bool result_known);
  // The demand that alone decides whether calls are wanted. If this pointer or the pointer that it
  // refers to is null, `enter` must be called to find out.
  const std::atomic<const Demand*>* alone = nullptr;

  // HOT. True if no call is wanted now, so `enter` need not be called.
  bool Pass() const {
    if (alone == nullptr) return false;
    const Demand* const demand = alone->load(std::memory_order_acquire);  // pairs with HipCalls
    return demand != nullptr && demand->Quiet();
  }
};

// The functions of librtl_hip.so: for each of them the name of the HIP call, and the address of one
// function of the HIP library that they call.
struct PreloadedCalls {
  const char* const* names = nullptr;
  size_t count = 0;
  const void* hip = nullptr;
};

}  // namespace rtl::capture
