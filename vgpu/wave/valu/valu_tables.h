// SPDX-License-Identifier: MIT
// valu_tables.h: the vector opcodes that each valu_*.cpp implements.
#pragma once

#include <span>

#include "vgpu/wave/handlers.h"

namespace vgpu::valu {

std::span<const OpcodeHandler> Float32Handlers();
std::span<const OpcodeHandler> Float64Handlers();
std::span<const OpcodeHandler> Float16Handlers();
std::span<const OpcodeHandler> DivisionHandlers();
std::span<const OpcodeHandler> IntegerHandlers();
std::span<const OpcodeHandler> Integer16Handlers();
std::span<const OpcodeHandler> BitHandlers();
std::span<const OpcodeHandler> ConvertHandlers();
std::span<const OpcodeHandler> CompareHandlers();
std::span<const OpcodeHandler> LaneHandlers();
std::span<const OpcodeHandler> MediaHandlers();
std::span<const OpcodeHandler> PackedHandlers();        // Format::kVop3p
std::span<const OpcodeHandler> AccumulatingHandlers();  // gfx90a only

}  // namespace vgpu::valu
