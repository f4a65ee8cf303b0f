// SPDX-License-Identifier: MIT
#include "vgpu/wave/vector_types.h"

#include <array>
#include <initializer_list>

#include "spec/isa/gfx90a_opcodes.h"
#include "vgpu/wave/isa.h"

namespace vgpu {
namespace {

using Class = InstructionClass;

struct Words {
  Class f16, f32, f64;
  std::initializer_list<std::string_view> starts;
};

// The part of the mnemonic between "v_" or "v_pk_" and the type.
const Words kOperations[] = {
    {Class::kAddF16, Class::kAddF32, Class::kAddF64, {"add", "sub", "subrev"}},
    {Class::kMulF16, Class::kMulF32, Class::kMulF64, {"mul", "mul_legacy"}},
    {Class::kFmaF16,
     Class::kFmaF32,
     Class::kFmaF64,
     {"fma", "fmac", "mac", "mad", "fma_legacy", "mad_legacy", "mac_legacy", "fmac_legacy", "fmamk",
      "fmaak", "madmk", "madak"}},
    {Class::kTransF16,
     Class::kTransF32,
     Class::kTransF64,
     {"exp", "log", "rcp", "rcp_iflag", "rsq", "sqrt", "sin", "cos", "exp_legacy", "log_legacy"}},
};

bool Drop(std::string_view* text, std::string_view start) {
  if (!text->starts_with(start)) return false;
  text->remove_prefix(start.size());
  return true;
}

bool DropEnd(std::string_view* text, std::string_view end) {
  if (!text->ends_with(end)) return false;
  text->remove_suffix(end.size());
  return true;
}

// "v_mfma_f32_32x32x4f16": the type of what is multiplied stands last.
Class MatrixClassOf(std::string_view name) {
  if (name.ends_with("bf16") || name.ends_with("bf16_1k")) return Class::kMatrixBf16;
  if (name.ends_with("f16")) return Class::kMatrixF16;
  if (name.ends_with("f32")) return Class::kMatrixF32;
  if (name.ends_with("f64")) return Class::kMatrixF64;
  if (name.ends_with("fp8") || name.ends_with("bf8")) return Class::kMatrixF8;
  return name.ends_with("i8") ? Class::kMatrixI8 : Class::kVector;
}

// A class for each opcode of each ISA, by the number of the ISA and the opcode.
template <size_t kCount>
using Classes = std::array<std::array<Class, kCount>, kIsaCount>;

template <size_t kCount>
Classes<kCount> ClassesOf(Format format) {
  Classes<kCount> classes;
  for (size_t isa = 0; isa < kIsaCount; ++isa) {
    for (size_t i = 0; i < kCount; ++i) {
      const char* const name = NameOf(IsaAt(isa), format, static_cast<uint16_t>(i));
      classes[isa][i] = name == nullptr ? Class::kVector : VectorClassOf(std::string_view(name));
    }
  }
  return classes;
}

}  // namespace

InstructionClass VectorClassOf(std::string_view name) {
  if (name.starts_with("v_mfma_")) return MatrixClassOf(name);
  if (name.starts_with("v_cvt_")) return Class::kConvert;
  if (!Drop(&name, "v_")) return Class::kVector;
  (void)Drop(&name, "pk_");  // only packed instructions have it
  int type = 0;
  if (DropEnd(&name, "_f16")) {
    type = 1;
  } else if (DropEnd(&name, "_f32")) {
    type = 2;
  } else if (DropEnd(&name, "_f64")) {
    type = 3;
  }
  if (type == 0) return Class::kVector;
  for (const Words& words : kOperations) {
    for (const std::string_view start : words.starts) {
      if (name == start) return type == 1 ? words.f16 : type == 2 ? words.f32 : words.f64;
    }
  }
  return Class::kVector;
}

InstructionClass VectorClassOf(Format format, uint16_t opcode) {
  static const auto vector = ClassesOf<::isa::gfx90a::kVNames.size()>(Format::kVector);
  static const auto packed = ClassesOf<::isa::gfx90a::kVop3pNames.size()>(Format::kVop3p);
  const size_t isa = NumberOf(GetIsa());
  if (format == Format::kVop3p)
    return opcode < packed[isa].size() ? packed[isa][opcode] : Class::kVector;
  return opcode < vector[isa].size() ? vector[isa][opcode] : Class::kVector;
}

}  // namespace vgpu
