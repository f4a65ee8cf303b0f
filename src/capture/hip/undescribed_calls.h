// SPDX-License-Identifier: MIT
// undescribed_calls.h: counts calls of functions that are newer than all descriptions of HIP. How
// their arguments are passed is not known, so the wrapper keeps every register and the stack as they
// are, and jumps to HIP's function: a call is counted when it begins, and its end is not seen.
//
// Threads    Wrap: one at a time. The functions: the application's, any
// Blocking   never
// Memory     constant; the functions of a table stay wrapped
// Why        docs/adr/0150-which-hip.md
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace rtl::capture {

class UndescribedCalls {
 public:
  static constexpr uint32_t kMost = 128;

  // `number`: of the entry in its table. `count` is called once for each call. False: there are too
  // many, or it is wrapped already.
  static bool Wrap(uint32_t number, void** entry, void (*count)());
  // The entries are HIP's own again, and no call is counted.
  static void Unwrap();
  // "541 (3 calls), 544 (1 call)"; empty without a call.
  static void Describe(char* text, size_t capacity);
  // The number of functions that were called.
  static uint32_t called();
  static void TEST_Forget();
};

}  // namespace rtl::capture
