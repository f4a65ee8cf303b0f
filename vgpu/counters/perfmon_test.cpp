// SPDX-License-Identifier: MIT
#include "vgpu/counters/perfmon.h"

#include <gtest/gtest.h>

#include "vgpu/config/gpu_model.h"

namespace vgpu {
namespace {

constexpr uint32_t kReset = 0;
constexpr uint32_t kStart = 1;
constexpr uint32_t kStop = 2;
constexpr uint32_t kSample = 1u << 10;

uint32_t NumberOf(SqEvent event) {
  uint32_t number = 0;
  while (SqEventOf(GetGpuModel().gfx, number) != event) ++number;
  return number;
}

class PerfmonTest : public testing::Test {
 protected:
  void Select(uint32_t counter, SqEvent event) {
    registers_.Write(kRegSqCounter0Select + counter, NumberOf(event));
  }
  void SelectEngine(uint32_t engine) { registers_.Write(kRegGrbmGfxIndex, engine << 16); }
  uint64_t Sq(uint32_t counter) {
    const uint32_t low = perfmon_.Read(kRegSqCounter0Low + 2 * counter).value();
    const uint64_t high = perfmon_.Read(kRegSqCounter0Low + 2 * counter + 1).value();
    return low | high << 32;
  }

  HwCounters counters_;
  RegisterFile registers_;
  Perfmon perfmon_{counters_, registers_};
};

TEST_F(PerfmonTest, CountsOnlyBetweenStartAndStop) {
  Select(0, SqEvent::kWaves);
  counters_.Add(0, SqEvent::kWaves, 5);
  perfmon_.Control(kStart, 0);
  counters_.Add(0, SqEvent::kWaves, 7);
  perfmon_.Control(kStop | kSample, 0);
  counters_.Add(0, SqEvent::kWaves, 11);
  EXPECT_EQ(Sq(0), 7u);
}

TEST_F(PerfmonTest, ASampleLatchesAndCountingGoesOn) {
  Select(0, SqEvent::kWaves);
  perfmon_.Control(kStart, 0);
  counters_.Add(0, SqEvent::kWaves, 2);
  perfmon_.Control(kStart | kSample, 0);
  counters_.Add(0, SqEvent::kWaves, 3);
  EXPECT_EQ(Sq(0), 2u);
  perfmon_.Control(kStop, 0);
  EXPECT_EQ(Sq(0), 5u);
}

TEST_F(PerfmonTest, AStoppedCounterGoesOnAddingAfterARestart) {
  Select(0, SqEvent::kWaves);
  perfmon_.Control(kStart, 0);
  counters_.Add(0, SqEvent::kWaves, 2);
  perfmon_.Control(kStop, 0);
  counters_.Add(0, SqEvent::kWaves, 100);
  perfmon_.Control(kStart, 0);
  counters_.Add(0, SqEvent::kWaves, 3);
  perfmon_.Control(kStop, 0);
  EXPECT_EQ(Sq(0), 5u);
}

TEST_F(PerfmonTest, AResetForgetsWhatWasCounted) {
  Select(0, SqEvent::kWaves);
  perfmon_.Control(kStart, 0);
  counters_.Add(0, SqEvent::kWaves, 2);
  perfmon_.Control(kStop, 0);
  perfmon_.Control(kReset, 0);
  perfmon_.Control(kStart, 0);
  counters_.Add(0, SqEvent::kWaves, 3);
  perfmon_.Control(kStop, 0);
  EXPECT_EQ(Sq(0), 3u);
}

TEST_F(PerfmonTest, EveryShaderEngineHasItsOwnCount) {
  Select(0, SqEvent::kInstsValu);
  perfmon_.Control(kStart, 0);
  counters_.Add(1, SqEvent::kInstsValu, 10);
  counters_.Add(3, SqEvent::kInstsValu, 30);
  perfmon_.Control(kStop, 0);
  SelectEngine(1);
  EXPECT_EQ(Sq(0), 10u);
  SelectEngine(2);
  EXPECT_EQ(Sq(0), 0u);
  SelectEngine(3);
  EXPECT_EQ(Sq(0), 30u);
}

TEST_F(PerfmonTest, EveryCounterHasItsOwnEvent) {
  Select(2, SqEvent::kInstsSalu);
  Select(15, SqEvent::kInstsLds);
  perfmon_.Control(kStart, 0);
  counters_.Add(0, SqEvent::kInstsSalu, uint64_t{1} << 33);
  counters_.Add(0, SqEvent::kInstsLds, 4);
  perfmon_.Control(kStop, 0);
  EXPECT_EQ(Sq(2), uint64_t{1} << 33);
  EXPECT_EQ(Sq(15), 4u);
}

TEST_F(PerfmonTest, GrbmCountsClockCyclesOfTheModel) {
  perfmon_.Control(kStart, 1'000);
  perfmon_.Control(kStop, 4'000);
  EXPECT_EQ(perfmon_.Read(kRegGrbmCounter0Low).value(), 3 * GetGpuModel().clock_mhz);
  EXPECT_EQ(perfmon_.Read(kRegGrbmCounter0Low + 1).value(), 0u);
}

TEST_F(PerfmonTest, CachesAreReadByChannelAndComputeUnit) {
  registers_.Write(kRegTccCounter0Select + 5,
                   GetGpuModel().gfx == 0x906 ? 20 : 17);  // the fourth counter: hits
  registers_.Write(kRegTcpCounter0Select + 2, 60);
  perfmon_.Control(kStart, 0);
  counters_.AddTcc(3, TccEvent::kHits, 7);
  counters_.AddTcp(1, 2, TcpEvent::kCacheAccesses, 9);
  perfmon_.Control(kStop, 0);
  registers_.Write(kRegGrbmGfxIndex, 0xa0000003);
  EXPECT_EQ(perfmon_.Read(kRegTccCounter0Low + 6).value(), 7u);
  registers_.Write(kRegGrbmGfxIndex, 0x20010002);
  const bool known = TcpEventOf(GetGpuModel().gfx, 60).has_value();  // gfx906 has no such event
  EXPECT_EQ(perfmon_.Read(kRegTcpCounter0Low + 2).value(), known ? 9u : 0u);
  registers_.Write(kRegGrbmGfxIndex, 0xa0000004);
  EXPECT_EQ(perfmon_.Read(kRegTccCounter0Low + 6).value(), 0u);
}

TEST_F(PerfmonTest, AnUncountedEventReadsZeroAndIsReported) {
  registers_.Write(kRegSqCounter0Select, 77);
  perfmon_.Control(kStart, 0);
  perfmon_.Control(kStop, 0);
  testing::internal::CaptureStderr();
  EXPECT_EQ(Sq(0), 0u);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("counter SQ:77 is not modelled"),
            std::string::npos);
}

TEST_F(PerfmonTest, OtherRegistersAreNotItsBusiness) {
  EXPECT_FALSE(perfmon_.Read(kRegSqCounter0Low - 1).has_value());
  EXPECT_FALSE(perfmon_.Read(kRegSqCounter0Low + 32).has_value());
}

// As AMD's definitions of counters have them (spec/counters).
TEST(SqEvents, HaveANumberOfTheirOwnOnEachFamily) {
  EXPECT_EQ(SqEventOf(0x906, 26), SqEvent::kInstsValu);
  EXPECT_EQ(SqEventOf(0x90a, 26), SqEvent::kInstsValu);
  EXPECT_EQ(SqEventOf(0x906, 27), SqEvent::kInstsVmemWrite);
  EXPECT_EQ(SqEventOf(0x908, 27), SqEvent::kInstsMatrix);
  EXPECT_EQ(SqEventOf(0x908, 28), SqEvent::kInstsVmemWrite);
  EXPECT_EQ(SqEventOf(0x90a, 31), static_cast<SqEvent>(static_cast<int>(SqEvent::kFirstType) + 1));
  EXPECT_EQ(SqEventOf(0x906, 0), std::nullopt);
  EXPECT_EQ(SqEventOf(0x90a, 56), SqEvent::kInstsSalu);
  EXPECT_EQ(SqEventOf(0x942, 60), SqEvent::kInstsSalu);
  EXPECT_EQ(SqEventOf(0x906, 35), std::nullopt);
}

TEST(SqEvents, AreListed) {
  EXPECT_NE(ModelledCounters(0x906).find("SQ 34\n"), std::string::npos);
  EXPECT_EQ(ModelledCounters(0x906).find("SQ 35\n"), std::string::npos);
  EXPECT_NE(ModelledCounters(0x90a).find("SQ 60\n"), std::string::npos);
  EXPECT_NE(ModelledCounters(0x90a).find("SQ 27\n"), std::string::npos);
  EXPECT_EQ(ModelledCounters(0x90a).find("SQ 0\n"), std::string::npos);
  EXPECT_EQ(ModelledCounters(0x90a).find("TD "), std::string::npos);
}

}  // namespace
}  // namespace vgpu
