// SPDX-License-Identifier: MIT
// hip_function.h: how arguments are passed to HIP functions, independent of HIP's types, and the
// wrapper of a HIP function. hip_functions.inc uses these types.
//
// Threads    any
// Memory     the stack
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <type_traits>

#include "capture/hip/hip_call_hooks.h"

namespace rtl::capture::hip_function {

// one whole integer register, because the wrapper must not widen a narrower value
using Word = uint64_t;
struct Dim3 {
  uint32_t x, y, z;
};
template <size_t kBytes>
struct Bytes {
  uint8_t bytes[kBytes];
};
enum Error : int32_t { kNotSupported = 801 };

// The arguments of a call, one after the other.
class Slots {
 public:
  static constexpr size_t kMostWords = 16;

  void Add(Word value) { slots_[used_++] = value; }
  void Add(float value) { memcpy(&slots_[used_++], &value, sizeof value); }
  void Add(const Dim3& value) {
    memcpy(&slots_[used_], &value, sizeof value);
    used_ += 2;
  }
  template <size_t kBytes>
  void Add(const Bytes<kBytes>& value) {
    memcpy(&slots_[used_], &value, kBytes);
    used_ += (kBytes + 7) / 8;
  }
  const uint64_t* data() const { return slots_; }

 private:
  size_t used_ = 0;
  uint64_t slots_[kMostWords];  // only added elements are read
};

// HOT: once per call. Calls `hip` and reports the call to `hooks`. All other wrappers only call
// this function.
template <typename R, typename... P>
[[gnu::always_inline]] inline R CallThrough(R (*hip)(P...), const HipCallHooks& hooks,
                                            uint32_t place, P... arguments) {
  static_assert((size_t{0} + ... + ((sizeof(P) + 7) / 8)) <= Slots::kMostWords);
  if (hooks.enter == nullptr || hooks.Pass()) return hip(arguments...);
  Slots slots;
  if constexpr (sizeof...(P) == 0) slots.Add(Word{0});  // the array must not be empty
  (slots.Add(arguments), ...);
  void* const entered = hooks.enter(place, slots.data());
  if (entered == nullptr) return hip(arguments...);
  if constexpr (std::is_void_v<R>) {
    hip(arguments...);
    hooks.exit(entered, slots.data(), 0, false);
  } else {
    const R result = hip(arguments...);
    constexpr bool kIsError = std::is_same_v<R, Error>;
    hooks.exit(entered, slots.data(), kIsError ? static_cast<int32_t>(result) : 0, kIsError);
    return result;
  }
}

}  // namespace rtl::capture::hip_function
