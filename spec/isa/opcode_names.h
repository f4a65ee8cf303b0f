// SPDX-License-Identifier: MIT
// opcode_names.h: tables of mnemonics, indexed by opcode; nullptr: no instruction.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace isa {

template <size_t kCount>
using Names = std::array<const char*, kCount>;

struct ChangedName {
  uint16_t opcode;
  const char* name;
};

template <size_t kCount>
constexpr Names<kCount> Changed(Names<kCount> names, std::initializer_list<ChangedName> changes) {
  for (const ChangedName& change : changes) names[change.opcode] = change.name;
  return names;
}

// Null: no instruction.
template <size_t kCount>
constexpr const char* NameIn(const Names<kCount>& names, uint16_t opcode) {
  return opcode < kCount ? names[opcode] : nullptr;
}

}  // namespace isa
