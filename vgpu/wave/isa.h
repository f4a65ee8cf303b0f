// SPDX-License-Identifier: MIT
// isa.h: what the waves of each target can do, one row per instruction set (isa.cpp). A target
// extends another: its row has the instructions that it adds or replaces, and every feature.
//
//   features     what differs outside of the tables of opcodes
//   replaces     whether an opcode means something else than in the row that this one extends
//   find         the handler of such an opcode
//   names        mnemonics, for formats in which any differ
//   finish       fields of instructions that the extended row does not have
//
// Threads    any
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "vgpu/wave/instruction.h"

namespace vgpu {

// A list for each Format, in the order of Format: mnemonics by opcode, nullptr where there is no
// instruction. If the list is empty, the target has the mnemonics of what it extends.
using NameTables = std::array<std::span<const char* const>, 12>;

struct Isa {
  const Isa* extends = nullptr;
  bool (*replaces)(Format format, uint16_t opcode) = nullptr;
  Handler (*find)(Format format, Segment segment, uint16_t opcode) = nullptr;
  const NameTables* names = nullptr;
  void (*finish)(Instruction* instruction) = nullptr;

  bool has_accumulators = false;       // a0 to a255; work-item ids are packed into v0
  bool has_row_newbcast = false;       // DPP: one lane of each row for the whole row
  bool has_memory_float_adds = false;  // atomics of FLAT and MUBUF on float32, float64, halves
  bool has_flat_float_adds = false;    // on 32 bits also with flat addresses; bfloat16
  bool has_lds_double_adds = false;    // DS
  bool has_lds_packed_adds = false;    // DS
  bool sets_flat_scratch_up = false;   // the hardware does, not the code of the kernel
  bool scratch_says_vaddr = false;     // a bit says whether the address includes a VGPR
  bool blgp_negates_doubles = false;   // in products of matrices
  bool has_xcc_id = false;             // the hardware register
  bool counts_flat_as_lds = true;      // in SQ_INSTS_LDS and the cycles of LDS
  uint8_t quads_of_double = 2;         // of four cycles each, for an addition or product
};

inline constexpr size_t kIsaCount = 3;

// Rows have the numbers from 0 to kIsaCount - 1.
const Isa& IsaAt(size_t number);
size_t NumberOf(const Isa& isa);
// The row of a target (GpuModel::gfx).
const Isa& FindIsa(int gfx);

namespace isa_detail {
extern std::atomic<const Isa*> forced;
const Isa& Configured();
}  // namespace isa_detail

// The ISA that waves run: that of the GPU model, or of a ScopedIsa.
inline const Isa& GetIsa() {
  const Isa* const forced = isa_detail::forced.load(std::memory_order_relaxed);
  return forced != nullptr ? *forced : isa_detail::Configured();
}

// While a ScopedIsa lives, waves run code of its target. No other thread may run waves.
class ScopedIsa {
 public:
  explicit ScopedIsa(int gfx);
  ~ScopedIsa();
  ScopedIsa(const ScopedIsa&) = delete;
  ScopedIsa& operator=(const ScopedIsa&) = delete;

 private:
  const Isa* before_;
};

// Whether the opcode was added, or means something else than on gfx906.
bool IsReplaced(const Isa& isa, Format format, uint16_t opcode);
// Whether the opcode's mnemonic, or the lack of one, differs from that of what the target extends.
bool HasOtherName(const Isa& isa, Format format, uint16_t opcode);
// The mnemonic; nullptr: there is no such instruction.
const char* NameOf(const Isa& isa, Format format, uint16_t opcode);

}  // namespace vgpu
