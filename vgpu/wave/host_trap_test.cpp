// SPDX-License-Identifier: MIT
#include "vgpu/wave/host_trap.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "vgpu/wave/launch_test_support.h"
#include "vgpu/wave/wave_test_support.h"

namespace vgpu {
namespace {

using Code = DispatchResult::Code;

constexpr uint32_t kWords = 8;  // of the handler's memory
constexpr uint32_t kGroups = 64;
constexpr double kInstructions = kGroups * (2 + 3 * 1000 + 4);  // of kernel_counts_long

class HostTrap : public ::testing::Test {
 protected:
  HostTrap() : memory_(kWords * 4) {
    memory_.Put<uint64_t>(16, SnippetAddress("kernel_counts_long"));
    memory_.Put<uint64_t>(24, SnippetAddress("kernel_counts_long_end"));
    SetTrapHandlerOf(0, SnippetAddress("trap_handler"), memory_.va());
  }
  ~HostTrap() override {
    StopHostTraps(0);
    SetTrapHandlerOf(0, 0, 0);
  }

  DispatchResult Run() { return dispatch_.Run(); }
  uint32_t Samples() const { return memory_.Word(0); }
  uint32_t Outside() const { return memory_.Word(1); }

  DeviceBuffer memory_;
  TestDispatch dispatch_{"kernel_counts_long", kGroups, 64, 4};
};

TEST_F(HostTrap, SamplesAsManyInstructionsAsTheIntervalAsksFor) {
  constexpr double kIntervalUs = 10;
  StartHostTraps(0, static_cast<uint64_t>(kIntervalUs));
  ASSERT_EQ(Run().code, Code::kOk);
  const double expected = kInstructions / (kIntervalUs * kInstructionsPerUs);
  EXPECT_NEAR(Samples(), expected, 6 * std::sqrt(expected));
  EXPECT_EQ(Outside(), 0u);
  EXPECT_EQ(dispatch_.Out(0), 1000u);  // the kernel does not notice
}

TEST_F(HostTrap, PassesPacketWorkgroupAndWaveToTheHandler) {
  dispatch_.dispatch_id = 11;
  dispatch_.queue.hsa_queue.size = 8;
  StartHostTraps(0, 1);
  ASSERT_EQ(Run().code, Code::kOk);
  EXPECT_EQ(memory_.Word(3) & 0xffffff, 11u % 8);
  EXPECT_LT(memory_.Word(3) >> 24, kGroups);
  EXPECT_EQ(memory_.Word(2), 0u);
}

TEST_F(HostTrap, TakesNoSampleBeforeTheStartOrAfterTheEnd) {
  ASSERT_EQ(Run().code, Code::kOk);
  EXPECT_EQ(Samples(), 0u);
  StartHostTraps(0, 10);
  StopHostTraps(0);
  ASSERT_EQ(Run().code, Code::kOk);
  EXPECT_EQ(Samples(), 0u);
}

TEST_F(HostTrap, WavesContinueWithoutAHandler) {
  SetTrapHandlerOf(0, 0, 0);
  StartHostTraps(0, 1);
  EXPECT_EQ(Run().code, Code::kOk);
  EXPECT_EQ(dispatch_.Out(0), 1000u);
}

TEST_F(HostTrap, AHandlerThatDoesNotEndOrHaltsIsAFaultOfTheWave) {
  SetTrapHandlerOf(0, SnippetAddress("trap_endless"), memory_.va());
  StartHostTraps(0, 1);
  DispatchResult result = Run();
  EXPECT_EQ(result.code, Code::kTrap);
  EXPECT_NE(result.message.find("the trap handler does not end"), std::string::npos);
  SetTrapHandlerOf(0, SnippetAddress("trap_halt"), memory_.va());
  result = Run();
  EXPECT_EQ(result.code, Code::kTrap);
  EXPECT_NE(result.message.find("the trap handler halted the wave"), std::string::npos);
}

}  // namespace
}  // namespace vgpu
