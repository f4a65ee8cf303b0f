// SPDX-License-Identifier: MIT
#include "vgpu/wave/isa.h"

#include "spec/isa/gfx9_opcodes.h"
#include "vgpu/config/gpu_model.h"
#include "vgpu/wave/gfx90a.h"
#include "vgpu/wave/gfx942.h"

namespace vgpu {
namespace {

const char* Gfx9Name(Format format, uint16_t opcode) {
  namespace isa = ::isa::gfx9;
  switch (format) {
    case Format::kSop2:
      return ::isa::NameIn(isa::kSop2Names, opcode);
    case Format::kSopk:
      return ::isa::NameIn(isa::kSopkNames, opcode);
    case Format::kSop1:
      return ::isa::NameIn(isa::kSop1Names, opcode);
    case Format::kSopc:
      return ::isa::NameIn(isa::kSopcNames, opcode);
    case Format::kSopp:
      return ::isa::NameIn(isa::kSoppNames, opcode);
    case Format::kSmem:
      return ::isa::NameIn(isa::kSmemNames, opcode);
    case Format::kVector:
      return ::isa::NameIn(isa::kVNames, opcode);
    case Format::kVop3p:
      return ::isa::NameIn(isa::kVop3pNames, opcode);
    case Format::kDs:
      return ::isa::NameIn(isa::kDsNames, opcode);
    case Format::kFlat:
      return ::isa::NameIn(isa::kFlatNames, opcode);
    case Format::kMubuf:
      return ::isa::NameIn(isa::kMubufNames, opcode);
    case Format::kUnknown:
      break;
  }
  return nullptr;
}

constexpr Isa kGfx9 = {.name_of = Gfx9Name};

// CDNA2
constexpr Isa kGfx90a = {
    .extends = &kGfx9,
    .replaces = ReplacesOnGfx90a,
    .find = FindGfx90a,
    .name_of = Gfx90aName,
    .finish = FinishGfx90a,
    .has_accumulators = true,
    .has_row_newbcast = true,
    .has_memory_float_adds = true,
    .has_lds_double_adds = true,
    .quads_of_double = 1,
};

// CDNA3
constexpr Isa kGfx942 = {
    .extends = &kGfx90a,
    .replaces = ReplacesOnGfx942,
    .find = FindGfx942,
    .name_of = Gfx942Name,
    .finish = FinishGfx942,
    .has_accumulators = true,
    .has_row_newbcast = true,
    .has_memory_float_adds = true,
    .has_flat_float_adds = true,
    .has_lds_double_adds = true,
    .has_lds_packed_adds = true,
    .sets_flat_scratch_up = true,
    .scratch_says_vaddr = true,
    .blgp_negates_doubles = true,
    .has_xcc_id = true,
    .counts_flat_as_lds = false,
    .quads_of_double = 1,
};

struct Row {
  int first_gfx;  // up to the next row
  const Isa* isa;
};
constexpr Row kRows[kIsaCount] = {{0x900, &kGfx9}, {0x90a, &kGfx90a}, {0x942, &kGfx942}};

}  // namespace

const Isa& IsaAt(size_t number) { return *kRows[number].isa; }

size_t NumberOf(const Isa& isa) {
  size_t number = 0;
  while (kRows[number].isa != &isa) ++number;
  return number;
}

const Isa& FindIsa(int gfx) {
  size_t number = kIsaCount - 1;
  while (number != 0 && kRows[number].first_gfx > gfx) --number;
  return IsaAt(number);
}

namespace isa_detail {

std::atomic<const Isa*> forced{nullptr};

const Isa& Configured() {
  static const Isa& isa = FindIsa(GetGpuModel().gfx);
  return isa;
}

}  // namespace isa_detail

ScopedIsa::ScopedIsa(int gfx)
    : before_(isa_detail::forced.exchange(&FindIsa(gfx), std::memory_order_relaxed)) {}
ScopedIsa::~ScopedIsa() { isa_detail::forced.store(before_, std::memory_order_relaxed); }

bool IsReplaced(const Isa& isa, Format format, uint16_t opcode) {
  return isa.extends != nullptr &&
         (isa.replaces(format, opcode) || IsReplaced(*isa.extends, format, opcode));
}

const char* NameOf(const Isa& isa, Format format, uint16_t opcode) {
  if (const char* const name = isa.name_of(format, opcode); name != nullptr) return name;
  const Isa* const base = isa.extends;
  if (base == nullptr) return nullptr;
  // The lists of an extension are whole, but for formats that it does not have.
  if (base->extends != nullptr && base->name_of(format, opcode) != nullptr) return nullptr;
  return NameOf(*base, format, opcode);
}

}  // namespace vgpu
