// SPDX-License-Identifier: MIT
// preload_door.h: what librtl_hip.so, whose functions stand before HIP's own, and librtl.so say to
// each other. Both are of one build; kPreloadDoorVersion keeps strangers apart.
//
// librocprofiler-sdk.so.1 says the same as librtl.so.
//
//   librtl_hip.so   at a process's first call of HIP: rtl_hip_door(version, calls, count) -> door
//                   before a call: enter(place of the call in that list, arguments) -> null, or
//                                  what exit gets
//                   after it:      exit(the same, arguments, result)
//
// Threads    enter, exit: the application's, any
// Memory     the door and the list live as long as the process
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace rtl::capture {

inline constexpr uint32_t kPreloadDoorVersion = 2;
// Of what `enter` returns. The lowest bits are librtl_hip.so's own.
inline constexpr uintptr_t kEnteredAlignment = 8;

struct PreloadDoor {
  // `arguments`: eight bytes each, dim3 sixteen, structures that lie in memory as many as they have.
  void* (*enter)(uint32_t call, const uint64_t* arguments);
  void (*exit)(void* entered, const uint64_t* arguments, int32_t result, bool result_known);
};

// The functions of librtl_hip.so: the name of the call that each of them makes.
struct PreloadedCalls {
  const char* const* names = nullptr;
  size_t count = 0;
};

}  // namespace rtl::capture
