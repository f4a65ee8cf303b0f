// SPDX-License-Identifier: MIT
// Compares: the relations of each type, and the class test of floats.
#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

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

// A relation is the sum of the cases in which it holds. The opcodes of a type are in the order of
// these sums. Integers are never unordered.
constexpr int kLess = 1, kEqual = 2, kGreater = 4, kUnordered = 8;

// Half compares as float.
template <class T, int relation>
[[gnu::always_inline]] inline bool Holds(T a, T b) {
  const Working<T> x = a;
  const Working<T> y = b;
  if constexpr ((relation & kUnordered) != 0) return !Holds<T, relation ^ 15>(a, b);
  if constexpr (relation == (kLess | kEqual | kGreater)) {
    if constexpr (kIsFloat<T>) return !IsNan(a) & !IsNan(b);
    return true;
  }
  switch (relation) {
    case kLess:
      return x < y;
    case kEqual:
      return x == y;
    case kLess | kEqual:
      return x <= y;
    case kGreater:
      return x > y;
    case kLess | kGreater:
      return kIsFloat<T> ? (x < y) | (y < x) : x != y;
    case kGreater | kEqual:
      return x >= y;
    default:
      return false;
  }
}
static_assert(isa::V_v_cmp_lt_f32 == isa::V_v_cmp_f_f32 + kLess);
static_assert(isa::V_v_cmp_lg_f32 == isa::V_v_cmp_f_f32 + (kLess | kGreater));
static_assert(isa::V_v_cmp_nge_f32 == isa::V_v_cmp_f_f32 + (kUnordered | kLess));
static_assert(isa::V_v_cmp_tru_f32 == isa::V_v_cmp_f_f32 + 15);
static_assert(isa::V_v_cmp_gt_i32 == isa::V_v_cmp_f_i32 + kGreater);
static_assert(isa::V_v_cmp_t_i32 == isa::V_v_cmp_f_i32 + 7);

// The distance from an opcode that writes a mask to the opcode that writes EXEC as well.
constexpr uint16_t kToExec = isa::V_v_cmpx_f_f32 - isa::V_v_cmp_f_f32;
static_assert(isa::V_v_cmpx_f_f16 == isa::V_v_cmp_f_f16 + kToExec);
static_assert(isa::V_v_cmpx_t_u64 == isa::V_v_cmp_t_u64 + kToExec);

constexpr OpcodeHandler kClassHandlers[] = {
    {isa::V_v_cmp_class_f16, Compare<IsOfClass<Half>>},
    {isa::V_v_cmp_class_f32, Compare<IsOfClass<float>>},
    {isa::V_v_cmp_class_f64, Compare<IsOfClass<double>>},
    {isa::V_v_cmpx_class_f16, CompareExec<IsOfClass<Half>>},
    {isa::V_v_cmpx_class_f32, CompareExec<IsOfClass<float>>},
    {isa::V_v_cmpx_class_f64, CompareExec<IsOfClass<double>>},
};

template <class T, size_t... relation>
constexpr void AddRelations(uint16_t first, std::index_sequence<relation...>, OpcodeHandler** out) {
  const auto add = [&](size_t opcode, Handler handler) {
    *(*out)++ = {static_cast<uint16_t>(opcode), handler};
  };
  (add(first + relation, Compare<Holds<T, relation>>), ...);
  (add(first + kToExec + relation, CompareExec<Holds<T, relation>>), ...);
}

constexpr auto kHandlers = [] {
  std::array<OpcodeHandler, std::size(kClassHandlers) + 2 * (3 * 16 + 6 * 8)> table = {};
  OpcodeHandler* out = std::copy(std::begin(kClassHandlers), std::end(kClassHandlers), &table[0]);
  constexpr auto kOfFloats = std::make_index_sequence<16>();
  constexpr auto kOfIntegers = std::make_index_sequence<8>();
  AddRelations<Half>(isa::V_v_cmp_f_f16, kOfFloats, &out);
  AddRelations<float>(isa::V_v_cmp_f_f32, kOfFloats, &out);
  AddRelations<double>(isa::V_v_cmp_f_f64, kOfFloats, &out);
  AddRelations<I16>(isa::V_v_cmp_f_i16, kOfIntegers, &out);
  AddRelations<U16>(isa::V_v_cmp_f_u16, kOfIntegers, &out);
  AddRelations<I32>(isa::V_v_cmp_f_i32, kOfIntegers, &out);
  AddRelations<U32>(isa::V_v_cmp_f_u32, kOfIntegers, &out);
  AddRelations<I64>(isa::V_v_cmp_f_i64, kOfIntegers, &out);
  AddRelations<U64>(isa::V_v_cmp_f_u64, kOfIntegers, &out);
  return table;
}();

}  // namespace

std::span<const OpcodeHandler> CompareHandlers() { return kHandlers; }

}  // namespace vgpu::valu
