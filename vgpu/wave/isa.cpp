// SPDX-License-Identifier: MIT
#include "vgpu/wave/isa.h"

#include <cstring>

#include "spec/isa/gfx940_opcodes.h"
#include "vgpu/config/gpu_model.h"
#include "vgpu/wave/gfx90a.h"
#include "vgpu/wave/gfx942.h"

namespace vgpu {
namespace {

namespace isa9 = ::isa::gfx9;
namespace isa90a = ::isa::gfx90a;
namespace isa942 = ::isa::gfx940;

constexpr NameTables kGfx9Names = {isa9::kSop2Names, isa9::kSopkNames,  isa9::kSop1Names,
                                   isa9::kSopcNames, isa9::kSoppNames,  isa9::kSmemNames,
                                   isa9::kVNames,    isa9::kVop3pNames, isa9::kDsNames,
                                   isa9::kFlatNames, isa9::kMubufNames};
using Names = NameTables::value_type;

constexpr NameTables VectorAndMemoryNames(Names vector, Names packed, Names ds, Names flat,
                                          Names mubuf) {
  return {{{}, {}, {}, {}, {}, {}, vector, packed, ds, flat, mubuf}};
}
constexpr NameTables kGfx90aNames =
    VectorAndMemoryNames(isa90a::kVNames, isa90a::kVop3pNames, isa90a::kDsNames, isa90a::kFlatNames,
                         isa90a::kMubufNames);
constexpr NameTables kGfx942Names =
    VectorAndMemoryNames(isa942::kVNames, isa942::kVop3pNames, isa942::kDsNames, isa942::kFlatNames,
                         isa942::kMubufNames);

const char* NameIn(const NameTables& tables, Format format, uint16_t opcode) {
  const auto& names = tables[static_cast<size_t>(format)];
  return opcode < names.size() ? names[opcode] : nullptr;
}

constexpr Isa kGfx9 = {.names = &kGfx9Names};

// CDNA2
constexpr Isa kGfx90a = {
    .extends = &kGfx9,
    .replaces = ReplacesOnGfx90a,
    .find = FindGfx90a,
    .names = &kGfx90aNames,
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
    .names = &kGfx942Names,
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
  int first_gfx;  // the row is for targets from here to the next row
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

bool HasOtherName(const Isa& isa, Format format, uint16_t opcode) {
  const char* const name = NameIn(*isa.names, format, opcode);
  const char* const before = NameIn(*isa.extends->names, format, opcode);
  if (name == nullptr || before == nullptr) return name != before;
  return std::strcmp(name, before) != 0;
}

const char* NameOf(const Isa& isa, Format format, uint16_t opcode) {
  if (const char* const name = NameIn(*isa.names, format, opcode)) return name;
  const Isa* const base = isa.extends;
  if (base == nullptr) return nullptr;
  // The lists of an extension are complete, except for formats without a list of their own.
  if (base->extends != nullptr && NameIn(*base->names, format, opcode) != nullptr) return nullptr;
  return NameOf(*base, format, opcode);
}

}  // namespace vgpu
