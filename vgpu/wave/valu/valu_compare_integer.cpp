// SPDX-License-Identifier: MIT
// Compares of integers: eight relations for each width and signedness.
#include <array>

#include "vgpu/wave/valu/valu_map.h"
#include "vgpu/wave/valu/valu_tables.h"

namespace vgpu::valu {
namespace {

template <class T>
[[gnu::always_inline]] inline bool Never(T, T) {
  return false;
}
template <class T>
[[gnu::always_inline]] inline bool Less(T a, T b) {
  return a < b;
}
template <class T>
[[gnu::always_inline]] inline bool Equal(T a, T b) {
  return a == b;
}
template <class T>
[[gnu::always_inline]] inline bool LessOrEqual(T a, T b) {
  return a <= b;
}
template <class T>
[[gnu::always_inline]] inline bool Greater(T a, T b) {
  return a > b;
}
template <class T>
[[gnu::always_inline]] inline bool NotEqual(T a, T b) {
  return a != b;
}
template <class T>
[[gnu::always_inline]] inline bool GreaterOrEqual(T a, T b) {
  return a >= b;
}
template <class T>
[[gnu::always_inline]] inline bool Always(T, T) {
  return true;
}

constexpr size_t kRelations = 8;

// In the order of the opcodes.
template <class T>
struct Relations {
  static constexpr Handler kToMask[kRelations] = {
      Compare<Never<T>>,          Compare<Less<T>>,    Compare<Equal<T>>,
      Compare<LessOrEqual<T>>,    Compare<Greater<T>>, Compare<NotEqual<T>>,
      Compare<GreaterOrEqual<T>>, Compare<Always<T>>,
  };
  static constexpr Handler kToExec[kRelations] = {
      CompareExec<Never<T>>,          CompareExec<Less<T>>,    CompareExec<Equal<T>>,
      CompareExec<LessOrEqual<T>>,    CompareExec<Greater<T>>, CompareExec<NotEqual<T>>,
      CompareExec<GreaterOrEqual<T>>, CompareExec<Always<T>>,
  };
};
static_assert(isa::V_v_cmp_lt_i32 == isa::V_v_cmp_f_i32 + 1);
static_assert(isa::V_v_cmp_gt_i32 == isa::V_v_cmp_f_i32 + 4);
static_assert(isa::V_v_cmp_t_i32 == isa::V_v_cmp_f_i32 + 7);

using Table = std::array<OpcodeHandler, 12 * kRelations>;

constexpr Table MakeHandlers() {
  Table table = {};
  OpcodeHandler* out = &table[0];
  const auto add = [&](uint16_t first_opcode, const Handler(&handlers)[kRelations]) {
    for (uint16_t i = 0; i < kRelations; ++i) {
      *out++ = {static_cast<uint16_t>(first_opcode + i), handlers[i]};
    }
  };
  add(isa::V_v_cmp_f_i16, Relations<int16_t>::kToMask);
  add(isa::V_v_cmpx_f_i16, Relations<int16_t>::kToExec);
  add(isa::V_v_cmp_f_u16, Relations<uint16_t>::kToMask);
  add(isa::V_v_cmpx_f_u16, Relations<uint16_t>::kToExec);
  add(isa::V_v_cmp_f_i32, Relations<int32_t>::kToMask);
  add(isa::V_v_cmpx_f_i32, Relations<int32_t>::kToExec);
  add(isa::V_v_cmp_f_u32, Relations<uint32_t>::kToMask);
  add(isa::V_v_cmpx_f_u32, Relations<uint32_t>::kToExec);
  add(isa::V_v_cmp_f_i64, Relations<int64_t>::kToMask);
  add(isa::V_v_cmpx_f_i64, Relations<int64_t>::kToExec);
  add(isa::V_v_cmp_f_u64, Relations<uint64_t>::kToMask);
  add(isa::V_v_cmpx_f_u64, Relations<uint64_t>::kToExec);
  return table;
}

constexpr Table kHandlers = MakeHandlers();

}  // namespace

std::span<const OpcodeHandler> CompareIntegerHandlers() { return kHandlers; }

}  // namespace vgpu::valu
