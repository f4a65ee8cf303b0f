// SPDX-License-Identifier: MIT
#include "vgpu/counters/perfmon.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "vgpu/config/gpu_model.h"

namespace vgpu {
namespace {

constexpr uint32_t kReset = 0;
constexpr uint32_t kStart = 1;
constexpr uint32_t kStop = 2;
constexpr uint32_t kSample = 1u << 10;

std::optional<SqEvent> SqEventOf(int gfx, uint32_t number) {
  const std::optional<uint32_t> event = EventOf(CounterBlock::kSq, gfx, number);
  if (!event.has_value()) return std::nullopt;
  return static_cast<SqEvent>(*event);
}

constexpr int kGfx = 0x90a;  // it knows more events than the GPU of the other tests

template <typename Event>
uint32_t NumberOf(CounterBlock block, Event event) {
  uint32_t number = 0;
  while (EventOf(block, kGfx, number) != static_cast<uint32_t>(event)) ++number;
  return number;
}

class PerfmonTest : public testing::Test {
 protected:
  void Select(uint32_t counter, SqEvent event) {
    registers_.Write(kRegSqCounter0Select + counter, NumberOf(CounterBlock::kSq, event));
  }
  void SelectEngine(uint32_t engine) { registers_.Write(kRegGrbmGfxIndex, engine << 16); }
  uint64_t Sq(uint32_t counter) {
    const uint32_t low = perfmon_.Read(kRegSqCounter0Low + 2 * counter).value();
    const uint64_t high = perfmon_.Read(kRegSqCounter0Low + 2 * counter + 1).value();
    return low | high << 32;
  }

