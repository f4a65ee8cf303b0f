// SPDX-License-Identifier: MIT
#include "vgpu/wave/handlers.h"

#include "vgpu/wave/gfx90a.h"
#include "vgpu/wave/gfx942.h"
#include "vgpu/wave/valu/valu.h"

namespace vgpu {

Handler FindHandler(Format format, Segment segment, uint16_t opcode) {
  if (RunsGfx942()) {
    if (DiffersOnGfx942(format, opcode)) return FindGfx942(format, segment, opcode);
    if (format == Format::kVop3p) {
      if (const Handler handler = FindMatrix942(opcode); handler != nullptr) return handler;
    }
  }
  if (RunsGfx90a()) {
    if (const Handler handler = FindGfx90a(format, opcode); handler != nullptr) return handler;
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
