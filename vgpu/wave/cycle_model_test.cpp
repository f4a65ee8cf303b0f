// SPDX-License-Identifier: MIT
#include "vgpu/wave/cycle_model.h"

#include <gtest/gtest.h>

#include <functional>
#include <iterator>
#include <memory>
#include <vector>

#include "spec/isa/gfx90a_opcodes.h"
#include "spec/isa/gfx940_opcodes.h"
#include "vgpu/config/gpu_model.h"
#include "vgpu/counters/hw_counters.h"
#include "vgpu/wave/execution_context.h"
#include "vgpu/wave/handlers.h"
#include "vgpu/wave/isa.h"
#include "vgpu/wave/vector_types.h"

namespace vgpu {
namespace {

class CycleModel : public ::testing::Test {
 protected:
  CycleModel() { wave_->set_exec(~uint64_t{0}); }

  // An access to local memory whose lanes address what `address` says.
  const CycleCounts& Lds(uint16_t opcode, const std::function<uint32_t(int)>& address) {
    Instruction in;
    in.format = Format::kDs;
    in.counted_as = InstructionClass::kLds;
    in.opcode = opcode;
    in.offset0 = 0;
    in.offset1 = 1;
    for (int lane = 0; lane < kLanes; ++lane) wave_->vgpr[0][lane] = address(lane);
    Count(in);
    return context_.cycles;
  }

  void Count(InstructionClass counted_as) {
    Instruction in;
    in.counted_as = counted_as;
    Count(in);
  }
  void Count(const Instruction& in) { CountCycles(*wave_, in, context_); }
  void Count(Format format, uint16_t opcode, InstructionClass counted_as) {
    Instruction in;
    in.format = format;
    in.opcode = opcode;
    in.counted_as = counted_as;
    Count(in);
  }

  void WaitFor(uint32_t vector, uint32_t rest) {
    Instruction in;
    in.format = Format::kSopp;
    in.opcode = isa::SOPP_s_waitcnt;
    in.immediate = static_cast<int32_t>((vector & 0xf) | 7u << 4 | rest << 8 | (vector >> 4) << 14);
    Count(in);
  }

