// SPDX-License-Identifier: MIT
// valu_loops.h: runs a formula on all 64 lanes, and decides which NaN a result is.
//
// The loops exist twice, for any x86-64 and for AVX2 with FMA; g_wide_lanes says which is used.
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

#include "vgpu/wave/valu/valu_inputs.h"
#include "vgpu/wave/valu/valu_types.h"

#define VGPU_WIDE_LANES [[gnu::target("avx2,fma,f16c,bmi,bmi2,lzcnt,popcnt")]]

namespace vgpu::valu {

// Whether the host has AVX2, FMA, F16C and the bit instructions. Tests switch it off to check that
// both variants of every loop agree.
extern bool g_wide_lanes;

// ---- The result types of formulas

template <class R>
struct ResultTraits {
  using Value = R;
  static constexpr bool kHasFlag = std::is_same_v<R, bool>;
  static constexpr bool kToHalf = false;
  static R ValueOf(R result) { return result; }
  static bool FlagOf(R result) { return result != R{}; }
};
template <class T>
struct ResultTraits<HalfRegister<T>> {
  using Value = T;
  static constexpr bool kHasFlag = false;
  static constexpr bool kToHalf = true;
  static T ValueOf(HalfRegister<T> result) { return result.value; }
  static bool FlagOf(HalfRegister<T>) { return false; }
};
template <class T>
struct ResultTraits<Flagged<T>> {
  using Value = T;
  static constexpr bool kHasFlag = true;
  static constexpr bool kToHalf = false;
  static T ValueOf(Flagged<T> result) { return result.value; }
  static bool FlagOf(Flagged<T> result) { return result.flag; }
};

// The float type whose output modifiers apply to a result, or void.
template <class T>
struct OutputFloat {
  using Type = std::conditional_t<kIsFloat<T>, T, void>;
};
template <class T>
struct OutputFloat<Raw<T>> {
  using Type = T;
};

// ---- The loops

template <class R>
using OutRow = std::conditional_t<sizeof(typename ResultTraits<R>::Value) == 8, LaneRow64, LaneRow>;

template <class P>
using InputPointer = decltype(std::declval<Input<P>>().pointer());

// Stores one lane. True if the result is a NaN. A bool is a compare's answer: a flag and no value.
template <class R>
[[gnu::always_inline]] inline bool PutLane(R result, int lane, OutRow<R>* out, LaneRow* flags) {
  using Traits = ResultTraits<R>;
  using Value = typename Traits::Value;
  if constexpr (Traits::kHasFlag) flags->lane[lane] = Traits::FlagOf(result) ? 1 : 0;
  if constexpr (!std::is_same_v<Value, bool>) {
    const Value value = Traits::ValueOf(result);
    out->lane[lane] = ToBits(value);
    if constexpr (std::is_same_v<Value, Half>) return BitsAreNan<Half>(ToBits(value));
    if constexpr (kIsFloat<Value>) return value != value;
  }
  return false;
}

template <auto formula, class R, class... P>
[[gnu::always_inline]] inline bool AllLanes(OutRow<R>* out, LaneRow* flags, InputPointer<P>... in) {
  uint32_t any_nan = 0;
#pragma GCC ivdep
  for (int lane = 0; lane < kLanes; ++lane) {
    any_nan |= PutLane<R>(formula(Input<P>::Read(in, lane)...), lane, out, flags) ? 1u : 0u;
  }
  return any_nan != 0;
}

template <auto formula, class R, class... P>
VGPU_WIDE_LANES [[gnu::flatten, gnu::noinline]] bool AllLanesWide(OutRow<R>* out, LaneRow* flags,
                                                                  InputPointer<P>... in) {
  return AllLanes<formula, R, P...>(out, flags, in...);
}

template <auto formula, class R, class... P>
[[gnu::flatten, gnu::noinline]] bool AllLanesBase(OutRow<R>* out, LaneRow* flags,
                                                  InputPointer<P>... in) {
  return AllLanes<formula, R, P...>(out, flags, in...);
}

// ---- NaN results

template <class T, class P>
void PickNan(P source, BitsOf<T>* result, bool* found, bool* foreign) {
  if constexpr (std::is_same_v<P, Destination<T>>) {
    PickNan<T>(source.value, result, found, foreign);
  } else if constexpr (std::is_same_v<P, Literal<T>>) {
    PickNan<T>(source.value, result, found, foreign);
  } else if constexpr (std::is_same_v<P, T>) {
    if (*found || !BitsAreNan<T>(ToBits(source))) return;
    *found = true;
    *result = ToBits(source) | FloatLayout<T>::kQuiet;
  } else if constexpr (kIsFloat<P>) {
    *foreign = *foreign || BitsAreNan<P>(ToBits(source));
  }
}

// Makes the NaNs of the hardware: the first NaN among the sources, made quiet; where no source is a
// NaN, the positive NaN. (The host chooses by its own operand order, and makes negative NaNs.) A
// NaN converted from another width stays as the conversion made it.
template <class T, class... P>
[[gnu::cold, gnu::noinline]] void FixNans(OutRow<T>* out, InputPointer<P>... in) {
  for (int lane = 0; lane < kLanes; ++lane) {
    if (!BitsAreNan<T>(static_cast<BitsOf<T>>(out->lane[lane]))) continue;
    BitsOf<T> bits = FloatLayout<T>::kExponent | FloatLayout<T>::kQuiet;
    bool found = false;
    bool foreign = false;
    (PickNan<T, P>(Input<P>::Read(in, lane), &bits, &found, &foreign), ...);
    if (found || !foreign) out->lane[lane] = bits;
  }
}

}  // namespace vgpu::valu
