// SPDX-License-Identifier: MIT
#include "vgpu/wave/valu/valu.h"

#include "vgpu/wave/execution_context.h"
#include "vgpu/wave/valu/valu_map.h"
#include "vgpu/wave/valu/valu_tables.h"

namespace vgpu {
namespace valu {
namespace {

constexpr size_t kVectorOpcodes = std::size(isa::kVNames);
constexpr size_t kVop3pOpcodes = std::size(isa::kVop3pNames);

bool HostHasWideLanes() {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
         __builtin_cpu_supports("f16c") && __builtin_cpu_supports("bmi") &&
         __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("lzcnt") &&
         __builtin_cpu_supports("popcnt");
}

HandlerTable<kVectorOpcodes> MakeVectorTable() {
  HandlerTable<kVectorOpcodes> table = {};
  for (const auto& handlers :
       {Float32Handlers(), Float64Handlers(), Float16Handlers(), DivisionHandlers(),
        IntegerHandlers(), Integer16Handlers(), BitHandlers(), ConvertHandlers(),
        CompareFloatHandlers(), CompareIntegerHandlers(), LaneHandlers(), MediaHandlers()}) {
    for (const OpcodeHandler& entry : handlers) table[entry.opcode] = entry.handler;
  }
  return table;
}

HandlerTable<kVop3pOpcodes> MakeVop3pTable() {
  HandlerTable<kVop3pOpcodes> table = {};
  for (const OpcodeHandler& entry : PackedHandlers()) table[entry.opcode] = entry.handler;
  return table;
}

// Filled when the library is loaded, before any wave can run.
const HandlerTable<kVectorOpcodes> g_vector_table = MakeVectorTable();
const HandlerTable<kVop3pOpcodes> g_vop3p_table = MakeVop3pTable();

}  // namespace

bool g_wide_lanes = HostHasWideLanes();

}  // namespace valu

Handler FindVector(uint16_t opcode) { return Find(valu::g_vector_table, opcode); }
Handler FindVop3p(uint16_t opcode) { return Find(valu::g_vop3p_table, opcode); }

}  // namespace vgpu