  std::unique_ptr<Wave> wave_ = std::make_unique<Wave>();
  ExecutionContext context_;
};

TEST_F(CycleModel, ARowOfDwordsHasNoConflict) {
  const CycleCounts& counts =
      Lds(isa::DS_ds_read_b32, [](int lane) { return static_cast<uint32_t>(lane) * 4; });
  EXPECT_EQ(counts.bank_conflicts, 0u);
  EXPECT_EQ(counts.lds_active, 2u) << "32 lanes a cycle";
  EXPECT_EQ(counts.lds, 1u);
}

TEST_F(CycleModel, AStrideOfBanksIsServedOneAfterTheOther) {
  const CycleCounts& counts =
      Lds(isa::DS_ds_read_b32, [](int lane) { return static_cast<uint32_t>(lane) * 128; });
  EXPECT_EQ(counts.bank_conflicts, 62u) << "31 in each half of the wave";
  EXPECT_EQ(counts.lds_active, 64u);
  EXPECT_EQ(counts.lds, 16u);
}

TEST_F(CycleModel, AStrideOfTwoDwordsConflictsInPairs) {
  const CycleCounts& counts =
      Lds(isa::DS_ds_write_b32, [](int lane) { return static_cast<uint32_t>(lane) * 8; });
  EXPECT_EQ(counts.bank_conflicts, 2u);
}

TEST_F(CycleModel, OneDwordForAllIsBroadcast) {
  const CycleCounts& counts = Lds(isa::DS_ds_read_b32, [](int) { return 64; });
  EXPECT_EQ(counts.bank_conflicts, 0u);
  EXPECT_EQ(counts.address_conflicts, 0u);
}

TEST_F(CycleModel, AtomicsOfOneDwordWaitForEachOther) {
  const CycleCounts& counts = Lds(isa::DS_ds_add_rtn_u32, [](int) { return 64; });
  EXPECT_EQ(counts.bank_conflicts, 0u);
  EXPECT_EQ(counts.address_conflicts, 62u);
  EXPECT_EQ(counts.atomic_returns, 2u);
}

TEST_F(CycleModel, WideAccessesTakeFewerLanesACycle) {
  const CycleCounts& counts =
      Lds(isa::DS_ds_read_b128, [](int lane) { return static_cast<uint32_t>(lane) * 16; });
  EXPECT_EQ(counts.bank_conflicts, 0u);
  EXPECT_EQ(counts.lds_active, 8u);
}

TEST_F(CycleModel, TwoAddressesAreTwoAccesses) {
  const CycleCounts& counts =
      Lds(isa::DS_ds_read2_b32, [](int lane) { return static_cast<uint32_t>(lane) * 4; });
  EXPECT_EQ(counts.lds_active, 4u);
}

TEST_F(CycleModel, InactiveLanesDoNotConflict) {
  wave_->set_exec(1);
  const CycleCounts& counts =
      Lds(isa::DS_ds_read_b32, [](int lane) { return static_cast<uint32_t>(lane) * 128; });
  EXPECT_EQ(counts.bank_conflicts, 0u);
  EXPECT_EQ(counts.lds_active, 1u);
}

TEST_F(CycleModel, APermutationBetweenLanesIsNoAccess) {
  EXPECT_EQ(Lds(isa::DS_ds_bpermute_b32, [](int) { return 0; }).lds_active, 0u);
  EXPECT_EQ(context_.cycles.lds, 1u);
}

TEST_F(CycleModel, WaitsOnceForWhatIsUnderWay) {
  WaitFor(0, 0);
  EXPECT_EQ(context_.cycles.wait, 0u) << "nothing is";
  Count(InstructionClass::kGlobalRead);
  WaitFor(63, 0);
  EXPECT_EQ(context_.cycles.wait, 0u) << "not for vector memory";
  WaitFor(0, 15);
  const uint64_t once = context_.cycles.wait;
  EXPECT_GT(once, 0u);
  WaitFor(0, 15);
  EXPECT_EQ(context_.cycles.wait, once);
}

// On MI100, MI200 and MI300 SQ_ACTIVE_INST_MISC counts branches and messages alone.
TEST_F(CycleModel, NoUnitExecutesWaitsAndTheirLike) {
  Count(InstructionClass::kBranch);
  Count(InstructionClass::kMessage);
  WaitFor(0, 0);
  Count(InstructionClass::kOther);
  EXPECT_EQ(context_.cycles.other, 2u);
  EXPECT_EQ(context_.cycles.executed(), 2u);
}

TEST_F(CycleModel, GlobalInstructionsHaveTheEncodingOfFlatOnes) {
  Count(Format::kFlat, isa::FLAT_global_load_dword, InstructionClass::kGlobalRead);
  Count(Format::kFlat, isa::FLAT_global_store_dword, InstructionClass::kGlobalWrite);
  Count(Format::kFlat, isa::FLAT_global_load_dword, InstructionClass::kFlatRead);
  Count(Format::kMubuf, isa::MUBUF_buffer_load_dword, InstructionClass::kBufferRead);
  EXPECT_EQ(context_.cycles.flat, 3u);
  EXPECT_EQ(context_.cycles.buffer, 1u);
  EXPECT_EQ(context_.cycles.vector_read, 3u);
  EXPECT_EQ(context_.cycles.vector_write, 1u);
  EXPECT_EQ(context_.cycles.executed(), 4u);
  EXPECT_EQ(AddressQuads(context_.cycles.address_unit), 3 * 4 + 1u);
}

TEST_F(CycleModel, CountsLanesThatAreActiveInVectorInstructions) {
  Count(InstructionClass::kVector);
  wave_->set_exec(0xff);
  Count(InstructionClass::kVector);
  Count(InstructionClass::kScalar);
  EXPECT_EQ(context_.cycles.vector, 2u);
  EXPECT_EQ(context_.cycles.active_lanes, 72u);
  EXPECT_EQ(context_.cycles.executed(), 3u);
}

TEST_F(CycleModel, TheAddressUnitSeesEachKindOfVectorMemory) {
  const auto counted = [&](TaEvent event) {
    return context_.cycles.address_unit[static_cast<size_t>(event)];
  };
  Count(Format::kFlat, isa::FLAT_global_load_dword, InstructionClass::kGlobalRead);
  Count(Format::kFlat, isa::FLAT_global_load_dword, InstructionClass::kFlatRead);
  Count(Format::kFlat, isa::FLAT_global_store_dwordx4, InstructionClass::kGlobalWrite);
  Count(Format::kFlat, isa::FLAT_global_atomic_add, InstructionClass::kFlatWrite);
  Count(Format::kMubuf, isa::MUBUF_buffer_load_dword, InstructionClass::kBufferRead);
  Count(Format::kMubuf, isa::MUBUF_buffer_store_format_xyz, InstructionClass::kBufferWrite);
  Count(Format::kMubuf, isa::MUBUF_buffer_atomic_add, InstructionClass::kBufferRead);
  Count(Format::kMubuf, isa::MUBUF_buffer_wbinvl1, InstructionClass::kBufferRead);
  EXPECT_EQ(counted(TaEvent::kAll), 8u);
  EXPECT_EQ(counted(TaEvent::kFlat), 4u);
  EXPECT_EQ(counted(TaEvent::kFlatReads), 2u);
  EXPECT_EQ(counted(TaEvent::kFlatWrites), 1u);
  EXPECT_EQ(counted(TaEvent::kFlatAtomics), 1u);
  EXPECT_EQ(counted(TaEvent::kBuffer), 4u) << "cache control, too";
  EXPECT_EQ(counted(TaEvent::kBufferReads), 1u);
  EXPECT_EQ(counted(TaEvent::kBufferWrites), 1u);
  EXPECT_EQ(counted(TaEvent::kBufferAtomics), 1u);
}

TEST_F(CycleModel, ScalarLoadsAreCountedBySize) {
  const auto load = [&](uint16_t opcode) {
    Instruction in;
    in.format = Format::kSmem;
    in.opcode = opcode;
    in.counted_as = InstructionClass::kScalarMemory;
    Count(in);
  };
  load(isa::SMEM_s_load_dword);
  load(isa::SMEM_s_load_dwordx16);
  load(isa::SMEM_s_buffer_load_dwordx16);
  load(isa::SMEM_s_buffer_load_dwordx4);
  load(isa::SMEM_s_dcache_inv);
  const uint64_t expected[] = {1, 0, 1, 0, 2};
  for (size_t i = 0; i < std::size(expected); ++i)
    EXPECT_EQ(context_.cycles.scalar_reads[i], expected[i]) << i;
  EXPECT_EQ(context_.cycles.scalar_memory, 5u);
}

TEST_F(CycleModel, AWaitAtGlobalWaveSyncIsNoFurtherInstruction) {
  Count(InstructionClass::kGds);
  wave_->gws_ticket = 1;
  Count(InstructionClass::kGds);
  EXPECT_EQ(context_.cycles.gds, 1u);
}

class MatrixOps : public CycleModel {
 protected:
  // What an instruction counts, in units of 512 multiplications and additions.
  uint64_t Of(uint16_t opcode) {
    Instruction in;
    in.format = Format::kVop3p;
    in.opcode = opcode;
    in.counted_as = VectorClassOf(Format::kVop3p, opcode);
    context_.cycles = CycleCounts();
    Count(in);
    uint64_t sum = 0;
    for (const uint64_t each : context_.cycles.matrix_ops) sum += each;
    const auto type = static_cast<size_t>(in.counted_as);
    const auto first = static_cast<size_t>(InstructionClass::kMatrixI8);
    EXPECT_EQ(context_.cycles.matrix_ops[type - first], sum);
    return sum;
  }
};

// 2 * rows * columns * depth * blocks / 512
TEST_F(MatrixOps, FollowFromTheShapeOnGfx90a) {
  namespace g = ::isa::gfx90a;
  const ScopedIsa isa(0x90a);
  EXPECT_EQ(Of(g::VOP3P_v_mfma_f32_32x32x1f32), 2u * 32 * 32 * 1 * 2 / 512);
  EXPECT_EQ(Of(g::VOP3P_v_mfma_f32_4x4x1f32), 2u * 4 * 4 * 1 * 16 / 512);
  EXPECT_EQ(Of(g::VOP3P_v_mfma_f32_16x16x4f32), 2u * 16 * 16 * 4 / 512);
  EXPECT_EQ(Of(g::VOP3P_v_mfma_f32_16x16x4f16), 2u * 16 * 16 * 4 * 4 / 512);
  EXPECT_EQ(Of(g::VOP3P_v_mfma_f32_32x32x8f16), 2u * 32 * 32 * 8 / 512);
  EXPECT_EQ(Of(g::VOP3P_v_mfma_f32_32x32x4bf16), 2u * 32 * 32 * 4 / 512);
  EXPECT_EQ(Of(g::VOP3P_v_mfma_f32_32x32x4bf16_1k), 2u * 32 * 32 * 4 * 2 / 512);
  EXPECT_EQ(Of(g::VOP3P_v_mfma_f32_4x4x2bf16), 2u * 4 * 4 * 2 * 16 / 512);
  EXPECT_EQ(Of(g::VOP3P_v_mfma_i32_16x16x16i8), 2u * 16 * 16 * 16 / 512);
  EXPECT_EQ(Of(g::VOP3P_v_mfma_f64_16x16x4f64), 2u * 16 * 16 * 4 / 512);
  EXPECT_EQ(Of(g::VOP3P_v_mfma_f64_4x4x4f64), 2u * 4 * 4 * 4 * 4 / 512);
  EXPECT_EQ(context_.cycles.matrix, 2u) << "quads";
}

TEST_F(MatrixOps, FollowFromTheShapeOnGfx942) {
  namespace g = ::isa::gfx940;
  const ScopedIsa isa(0x942);
  EXPECT_EQ(Of(g::VOP3P_v_mfma_f32_32x32x4_2b_bf16), 2u * 32 * 32 * 4 * 2 / 512);
  EXPECT_EQ(Of(g::VOP3P_v_mfma_f32_32x32x8_bf16), 2u * 32 * 32 * 8 / 512);
  EXPECT_EQ(Of(g::VOP3P_v_mfma_i32_16x16x32_i8), 2u * 16 * 16 * 32 / 512);
  EXPECT_EQ(Of(g::VOP3P_v_mfma_f32_32x32x16_bf8_fp8), 2u * 32 * 32 * 16 / 512);
  EXPECT_EQ(Of(::isa::gfx90a::VOP3P_v_mfma_f32_32x32x1f32), 2u * 32 * 32 * 1 * 2 / 512);
}

TEST_F(CycleModel, InstructionsAreUnderWayAsLongAsAWaitLasts) {
  Count(InstructionClass::kScalarMemory);
  Count(InstructionClass::kGlobalRead);
  Count(InstructionClass::kGlobalRead);
  WaitFor(0, 0);
  const Levels levels = LevelsOf(context_.cycles);
  EXPECT_EQ(levels.vector_memory, 2 * context_.cycles.wait);
  EXPECT_EQ(levels.scalar_memory, context_.cycles.wait / 2);
  EXPECT_EQ(levels.lds, 0u);
}

TEST(IssueWaits, AreWhatTheOtherWavesOfTheSimdExecute) {
  // Eight waves on four SIMDs: two to each.
  EXPECT_EQ(WaitsForIssue(std::vector<WaveCycles>(8, {10, 0, 0}), 4).any, 8u * 10);
  EXPECT_EQ(WaitsForIssue(std::vector<WaveCycles>(4, {10, 0, 0}), 4).any, 0u);
  // A wave that waits for memory lets the other one go on.
  EXPECT_EQ(WaitsForIssue(std::vector<WaveCycles>(8, {10, 6, 0}), 4).any, 8u * 4);
  EXPECT_EQ(WaitsForIssue(std::vector<WaveCycles>(8, {10, 100, 0}), 4).any, 0u);
}

TEST(IssueWaits, ForLocalMemoryAreThoseOfTheComputeUnit) {
  // Each of four waves executes 10 quads, 9 of them in local memory, which serves one at a time.
  const IssueWaits waits = WaitsForIssue(std::vector<WaveCycles>(4, {10, 0, 9}), 4);
  EXPECT_EQ(waits.lds, 4u * (36 - 10));
  EXPECT_EQ(waits.any, waits.lds);
}

TEST(BusyCycles, LastAsLongAsTheAddressUnitDoes) {
  HwCounters counters;
  BusyCycles busy;
  busy.Add({0, 0, 8, 800, 0, 700});
  busy.Finish(&counters);
  EXPECT_EQ(counters.Get(0, static_cast<int>(SqEvent::kBusyCuCycles)), 700u);
}

TEST(BusyCycles, AreThoseOfTheSlowestComputeUnit) {
  const GpuModel& model = GetGpuModel();
  HwCounters counters;
  BusyCycles busy;
  const uint64_t simds = model.simds_per_cu;
  busy.Add({0, 0, 8, 800 * simds, 0});
  busy.Add({0, 1, 1, 100, 300});  // one wave alone: nothing hides its waits
  busy.Finish(&counters);
  EXPECT_EQ(counters.Get(0, static_cast<int>(SqEvent::kBusyCycles)), 4u * 800);
  EXPECT_EQ(counters.Get(0, static_cast<int>(SqEvent::kBusyCuCycles)), 800u + 400);
  EXPECT_EQ(counters.active, 4u * 800);
}

}  // namespace
}  // namespace vgpu
