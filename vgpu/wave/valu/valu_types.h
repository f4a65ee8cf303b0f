// SPDX-License-Identifier: MIT
// valu_types.h: the types by which a vector instruction's formula declares its operands and
// results.
//
// Every vector instruction is written as a function of one lane, for example
//     [](float a, float b) { return a + b; }
//     [](uint32_t a, uint32_t b, LaneBit carry_in) -> Flagged<uint32_t> { ... }
// Plain parameters are the source operands in order; their type decides how constants, modifiers,
// SDWA and denormals are treated. The markers below are parameters that are no source operand.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#include "vgpu/wave/wave.h"

namespace vgpu::valu {

using Half = _Float16;

using U16 = uint16_t;
using I16 = int16_t;
using U32 = uint32_t;
using I32 = int32_t;
using U64 = uint64_t;
using I64 = int64_t;

// The integer that holds a T.
template <class T>
using BitsOf =
    std::conditional_t<sizeof(T) == 8, U64, std::conditional_t<sizeof(T) == 4, U32, U16>>;

// One 32-bit or 64-bit value per lane.
struct alignas(64) LaneRow {
  uint32_t lane[kLanes];
};
struct alignas(64) LaneRow64 {
  uint64_t lane[kLanes];
};

// Fields of the MODE register.
constexpr uint32_t kModeRoundSingle = 0x3;       // 0 nearest even, 1 up, 2 down, 3 towards zero
constexpr uint32_t kModeRoundHalfDouble = 0xc;   // the same
constexpr uint32_t kModeDenormInSingle = 0x10;   // set: denormal sources are used as they are
constexpr uint32_t kModeDenormOutSingle = 0x20;  // set: denormal results are kept
constexpr uint32_t kModeDenormInHalfDouble = 0x40;
constexpr uint32_t kModeDenormOutHalfDouble = 0x80;
constexpr uint32_t kModeDx10Clamp = 0x100;    // clamp makes 0 of NaN
constexpr uint32_t kModeIeee = 0x200;         // output modifiers are ignored
constexpr uint32_t kModeFp16Ovfl = 0x800000;  // small floats that are too large become the largest

// Parameter: the old value of the destination register.
template <class T>
struct Destination {
  T value;
};

// Parameter: the literal dword of v_madmk and v_madak.
template <class T>
struct Literal {
  T value;
};

// Parameter: this lane's bit of the mask in src[2] (VCC in the short encodings).
struct LaneBit {
  bool set;
};

// Parameter: this lane's bit of VCC.
struct VccBit {
  bool set;
};

// Parameter: the lane's number.
struct LaneIndex {
  uint32_t value;
};

// Parameter: the clamp modifier, for integer instructions that saturate.
struct Saturate {
  bool on;
};

// Parameter: MODE's FP16_OVFL: a result that is too large becomes the largest one.
struct SmallOverflow {
  bool clamps;
};

// Parameter: the first bit of the destination's byte that op_sel names.
struct ByteSelect {
  uint32_t shift;
};

// Parameter: a float operand as bits: modifiers apply, denormals stay, signalling NaNs too.
// Result: bits that are final; no NaN is replaced in them.
template <class T>
struct Raw {
  BitsOf<T> bits;
};

// Result: goes to the half of the destination that op_sel selects; the other half is preserved.
template <class T>
struct HalfRegister {
  T value;
};

// Result: a value, and a bit for the scalar destination (carry-out, div_scale's flag).
template <class T>
struct Flagged {
  T value;
  bool flag;
};

// How a source operand is read: as an integer, as a float, or as the bits of a float, in three
// widths.
enum class SourceKind : uint8_t {
  kInt16,
  kInt32,
  kInt64,
  kHalf,
  kFloat,
  kDouble,
  kRawHalf,
  kRawFloat,
  kRawDouble,
};

constexpr bool Is64Bit(SourceKind kind) {
  return kind == SourceKind::kInt64 || kind == SourceKind::kDouble ||
         kind == SourceKind::kRawDouble;
}
constexpr bool Is16Bit(SourceKind kind) {
  return kind == SourceKind::kInt16 || kind == SourceKind::kHalf || kind == SourceKind::kRawHalf;
}
// Negation and absolute value apply.
constexpr bool HasModifiers(SourceKind kind) { return kind >= SourceKind::kHalf; }
// MODE decides about denormals.
constexpr bool MayFlush(SourceKind kind) {
  return kind >= SourceKind::kHalf && kind <= SourceKind::kDouble;
}

template <class T>
constexpr bool kIsFloat =
    std::is_same_v<T, Half> || std::is_same_v<T, float> || std::is_same_v<T, double>;
template <class T>
constexpr bool kIsRaw = false;
template <class T>
constexpr bool kIsRaw<Raw<T>> = true;

// How a formula's parameter is read.
template <class T>
constexpr SourceKind kKindOf = static_cast<SourceKind>(std::bit_width(sizeof(T)) - 2 +
                                                       (kIsRaw<T>     ? 6
                                                        : kIsFloat<T> ? 3
                                                                      : 0));

template <class T>
[[gnu::always_inline]] inline BitsOf<T> ToBits(T value) {
  return std::bit_cast<BitsOf<T>>(value);
}
template <class T>
[[gnu::always_inline]] inline T FromBits(BitsOf<T> bits) {
  return std::bit_cast<T>(bits);
}

// The layout of Half, float and double, for formulas that work on bits.
template <class T>
struct FloatLayout {
  static constexpr int kFraction = sizeof(T) == 8 ? 52 : sizeof(T) == 4 ? 23 : 10;
  static constexpr BitsOf<T> kSign = BitsOf<T>{1} << (8 * sizeof(T) - 1);
  static constexpr BitsOf<T> kQuiet = BitsOf<T>{1} << (kFraction - 1);
  static constexpr BitsOf<T> kExponent = static_cast<BitsOf<T>>(~kSign) >> kFraction << kFraction;
};

template <class T>
[[gnu::always_inline]] inline bool BitsAreNan(BitsOf<T> bits) {
  using Layout = FloatLayout<T>;
  return static_cast<BitsOf<T>>(bits & ~Layout::kSign) > Layout::kExponent;
}
template <class T>
[[gnu::always_inline]] inline bool BitsAreSignallingNan(BitsOf<T> bits) {
  return BitsAreNan<T>(bits) && (bits & FloatLayout<T>::kQuiet) == 0;
}
// A denormal becomes a zero of the same sign; everything else stays.
template <class T>
[[gnu::always_inline]] inline BitsOf<T> FlushBits(BitsOf<T> bits) {
  using Layout = FloatLayout<T>;
  return (bits & Layout::kExponent) != 0 ? bits : static_cast<BitsOf<T>>(bits & Layout::kSign);
}

}  // namespace vgpu::valu
