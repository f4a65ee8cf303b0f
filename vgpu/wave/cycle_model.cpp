// SPDX-License-Identifier: MIT
#include "vgpu/wave/cycle_model.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "spec/isa/gfx90a_opcodes.h"
#include "vgpu/config/gpu_model.h"
#include "vgpu/counters/hw_counters.h"
#include "vgpu/wave/execution_context.h"
#include "vgpu/wave/handlers.h"
#include "vgpu/wave/isa.h"
#include "vgpu/wave/memory/vector_memory.h"
#include "vgpu/wave/operands.h"
#include "vgpu/wave/wave.h"

namespace vgpu {
namespace {

// Quads that s_waitcnt waits for an outstanding instruction of each kind.
constexpr uint64_t kVectorMemoryWait = 100;
constexpr uint64_t kScalarMemoryWait = 50;
constexpr uint64_t kLdsWait = 16;

constexpr uint64_t kTranscendentalQuads = 4;
constexpr uint32_t kBanks = 32;  // each one dword wide

enum Outstanding : uint8_t { kVectorMemory = 1, kScalarMemory = 2, kLocalMemory = 4 };

// ---- Local memory

struct LdsShape {
  uint8_t dwords = 0;  // at each address; 0: not an access to local memory
  uint8_t addresses = 1;
  uint32_t stride = 1;  // unit of the two offsets, in elements
  bool atomic = false;
  bool returns = false;
  bool by_lane = false;  // each lane has its own dword
};

bool Contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

LdsShape ShapeOf(const char* opcode_name) {
  LdsShape shape;
  const std::string_view name = opcode_name == nullptr ? "" : opcode_name;
  for (const char* other :
       {"swizzle", "permute", "nop", "gws", "append", "consume", "ordered", "src2"})
    if (Contains(name, other)) return shape;
  if (name.empty()) return shape;
  shape.dwords = Contains(name, "b128")                          ? 4
                 : Contains(name, "b96")                         ? 3
                 : Contains(name, "64_") || name.ends_with("64") ? 2
                                                                 : 1;
  if (Contains(name, "st64_b32")) shape.dwords = 1;
  shape.addresses =
      Contains(name, "read2") || Contains(name, "write2") || Contains(name, "wrxchg2") ? 2 : 1;
  shape.stride = Contains(name, "st64") ? 64 : 1;
  shape.atomic = !Contains(name, "read") && !Contains(name, "write");
  shape.returns = Contains(name, "_rtn");
  shape.by_lane = Contains(name, "addtid");
  return shape;
}

const LdsShape& ShapeOf(uint16_t opcode) {
  static const auto shapes = [] {
    std::array<LdsShape, 256> made;
    for (size_t i = 0; i < made.size(); ++i)
      made[i] = ShapeOf(::isa::NameIn(::isa::gfx90a::kDsNames, static_cast<uint16_t>(i)));
    return made;
  }();
  return shapes[opcode & 0xff];
}

// Lanes whose dwords local memory handles in one cycle when no two of them want the same bank.
uint32_t LanesOfPass(uint32_t dwords) { return dwords == 1 ? 32 : dwords == 2 ? 16 : 8; }

struct PassCost {
  uint64_t bank = 0;
  uint64_t address = 0;
};

// The cycles that the lanes of `active` wait for each other: local memory serves the dwords of a
// bank one after the other, and atomics on one dword one after the other.
PassCost CostOfPass(const uint32_t* dword_of_lane, uint64_t active, const LdsShape& shape) {
  uint32_t words[kBanks * 2];
  uint32_t uses[kBanks * 2];
  uint32_t in_bank[kBanks] = {};
  uint32_t count = 0;
  PassCost cost;
  while (active != 0) {
    const int lane = std::countr_zero(active);
    active &= active - 1;
    for (uint32_t i = 0; i < shape.dwords; ++i) {
      const uint32_t word = dword_of_lane[lane] + i;
      const auto* const known = std::find(words, words + count, word);
      if (known != words + count) {
        const uint64_t more = ++uses[known - words] - 1;
        if (shape.atomic) cost.address = std::max(cost.address, more);
        continue;
      }
      words[count] = word;
      uses[count++] = 1;
      cost.bank = std::max<uint64_t>(cost.bank, in_bank[word % kBanks]++);
    }
  }
  return cost;
}

void CountAddresses(const Wave& wave, const Instruction& in, const LdsShape& shape, uint32_t offset,
                    CycleCounts* counts) {
  uint32_t dword[kLanes];
  for (int lane = 0; lane < kLanes; ++lane) {
    const uint32_t address =
        shape.by_lane ? static_cast<uint32_t>(lane) * 4 : wave.vgpr[in.vaddr][lane];
    dword[lane] = (address + offset) / 4;
  }
  const uint32_t lanes = LanesOfPass(shape.dwords);
  for (uint32_t first = 0; first < kLanes; first += lanes) {
    const uint64_t mask = ((uint64_t{1} << lanes) - 1) << first;
    const uint64_t active = wave.exec() & mask;
    if (active == 0) continue;
    const PassCost cost = CostOfPass(dword, active, shape);
    counts->bank_conflicts += cost.bank;
    counts->address_conflicts += cost.address;
    counts->lds_active += 1 + cost.bank + cost.address;
    if (shape.returns) ++counts->atomic_returns;
  }
}

void CountLds(const Wave& wave, const Instruction& in, CycleCounts* counts) {
  const uint64_t before = counts->lds_active;
  const LdsShape& shape = ShapeOf(in.opcode);
  if (shape.dwords != 0 && !in.gds) {
    const uint32_t unit = shape.dwords * 4 * shape.stride;
    if (shape.addresses == 1) {
      CountAddresses(wave, in, shape, static_cast<uint32_t>(in.offset), counts);
    } else {
      CountAddresses(wave, in, shape, in.offset0 * unit, counts);
      CountAddresses(wave, in, shape, in.offset1 * unit, counts);
    }
  }
  counts->lds += std::max<uint64_t>(1, (counts->lds_active - before + 3) / 4);
}

// ---- The other kinds

struct MatrixShape {
  uint64_t quads = 0;
  uint64_t ops = 0;  // in units of 512
};

// How many values of one lane a v_mfma_f32_MxNxK instruction of this type multiplies in its form
// with the smallest K.
uint32_t ValuesOfALane(std::string_view name) {
  if (name.ends_with("bf16")) return 2;
  if (name.ends_with("bf16_1k") || name.ends_with("f16") || name.ends_with("i8")) return 4;
  return name.ends_with("fp8") || name.ends_with("bf8") ? 8 : 1;
}

// Reads the shape from names like "v_mfma_f32_32x32x4bf16_1k", "v_mfma_f32_32x32x4_2b_bf16" (two
// blocks) and "v_mfma_f32_32x32x8_bf16".
MatrixShape MatrixShapeOf(const char* name) {
  unsigned rows = 0, columns = 0, depth = 0, blocks = 0;
  const char* const sizes = std::strchr(name + std::strlen("v_mfma_"), '_');
  int length = 0;
  if (sizes == nullptr || std::sscanf(sizes, "_%ux%ux%u%n", &rows, &columns, &depth, &length) != 3)
    return {};
  if (std::sscanf(sizes + length, "_%ub_", &blocks) != 1) {
    const uint32_t lanes = kLanes * ValuesOfALane(name);
    blocks = sizes[length] == '_' ? 1 : std::max(1u, lanes / (rows * depth));
  }
  return {rows == 32   ? 16u
          : rows == 16 ? 8u
                       : 2u,
          uint64_t{2} * rows * columns * depth * blocks / 512};
}

const MatrixShape& MatrixShapeOf(uint16_t opcode) {
  using Shapes = std::array<MatrixShape, 128>;
  static const auto shapes = [] {
    std::array<Shapes, kIsaCount> made;
    for (size_t isa = 0; isa < kIsaCount; ++isa) {
      for (uint16_t i = 0; i < made[isa].size(); ++i) {
        const char* const name = NameOf(IsaAt(isa), Format::kVop3p, i);
        if (name != nullptr && std::string_view(name).starts_with("v_mfma_"))
          made[isa][i] = MatrixShapeOf(name);
      }
    }
    return made;
  }();
  return shapes[NumberOf(GetIsa())][opcode & 127];
}

uint64_t QuadsOfVector(const Instruction& in) {
  const InstructionClass kind = in.counted_as;
  if (kind >= InstructionClass::kMatrixI8) return MatrixShapeOf(in.opcode).quads;
  if (kind >= InstructionClass::kTransF16 && kind <= InstructionClass::kTransF64) {
    return kTranscendentalQuads;
  }
  const bool is_double = kind == InstructionClass::kAddF64 || kind == InstructionClass::kMulF64 ||
                         kind == InstructionClass::kFmaF64;
  return is_double ? GetIsa().quads_of_double : 1;
}

void CountVector(const Wave& wave, const Instruction& in, CycleCounts* counts) {
  const uint64_t quads = QuadsOfVector(in);
  counts->vector += quads;
  counts->active_lanes += quads * static_cast<uint64_t>(std::popcount(wave.exec()));
  if (in.counted_as < InstructionClass::kMatrixI8) return;
  counts->matrix += quads;
  const auto type = static_cast<size_t>(in.counted_as);
  counts->matrix_ops[type - static_cast<size_t>(InstructionClass::kMatrixI8)] +=
      MatrixShapeOf(in.opcode).ops;
}

// In the order of their sizes, loads have the opcodes 0 to 4, and loads from buffers 8 to 12.
void CountScalarMemory(const Instruction& in, CycleCounts* counts) {
  ++counts->scalar_memory;
  if (in.opcode <= ::isa::gfx9::SMEM_s_load_dwordx16 ||
      (in.opcode >= ::isa::gfx9::SMEM_s_buffer_load_dword &&
       in.opcode <= ::isa::gfx9::SMEM_s_buffer_load_dwordx16))
    ++counts->scalar_reads[in.opcode & 7];
}

// Counts an instruction of vector memory as the address unit sees it. Cache control counts neither
// as a read nor as a write.
void CountAddressUnit(const Instruction& in, CycleCounts* counts) {
  const auto add = [&](TaEvent event) { ++counts->address_unit[static_cast<size_t>(event)]; };
  const bool buffer = in.format == Format::kMubuf;
  add(TaEvent::kAll);
  add(buffer ? TaEvent::kBuffer : TaEvent::kFlat);
  if (IsCacheControl(in)) return;
  if (IsAtomic(in.opcode)) return add(buffer ? TaEvent::kBufferAtomics : TaEvent::kFlatAtomics);
  if (IsStore(in)) return add(buffer ? TaEvent::kBufferWrites : TaEvent::kFlatWrites);
  add(buffer ? TaEvent::kBufferReads : TaEvent::kFlatReads);
}

void CountVectorMemory(const Instruction& in, CycleCounts* counts) {
  const InstructionClass kind = in.counted_as;
  CountAddressUnit(in, counts);
  ++(in.format == Format::kMubuf ? counts->buffer : counts->flat);
  const bool writes = kind == InstructionClass::kBufferWrite ||
                      kind == InstructionClass::kGlobalWrite ||
                      kind == InstructionClass::kFlatWrite;
  ++(writes ? counts->vector_write : counts->vector_read);
}

bool AllLanesInLds(const Wave& wave, const Instruction& in) {
  uint64_t active = wave.exec();
  if (active == 0) return false;
  while (active != 0) {
    const int lane = std::countr_zero(active);
    active &= active - 1;
    const uint64_t va = wave.Vgpr64(in.vaddr, lane) + static_cast<uint64_t>(in.offset);
    if (va >> 32 != kSharedApertureHigh) return false;
  }
  return true;
}

// The immediate of s_waitcnt holds the counts up to which the wave waits. A count with its greatest
// value means that the wave does not wait for that kind.
void CountWait(Wave& wave, const Instruction& in, CycleCounts* counts) {
  const auto bits = static_cast<uint32_t>(in.immediate);
  const bool vector = ((bits & 0xf) | (bits >> 14 & 3) << 4) != 0x3f;
  const bool rest = (bits >> 8 & 0xf) != 0xf;
  uint64_t quads = 0;
  if (vector && (wave.outstanding & kVectorMemory) != 0) quads = kVectorMemoryWait;
  if (rest && (wave.outstanding & kScalarMemory) != 0) quads = std::max(quads, kScalarMemoryWait);
  if (rest && (wave.outstanding & kLocalMemory) != 0) quads = std::max(quads, kLdsWait);
  if (vector) wave.outstanding &= static_cast<uint8_t>(~kVectorMemory);
  if (rest) wave.outstanding &= kVectorMemory;
  counts->wait += quads;
}

}  // namespace

uint64_t AddressQuads(const uint64_t (&instructions)[kTaEvents]) {
  return 4 * instructions[static_cast<size_t>(TaEvent::kFlat)] +
         instructions[static_cast<size_t>(TaEvent::kBuffer)];
}

void CountCycles(Wave& wave, const Instruction& in, ExecutionContext& context) {
  CycleCounts& counts = context.cycles;
  switch (in.counted_as) {
    case InstructionClass::kScalar:
      ++counts.scalar;
      return;
    case InstructionClass::kScalarMemory:
      CountScalarMemory(in, &counts);
      wave.outstanding |= kScalarMemory;
      return;
    case InstructionClass::kLds:
      CountLds(wave, in, &counts);
      ++counts.lds_accesses;
      wave.outstanding |= kLocalMemory;
      return;
    case InstructionClass::kBufferRead:
    case InstructionClass::kBufferWrite:
    case InstructionClass::kGlobalRead:
    case InstructionClass::kGlobalWrite:
      CountVectorMemory(in, &counts);
      wave.outstanding |= kVectorMemory;
      return;
    case InstructionClass::kFlatRead:
    case InstructionClass::kFlatWrite:
      CountVectorMemory(in, &counts);
      ++counts.generic;
      wave.outstanding |= kVectorMemory | kLocalMemory;
      if (AllLanesInLds(wave, in)) ++counts.flat_lds_only;
      return;
    case InstructionClass::kGds:
      if (wave.gws_ticket == 0) ++counts.gds;  // a wave with a ticket only waits
      return;
    case InstructionClass::kBranch:
    case InstructionClass::kMessage:
      ++counts.other;
      return;
    case InstructionClass::kOther:  // no unit executes them
      if (in.format == Format::kSopp && in.opcode == ::isa::gfx9::SOPP_s_waitcnt)
        CountWait(wave, in, &counts);
      return;
    default:
      CountVector(wave, in, &counts);
  }
}

Levels LevelsOf(const CycleCounts& cycles) {
  const uint64_t lds = cycles.lds_accesses + (GetIsa().counts_flat_as_lds ? cycles.generic : 0);
  return {cycles.address_unit[static_cast<size_t>(TaEvent::kAll)] * kVectorMemoryWait,
          cycles.scalar_memory * kScalarMemoryWait, lds * kLdsWait};
}

IssueWaits WaitsForIssue(const std::vector<WaveCycles>& waves, uint32_t simds) {
  const auto less = [](uint64_t all, uint64_t own) { return all > own ? all - own : 0; };
  std::vector<uint64_t> of_simd(simds);
  uint64_t lds = 0;
  for (size_t i = 0; i < waves.size(); ++i) {
    of_simd[i % simds] += waves[i].executed;
    lds += waves[i].lds;
  }
  IssueWaits sum;
  for (size_t i = 0; i < waves.size(); ++i) {
    const uint64_t own = waves[i].executed + waves[i].wait;
    const uint64_t for_lds = less(lds, own);
    sum.lds += for_lds;
    sum.any += std::max(less(of_simd[i % simds], own), for_lds);
  }
  return sum;
}

void BusyCycles::Add(const GroupCycles& group) {
  if (group.executed == 0) return;
  const GpuModel& model = GetGpuModel();
  const uint32_t units = model.UnitsPerEngine();
  if (units_.empty())
    units_.resize(static_cast<size_t>(units) * model.shader_engines * model.chiplets);
  const uint32_t engine =
      group.chiplet * model.shader_engines + static_cast<uint32_t>(group.engine);
  ComputeUnit& unit = units_[static_cast<size_t>(engine) * units + group.compute_unit];
  unit.executed += group.executed;
  unit.wave += group.executed + group.wait;
  unit.memory += group.memory;
  unit.longest = std::max(unit.longest, (group.executed + group.wait) / std::max(group.waves, 1u));
}

void BusyCycles::Finish(HwCounters* counters, uint32_t chiplet) const {
  if (units_.empty()) return;
  const GpuModel& model = GetGpuModel();
  const size_t units = model.UnitsPerEngine();
  const size_t first = chiplet * model.shader_engines * units;
  uint64_t chip = 0;
  for (size_t engine = 0; engine < model.shader_engines; ++engine) {
    uint64_t longest = 0, together = 0;
    for (size_t i = first + engine * units; i < first + (engine + 1) * units; ++i) {
      const ComputeUnit& unit = units_[i];
      const uint64_t simds = model.simds_per_cu;
      const uint64_t quads = std::max({unit.executed / simds, unit.longest,
                                       unit.wave / (simds * model.waves_per_simd), unit.memory});
      longest = std::max(longest, quads);
      together += quads;
    }
    counters->Add(static_cast<int>(engine), SqEvent::kBusyCycles, 4 * longest);
    counters->Add(static_cast<int>(engine), SqEvent::kBusyCuCycles, together);
    chip = std::max(chip, 4 * longest);
  }
  counters->active.fetch_add(chip, std::memory_order_relaxed);
}

}  // namespace vgpu
