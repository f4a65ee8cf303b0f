// SPDX-License-Identifier: MIT
#include "vgpu/wave/handlers.h"

#include "vgpu/wave/isa.h"
#include "vgpu/wave/valu/valu.h"

namespace vgpu {

Handler FindHandler(Format format, Segment segment, uint16_t opcode) {
  for (const Isa* isa = &GetIsa(); isa->extends != nullptr; isa = isa->extends) {
    if (isa->replaces(format, opcode)) return isa->find(format, segment, opcode);
  }
  switch (format) {
    case Format::kSop2:
      return FindSop2(opcode);
    case Format::kSopk:
      return FindSopk(opcode);
    case Format::kSop1:
      return FindSop1(opcode);
    case Format::kSopc:
      return FindSopc(opcode);
    case Format::kSopp:
      return FindSopp(opcode);
    case Format::kVector:
      return FindVector(opcode);
    case Format::kVop3p:
      return FindVop3p(opcode);
    case Format::kSmem:
      return FindSmem(opcode);
    case Format::kDs:
      return FindDs(opcode);
    case Format::kFlat:
      return FindFlat(segment, opcode);
    case Format::kMubuf:
      return FindMubuf(opcode);
    case Format::kUnknown:
      break;
  }
  return nullptr;
}

}  // namespace vgpu