  HwCounters counters_;
  RegisterFile registers_;
  Perfmon perfmon_{counters_, registers_, kGfx};
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

TEST_F(PerfmonTest, AnEventSelectedWhileCountingCountsFromTheNextWriteOn) {
  Select(0, SqEvent::kWaves);
  perfmon_.Control(kReset, 0);
  perfmon_.Control(kStart, 0);
  Select(1, SqEvent::kInsts);
  counters_.Add(0, SqEvent::kInsts, 5);
  perfmon_.Control(kStart, 0);
  counters_.Add(0, SqEvent::kInsts, 7);
  counters_.Add(0, SqEvent::kWaves, 2);
  perfmon_.Control(kStop | kSample, 0);
  EXPECT_EQ(Sq(0), 2u);
  EXPECT_EQ(Sq(1), 7u);
}

TEST_F(PerfmonTest, AnEventThatIsSelectedAgainBeginsAtZero) {
  for (const SqEvent event : {SqEvent::kWaves, SqEvent::kInsts, SqEvent::kWaves}) {
    Select(0, event);
    perfmon_.Control(kReset, 0);
    EXPECT_EQ(Sq(0), 0u) << "nothing was counted since it was selected";
    perfmon_.Control(kStart, 0);
    counters_.Add(0, event, 4);
    perfmon_.Control(kStop, 0);
    EXPECT_EQ(Sq(0), 4u);
  }
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

TEST_F(PerfmonTest, GrbmHasTwoCounters) {
  registers_.Write(kRegGrbmCounter1Select, 2);  // cycles in which the chip has work
  perfmon_.Control(kStart, 1'000);
  counters_.active += 500;
  perfmon_.Control(kStop, 4'000);
  EXPECT_EQ(perfmon_.Read(kRegGrbmCounter0Low).value(), 3 * GetGpuModel().clock_mhz);
  EXPECT_EQ(perfmon_.Read(kRegGrbmCounter1Low).value(), 500u);
  EXPECT_EQ(perfmon_.Read(kRegGrbmCounter1Low + 1).value(), 0u);
}

TEST_F(PerfmonTest, CachesAreReadByChannelAndComputeUnit) {
  registers_.Write(kRegTccCounter0Select + 5, 17);  // the fourth counter: hits
  registers_.Write(kRegTcpCounter0Select + 2, 60);
  perfmon_.Control(kStart, 0);
  counters_.AddTcc(3, TccEvent::kHits, 7);
  counters_.AddTcp(1, 2, TcpEvent::kCacheAccesses, 9);
  perfmon_.Control(kStop, 0);
  registers_.Write(kRegGrbmGfxIndex, 0xa0000003);
  EXPECT_EQ(perfmon_.Read(kRegTccCounter0Low + 6).value(), 7u);
  registers_.Write(kRegGrbmGfxIndex, 0x20010002);
  EXPECT_EQ(perfmon_.Read(kRegTcpCounter0Low + 2).value(), 9u);
  registers_.Write(kRegGrbmGfxIndex, 0xa0000004);
  EXPECT_EQ(perfmon_.Read(kRegTccCounter0Low + 6).value(), 0u);
}

TEST_F(PerfmonTest, MemoryUnitsAreReadByComputeUnit) {
  registers_.Write(kRegTaCounter0Select + 2, NumberOf(CounterBlock::kTa, TaEvent::kFlatReads));
  registers_.Write(kRegTdCounter0Select, NumberOf(CounterBlock::kTd, TdEvent::kStores));
  perfmon_.Control(kStart, 0);
  counters_.AddTa(1, 2, TaEvent::kFlatReads, 5);
  counters_.AddTd(1, 2, TdEvent::kStores, uint64_t{3} << 32 | 6);
  perfmon_.Control(kStop, 0);
  registers_.Write(kRegGrbmGfxIndex, 0x20010002);
  EXPECT_EQ(perfmon_.Read(kRegTaCounter0Low + 2).value(), 5u);
  EXPECT_EQ(perfmon_.Read(kRegTdCounter0Low).value(), 6u);
  EXPECT_EQ(perfmon_.Read(kRegTdCounter0Low + 1).value(), 3u);
  registers_.Write(kRegGrbmGfxIndex, 0x20010003);
  EXPECT_EQ(perfmon_.Read(kRegTaCounter0Low + 2).value(), 0u);
}

TEST_F(PerfmonTest, DispatchersAreReadByShaderEngineHighWordFirst) {
  registers_.Write(kRegSpiCounter0Select + 9,  // the sixth counter
                   NumberOf(CounterBlock::kSpi, SpiEvent::kWorkgroups));
  perfmon_.Control(kStart, 0);
  counters_.AddSpi(2, SpiEvent::kWorkgroups, uint64_t{7} << 32 | 8);
  perfmon_.Control(kStop, 0);
  SelectEngine(2);
  EXPECT_EQ(perfmon_.Read(kRegSpiCounter0High + 10).value(), 7u);
  EXPECT_EQ(perfmon_.Read(kRegSpiCounter0High + 11).value(), 8u);
  SelectEngine(1);
  EXPECT_EQ(perfmon_.Read(kRegSpiCounter0High + 11).value(), 0u);
}

TEST_F(PerfmonTest, TheCounterBehindALevelHasItsSum) {
  Select(4, SqEvent::kLevelWaves);
  Select(5, SqEvent::kSumOfLevel);
  Select(6, SqEvent::kLevelLds);
  Select(7, SqEvent::kSumOfLevelByCycle);
  perfmon_.Control(kStart, 0);
  counters_.Add(0, SqEvent::kLevelWaves, 11);
  counters_.Add(0, SqEvent::kLevelLds, 16);
  perfmon_.Control(kStop, 0);
  EXPECT_EQ(Sq(4), 0u) << "no wave is left";
  EXPECT_EQ(Sq(5), 11u) << "a sample each quad";
  EXPECT_EQ(Sq(7), 64u) << "and each cycle";
}

TEST_F(PerfmonTest, AnUncountedEventReadsZeroAndIsReported) {
  registers_.Write(kRegSqCounter0Select, 200);
  perfmon_.Control(kStart, 0);
  perfmon_.Control(kStop, 0);
  testing::internal::CaptureStderr();
  EXPECT_EQ(Sq(0), 0u);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("counter SQ:200 is not modelled"),
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
  EXPECT_EQ(SqEventOf(0x906, 35), SqEvent::kInstsGds);
  EXPECT_EQ(SqEventOf(0x906, 36), std::nullopt);
  EXPECT_EQ(SqEventOf(0x90a, 61), SqEvent::kInstsGds);
  EXPECT_EQ(SqEventOf(0x90a, 63), SqEvent::kInstsGds) << "and exports, of which there are none";
}

TEST(SqEvents, AreListed) {
  EXPECT_NE(ModelledCounters(0x906).find("SQ 34\n"), std::string::npos);
  EXPECT_EQ(ModelledCounters(0x906).find("SQ 36\n"), std::string::npos);
  EXPECT_NE(ModelledCounters(0x90a).find("SQ 60\n"), std::string::npos);
  EXPECT_NE(ModelledCounters(0x90a).find("SQ 27\n"), std::string::npos);
  EXPECT_EQ(ModelledCounters(0x90a).find("SQ 0\n"), std::string::npos);
  EXPECT_NE(ModelledCounters(0x90a).find("TA 101\n"), std::string::npos);
  EXPECT_NE(ModelledCounters(0x942).find("TA 52\n"), std::string::npos);
  EXPECT_EQ(ModelledCounters(0x942).find("TA 101\n"), std::string::npos);
  EXPECT_EQ(ModelledCounters(0x90a).find("TD 1\n"), std::string::npos) << "busy cycles of TD";
  EXPECT_EQ(ModelledCounters(0x90a).find("CPC "), std::string::npos);
}

}  // namespace
}  // namespace vgpu
