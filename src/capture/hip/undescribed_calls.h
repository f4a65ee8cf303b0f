// SPDX-License-Identifier: MIT
// undescribed_calls.h: counts calls of functions that are newer than all descriptions of HIP and
// HSA. The wrapper does not know the arguments of such a function, so it preserves every register
// and the stack, and jumps to the library's function. A call is counted when it begins; its end is
// not seen.
//
// Threads    Wrap, Unwrap, Forget: one at a time. The functions: the application's, any
// Blocking   never
// Memory     constant
// Why        docs/adr/0150-which-hip.md
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace rtl::capture {

class UndescribedCalls {
 public:
  enum class Api : uint8_t { kHip, kHsa };
  static constexpr uint32_t kApis = 2;
  static constexpr uint32_t kMost = 128;  // most functions of each API

  // `number`: index of the entry in its table. `count` is called once for each call. False if there
  // are too many functions, or if the entry is wrapped already.
  static bool Wrap(Api api, uint32_t number, void** entry, void (*count)());
  // Restores the library's own functions, except in entries that another tool has changed since.
  static void Unwrap(Api api);
  // Resets the counts of this API.
  static void Forget(Api api);
  // Writes the called functions and the number of their calls, such as "541 (3 calls), 544 (1
  // call)". `name_of` gives the names of those that it knows. Empty if there was no call.
  using NameOf = const char* (*)(uint32_t number);
  static void Describe(Api api, NameOf name_of, char* text, size_t capacity);
  // The number of functions that were called.
  static uint32_t called(Api api);
  static void TEST_Forget();
};

}  // namespace rtl::capture
