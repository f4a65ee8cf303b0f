// SPDX-License-Identifier: MIT
// undescribed_calls.h: counts calls of functions that are newer than all descriptions of HIP and of
// HSA. How their arguments are passed is not known, so the wrapper keeps every register and the stack
// as they are, and jumps to the library's function: a call is counted when it begins, and its end is
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
  static constexpr uint32_t kMost = 128;  // of each

  // `number`: of the entry in its table. `count` is called once for each call. False: there are too
  // many, or it is wrapped already.
  static bool Wrap(Api api, uint32_t number, void** entry, void (*count)());
  // The entries are the library's own again, but for those that another tool has changed since.
  static void Unwrap(Api api);
  // No call has been counted.
  static void Forget(Api api);
  // "541 (3 calls), 544 (1 call)", or names where `name_of` knows them; empty without a call.
  using NameOf = const char* (*)(uint32_t number);
  static void Describe(Api api, NameOf name_of, char* text, size_t capacity);
  // The number of functions that were called.
  static uint32_t called(Api api);
  static void TEST_Forget();
};

}  // namespace rtl::capture
