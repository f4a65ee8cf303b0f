// SPDX-License-Identifier: MIT
#include "vgpu/wave/interpreter.h"

#include <cstring>
#include <memory>

#include "vgpu/mem/address_space.h"
#include "vgpu/wave/launch_test_support.h"
#include "vgpu/wave/wave_test_support.h"

namespace vgpu {
namespace {

constexpr uint32_t kBytes = 64;
constexpr uint32_t kBudget = 100;

// Copies the first `bytes` bytes of a snippet's code.
void CopyCode(DeviceBuffer& to, uint32_t offset, const char* label, uint32_t bytes) {
  std::memcpy(to.host() + offset, SnippetCode(label), bytes);
}

class InterpreterTest : public testing::Test {
 protected:
  InterpreterTest() : wave_(new Wave) { wave_->set_exec(~uint64_t{0}); }

  uint32_t Run(uint64_t pc, uint32_t budget = kBudget) {
    wave_->pc = pc;
    wave_->done = false;
    wave_->fault = Fault();
    return interpreter_.Run(*wave_, context_, budget);
  }

  std::unique_ptr<Wave> wave_;
  ExecutionContext context_;
  Interpreter interpreter_;
};

TEST_F(InterpreterTest, ExecutesTheLastDwordOfAMappingAndFaultsBehindIt) {
  DeviceBuffer code(kBytes);
  CopyCode(code, kBytes - 4, "s_nop", 4);
  EXPECT_EQ(Run(code.va() + kBytes - 4), 1u);
  EXPECT_EQ(wave_->fault.code, Fault::Code::kMemoryFault);
  EXPECT_EQ(wave_->fault.va, code.va() + kBytes);
}

TEST_F(InterpreterTest, EndsAtTheLastDwordOfAMapping) {
  DeviceBuffer code(kBytes);
  CopyCode(code, kBytes - 8, "s_nop", 8);  // and its s_endpgm
  EXPECT_EQ(Run(code.va() + kBytes - 8), 2u);
  EXPECT_TRUE(wave_->done);
  EXPECT_EQ(wave_->fault.code, Fault::Code::kNone);
}

TEST_F(InterpreterTest, FaultsWhenTheSecondDwordIsNotMapped) {
  DeviceBuffer code(kBytes);
  CopyCode(code, kBytes - 4, "sop1_literal", 4);
  EXPECT_EQ(Run(code.va() + kBytes - 4), 0u);
  EXPECT_EQ(wave_->fault.code, Fault::Code::kMemoryFault);
  EXPECT_EQ(wave_->fault.va, code.va() + kBytes);
}

TEST_F(InterpreterTest, StopsWhenTheBudgetIsUsedUpAndGoesOnFromThere) {
  DeviceBuffer code(kBytes);
  for (uint32_t i = 0; i < 10; ++i) CopyCode(code, i * 4, "s_nop", 4);
  CopyCode(code, 40, "s_endpgm", 4);
  EXPECT_EQ(Run(code.va(), 7), 7u);
  EXPECT_EQ(wave_->pc, code.va() + 28);
  EXPECT_FALSE(wave_->done);
  EXPECT_EQ(Run(wave_->pc), 4u);
  EXPECT_TRUE(wave_->done);
}

TEST_F(InterpreterTest, SeesAnotherMappingAtTheSameAddress) {
  constexpr uint64_t kVa = 0x7b0000000000;
  DeviceBuffer first(kBytes);
  DeviceBuffer second(kBytes);
  CopyCode(first, 0, "sop1_literal", 12);  // s4 = 0xdeadbeef
  CopyCode(second, 0, "s_endpgm", 4);
  ASSERT_TRUE(MapRange(0, kVa, kBytes, first.host()));
  EXPECT_EQ(Run(kVa), 2u);
  EXPECT_EQ(wave_->sgpr[4], 0xdeadbeefu);
  ASSERT_TRUE(UnmapRange(0, kVa, kBytes));
  EXPECT_EQ(Run(kVa), 0u);
  EXPECT_EQ(wave_->fault.va, kVa);
  ASSERT_TRUE(MapRange(0, kVa, kBytes, second.host()));
  EXPECT_EQ(Run(kVa), 1u);
  EXPECT_TRUE(wave_->done);
  ASSERT_TRUE(UnmapRange(0, kVa, kBytes));
}

TEST_F(InterpreterTest, ChecksBothDwordsOfCodeThatWasRewritten) {
  DeviceBuffer code(kBytes);
  CopyCode(code, 0, "sop1_literal", 12);
  EXPECT_EQ(Run(code.va()), 2u);
  EXPECT_EQ(wave_->sgpr[4], 0xdeadbeefu);
  code.Put<uint32_t>(4, 0x01234567);
  EXPECT_EQ(Run(code.va()), 2u);
  EXPECT_EQ(wave_->sgpr[4], 0x01234567u);
}

TEST_F(InterpreterTest, CountsInstructionsByWhatTheyAre) {
  EXPECT_EQ(Run(SnippetAddress("s_add_u32")), 2u);
  EXPECT_EQ(Run(SnippetAddress("s_nop")), 2u);
  EXPECT_EQ(context_.counts[static_cast<size_t>(InstructionClass::kScalar)], 1u);
  EXPECT_EQ(context_.counts[static_cast<size_t>(InstructionClass::kOther)], 1u);
  EXPECT_EQ(context_.counts[static_cast<size_t>(InstructionClass::kMessage)], 2u) << "the ends";
}

}  // namespace
}  // namespace vgpu
