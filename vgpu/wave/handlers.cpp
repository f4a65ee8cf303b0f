// SPDX-License-Identifier: MIT
#include "vgpu/wave/handlers.h"

#include "vgpu/wave/isa.h"

namespace vgpu {

Handler FindHandler(Format format, Segment segment, uint16_t opcode) {
  for (const Isa* isa = &GetIsa(); isa->extends != nullptr; isa = isa->extends) {
    if (isa->replaces(format, opcode)) return isa->find(format, segment, opcode);
  }
  if (format == Format::kFlat) return FindFlat(segment, opcode);
  // In the order of Format.
  static constexpr Handler (*kFind[])(uint16_t) = {FindSop2, FindSopk, FindSop1,   FindSopc,
                                                   FindSopp, FindSmem, FindVector, FindVop3p,
                                                   FindDs,   nullptr,  FindMubuf};
  return format == Format::kUnknown ? nullptr : kFind[static_cast<size_t>(format)](opcode);
}

}  // namespace vgpu
