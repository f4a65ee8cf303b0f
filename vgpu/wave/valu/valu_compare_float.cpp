// SPDX-License-Identifier: MIT
// Compares of floats: sixteen relations (the second eight are true for unordered operands), and the
// class test.
#include <algorithm>
#include <array>
#include <iterator>

#include "vgpu/wave/valu/valu_map.h"
#include "vgpu/wave/valu/valu_math.h"
#include "vgpu/wave/valu/valu_tables.h"

namespace vgpu::valu {
namespace {

enum ClassBit : uint32_t {
  kSignallingNan = 1 << 0,
  kQuietNan = 1 << 1,
  kNegativeInfinity = 1 << 2,
  kNegativeNormal = 1 << 3,
  kNegativeDenormal = 1 << 4,
  kNegativeZero = 1 << 5,
  kPositiveZero = 1 << 6,
  kPositiveDenormal = 1 << 7,
  kPositiveNormal = 1 << 8,
  kPositiveInfinity = 1 << 9,
};

template <class T>
[[gnu::always_inline]] inline uint32_t ClassOf(BitsOf<T> bits) {
  using Layout = FloatLayout<T>;
  const auto magnitude = static_cast<BitsOf<T>>(bits & ~Layout::kSign);
  const bool negative = (bits & Layout::kSign) != 0;
  if (magnitude > Layout::kExponent) {
    return (bits & Layout::kQuiet) != 0 ? kQuietNan : kSignallingNan;
  }
  if (magnitude == Layout::kExponent) return negative ? kNegativeInfinity : kPositiveInfinity;
  if (magnitude == 0) return negative ? kNegativeZero : kPositiveZero;
  if ((bits & Layout::kExponent) == 0) return negative ? kNegativeDenormal : kPositiveDenormal;
  return negative ? kNegativeNormal : kPositiveNormal;
}
template <class T>
[[gnu::always_inline]] inline bool IsOfClass(Raw<T> value, uint32_t classes) {
  return (ClassOf<T>(value.bits) & classes) != 0;
}

// The relations; Half compares as float.
template <class T>
[[gnu::always_inline]] inline bool Never(T, T) {
  return false;
}
template <class T>
[[gnu::always_inline]] inline bool Always(T, T) {
  return true;
}
template <class T>
[[gnu::always_inline]] inline bool Less(T a, T b) {
  const Working<T> x = a;
  const Working<T> y = b;
  return x < y;
}
template <class T>
[[gnu::always_inline]] inline bool Equal(T a, T b) {
  const Working<T> x = a;
  const Working<T> y = b;
  return x == y;
}
template <class T>
[[gnu::always_inline]] inline bool LessOrEqual(T a, T b) {
  const Working<T> x = a;
  const Working<T> y = b;
  return x <= y;
}
template <class T>
[[gnu::always_inline]] inline bool Greater(T a, T b) {
  return Less(b, a);
}
template <class T>
[[gnu::always_inline]] inline bool LessOrGreater(T a, T b) {
  return Less(a, b) | Less(b, a);
}
template <class T>
[[gnu::always_inline]] inline bool GreaterOrEqual(T a, T b) {
  return LessOrEqual(b, a);
}
template <class T>
[[gnu::always_inline]] inline bool Ordered(T a, T b) {
  return !IsNan(a) & !IsNan(b);
}
template <class T, auto relation>
[[gnu::always_inline]] inline bool Not(T a, T b) {
  return !relation(a, b);
}

constexpr size_t kRelations = 16;

// In the order of the opcodes.
template <class T>
struct Relations {
  static constexpr Handler kToMask[kRelations] = {
      Compare<Never<T>>,
      Compare<Less<T>>,
      Compare<Equal<T>>,
      Compare<LessOrEqual<T>>,
      Compare<Greater<T>>,
      Compare<LessOrGreater<T>>,
      Compare<GreaterOrEqual<T>>,
      Compare<Ordered<T>>,
      Compare<Not<T, Ordered<T>>>,
      Compare<Not<T, GreaterOrEqual<T>>>,
      Compare<Not<T, LessOrGreater<T>>>,
      Compare<Not<T, Greater<T>>>,
      Compare<Not<T, LessOrEqual<T>>>,
      Compare<Not<T, Equal<T>>>,
      Compare<Not<T, Less<T>>>,
      Compare<Always<T>>,
  };
  static constexpr Handler kToExec[kRelations] = {
      CompareExec<Never<T>>,
      CompareExec<Less<T>>,
      CompareExec<Equal<T>>,
      CompareExec<LessOrEqual<T>>,
      CompareExec<Greater<T>>,
      CompareExec<LessOrGreater<T>>,
      CompareExec<GreaterOrEqual<T>>,
      CompareExec<Ordered<T>>,
      CompareExec<Not<T, Ordered<T>>>,
      CompareExec<Not<T, GreaterOrEqual<T>>>,
      CompareExec<Not<T, LessOrGreater<T>>>,
      CompareExec<Not<T, Greater<T>>>,
      CompareExec<Not<T, LessOrEqual<T>>>,
      CompareExec<Not<T, Equal<T>>>,
      CompareExec<Not<T, Less<T>>>,
      CompareExec<Always<T>>,
  };
};
static_assert(isa::V_v_cmp_lt_f32 == isa::V_v_cmp_f_f32 + 1);
static_assert(isa::V_v_cmp_lg_f32 == isa::V_v_cmp_f_f32 + 5);
static_assert(isa::V_v_cmp_o_f32 == isa::V_v_cmp_f_f32 + 7);
static_assert(isa::V_v_cmp_nge_f32 == isa::V_v_cmp_f_f32 + 9);
static_assert(isa::V_v_cmp_tru_f32 == isa::V_v_cmp_f_f32 + 15);

constexpr OpcodeHandler kClassHandlers[] = {
    {isa::V_v_cmp_class_f16, Compare<IsOfClass<Half>>},
    {isa::V_v_cmp_class_f32, Compare<IsOfClass<float>>},
    {isa::V_v_cmp_class_f64, Compare<IsOfClass<double>>},
    {isa::V_v_cmpx_class_f16, CompareExec<IsOfClass<Half>>},
    {isa::V_v_cmpx_class_f32, CompareExec<IsOfClass<float>>},
    {isa::V_v_cmpx_class_f64, CompareExec<IsOfClass<double>>},
};

using Table = std::array<OpcodeHandler, std::size(kClassHandlers) + 6 * kRelations>;

constexpr Table MakeHandlers() {
  Table table = {};
  OpcodeHandler* out = std::copy(std::begin(kClassHandlers), std::end(kClassHandlers), &table[0]);
  const auto add = [&](uint16_t first_opcode, const Handler(&handlers)[kRelations]) {
    for (uint16_t i = 0; i < kRelations; ++i) {
      *out++ = {static_cast<uint16_t>(first_opcode + i), handlers[i]};
    }
  };
  add(isa::V_v_cmp_f_f16, Relations<Half>::kToMask);
  add(isa::V_v_cmpx_f_f16, Relations<Half>::kToExec);
  add(isa::V_v_cmp_f_f32, Relations<float>::kToMask);
  add(isa::V_v_cmpx_f_f32, Relations<float>::kToExec);
  add(isa::V_v_cmp_f_f64, Relations<double>::kToMask);
  add(isa::V_v_cmpx_f_f64, Relations<double>::kToExec);
  return table;
}

constexpr Table kHandlers = MakeHandlers();

}  // namespace

std::span<const OpcodeHandler> CompareFloatHandlers() { return kHandlers; }

}  // namespace vgpu::valu
