// SPDX-License-Identifier: MIT
#include "vgpu/wave/cycle_model.h"

#include <gtest/gtest.h>

#include <functional>
#include <memory>

#include "vgpu/config/gpu_model.h"
#include "vgpu/counters/hw_counters.h"
#include "vgpu/wave/execution_context.h"
#include "vgpu/wave/opcodes.h"

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
  Count(InstructionClass::kVectorRead);
  WaitFor(63, 0);
  EXPECT_EQ(context_.cycles.wait, 0u) << "not for vector memory";
  WaitFor(0, 15);
  const uint64_t once = context_.cycles.wait;
  EXPECT_GT(once, 0u);
  WaitFor(0, 15);
  EXPECT_EQ(context_.cycles.wait, once);
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
