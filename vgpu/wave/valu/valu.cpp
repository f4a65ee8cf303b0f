// SPDX-License-Identifier: MIT
// The tables of the vector ALU.
//
// Lanes that EXEC (or a DPP mask) disables keep their destination untouched. GPR index mode is
// resolved by the caller: register numbers arrive final.
//
// Floats     Rounding and denormals follow MODE, per width; output modifiers and clamp as MODE.IEEE
//            and MODE.DX10_CLAMP say. Minimum and maximum treat NaNs as with MODE.IEEE set.
// Accuracy   arithmetic, rcp and sqrt are correctly rounded, the other functions within 1 ulp; the
//            hardware's may be off by more (valu_float*.cpp)
// Left out   cube map, interpolation, exp_legacy, log_legacy, screen_partition: a fault by name
#include <initializer_list>

#include "vgpu/wave/valu/valu_loops.h"
#include "vgpu/wave/valu/valu_tables.h"

namespace vgpu {
namespace valu {
namespace {

bool HostHasWideLanes() {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
         __builtin_cpu_supports("f16c") && __builtin_cpu_supports("bmi") &&
         __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("lzcnt") &&
         __builtin_cpu_supports("popcnt");
}

template <size_t kCount>
HandlerTable<kCount> Collect(std::initializer_list<std::span<const OpcodeHandler>> parts) {
  HandlerTable<kCount> table = {};
  for (const auto& handlers : parts) {
    for (const OpcodeHandler& entry : handlers) table[entry.opcode] = entry.handler;
  }
  return table;
}

// Filled when the library is loaded, before any wave can run.
const auto g_vector_table = Collect<std::size(isa::kVNames)>(
    {Float32Handlers(), Float64Handlers(), Float16Handlers(), DivisionHandlers(), IntegerHandlers(),
     Integer16Handlers(), BitHandlers(), ConvertHandlers(), CompareHandlers(), LaneHandlers(),
     MediaHandlers()});
const auto g_vop3p_table = Collect<std::size(isa::kVop3pNames)>({PackedHandlers()});

}  // namespace

bool g_wide_lanes = HostHasWideLanes();

}  // namespace valu

Handler FindVector(uint16_t opcode) { return Find(valu::g_vector_table, opcode); }
Handler FindVop3p(uint16_t opcode) { return Find(valu::g_vop3p_table, opcode); }

}  // namespace vgpu
