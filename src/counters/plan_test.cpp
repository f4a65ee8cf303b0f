// SPDX-License-Identifier: MIT
#include "counters/plan.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace rtl::counters {
namespace {

constexpr char kGpu[] = "gfx1";
constexpr char kDefinitions[] = R"(
rocprofiler-sdk:
  counters-schema-version: 1
  counters:
  - name: WAVES
    description: waves
    definitions: [{architectures: [gfx1, gfx2], block: SQ, event: 4}]
  - name: BUSY
    definitions: [{architectures: [gfx1], block: SQ, event: 5}]
  - name: HIT
    definitions: [{architectures: [gfx1], block: TCC, event: 17}]
  - name: REQ
    definitions: [{architectures: [gfx1], block: TCP, event: 9}]
  - name: CLOCK
    definitions: [{architectures: [gfx1], block: GRBM, event: 0}]
  - name: GRBM_COUNT
    definitions: [{architectures: [gfx1], block: GRBM, event: 0}]
  - name: Rate
    definitions: [{architectures: [gfx1], expression: "100*reduce(HIT,sum)/CLOCK"}]
  - name: Loop
    definitions: [{architectures: [gfx1], expression: Pool+1}]
  - name: Pool
    definitions: [{architectures: [gfx1], expression: Loop+1}]
)";

// A GPU with 2 shader engines; TCC has 2 instances in each of 2 XCCs, and TCP has 2 in each of 2
// engines of 2 XCCs.
struct TwoEngines final : GpuFacts {
  bool Property(std::string_view name, double* value) const override {
    if (name == "simd_count") *value = 240;
    if (name == "simd_per_cu") *value = 4;
    return name == "simd_count" || name == "simd_per_cu";
  }
  bool Extents(const CounterEvent& event, uint32_t* extents) const override {
    const std::string block = event.block;
    if (block == "SQ" || block == "TCP") extents[static_cast<int>(CounterDimension::kEngine)] = 2;
    if (block == "TCC" || block == "TCP") {
      extents[static_cast<int>(CounterDimension::kXcc)] = 2;
      extents[static_cast<int>(CounterDimension::kInstance)] = 2;
    }
    return true;
  }
  bool FitTogether(const CounterSet&) const override { return true; }
};

CounterValue Value(uint32_t event, CounterDimension dimension, uint16_t place, uint64_t number) {
  CounterValue value;
  value.event = event;
  value.position[static_cast<int>(dimension)] = place;
  value.value = number;
  return value;
}

class CounterPlanTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(known_.Append(kDefinitions, "test").ok()); }

  // The error's text; empty: it could be added.
  std::string Add(std::string_view expression) {
    own_.push_back(std::make_unique<Definition>());
    own_.back()->name = "Own";
    own_.back()->expression = expression;
    Status why = Status::Ok();
    return plan_.Add(known_, kGpu, *own_.back(), &facts_, &why) == PlanError::kNone ? ""
                                                                                    : why.message();
  }
  // Values of WAVES 3 and 5, BUSY 30 and 20, HIT 1 to 4, REQ 1 to 8, CLOCK 50, as far as the plan
  // has the events.
  std::vector<CounterValue> Values() const {
    std::vector<CounterValue> values;
    for (uint32_t i = 0; i < plan_.set().count; ++i) {
      const CounterEvent& event = plan_.set().events[i];
      if (event.event == 4 || event.event == 5) {
        values.push_back(Value(i, CounterDimension::kEngine, 0, event.event == 4 ? 3 : 30));
        values.push_back(Value(i, CounterDimension::kEngine, 1, event.event == 4 ? 5 : 20));
      }
      for (uint16_t n = 0; event.event == 17 && n < 4; ++n) {
        values.push_back(Value(i, CounterDimension::kInstance, n % 2, n + 1u));
        values.back().position[static_cast<int>(CounterDimension::kXcc)] = n / 2;
      }
      for (uint16_t n = 0; event.event == 9 && n < 8; ++n) {
        values.push_back(Value(i, CounterDimension::kInstance, n % 2, n + 1u));
        values.back().position[static_cast<int>(CounterDimension::kEngine)] = n / 2 % 2;
        values.back().position[static_cast<int>(CounterDimension::kXcc)] = n / 4;
      }
      if (event.event == 0) values.push_back(Value(i, CounterDimension::kNone, 0, 50));
    }
    return values;
  }
  // What the expression is, by packed position.
  std::map<uint64_t, double> Of(std::string_view expression) {
    const std::string why = Add(expression);
    EXPECT_EQ(why, "");
    std::map<uint64_t, double> out;
    if (!why.empty()) return out;
    const std::vector<CounterValue> values = Values();
    Arena arena;
    Series series;
    EXPECT_TRUE(plan_.Evaluate(plan_.count() - 1, values.data(),
                               static_cast<uint32_t>(values.size()), &arena, &series));
    for (uint32_t i = 0; i < series.count; ++i) out[series.positions[i]] = series.values[i];
    EXPECT_EQ(out.size(), series.count);
    return out;
  }
  using Is = std::map<uint64_t, double>;
  static uint64_t At(CounterDimension dimension, uint16_t place) {
    return PackPosition(Value(0, dimension, place, 0));
  }

  Definitions known_;
  TwoEngines facts_;
  Plan plan_;
  std::vector<std::unique_ptr<Definition>> own_;
};

TEST_F(CounterPlanTest, KnowsPrecedence) {
  EXPECT_EQ(Of("2+3*4"), (Is{{0, 14}}));
  EXPECT_EQ(Of("(2+3)*4"), (Is{{0, 20}}));
  EXPECT_EQ(Of("10-4-3"), (Is{{0, 3}}));
  EXPECT_EQ(Of("16/4/2"), (Is{{0, 2}}));
  EXPECT_EQ(Of("1.5e1*.5"), (Is{{0, 7.5}}));
  EXPECT_EQ(Of("7/0"), (Is{{0, 0}}));
}

TEST_F(CounterPlanTest, ReducesAllOrSomeDimensions) {
  EXPECT_EQ(Of("reduce(HIT,sum)"), (Is{{0, 10}}));
  EXPECT_EQ(Of("reduce(HIT,avr)"), (Is{{0, 2.5}}));
  EXPECT_EQ(Of("reduce(HIT,min)"), (Is{{0, 1}}));
  EXPECT_EQ(Of("reduce(HIT,max)"), (Is{{0, 4}}));
  EXPECT_EQ(Of("reduce(HIT,sum,[DIMENSION_INSTANCE])"),
            (Is{{0, 3}, {At(CounterDimension::kXcc, 1), 7}}));
  EXPECT_EQ(Of("reduce(HIT,max,[DIMENSION_XCC,DIMENSION_INSTANCE])"), (Is{{0, 4}}));
}

TEST(CounterDimensions, HaveTheNamesOfAmdsLibraryToo) {
  EXPECT_EQ(DimensionOf("XCD"), CounterDimension::kXcc);
  EXPECT_EQ(DimensionOf("SE"), CounterDimension::kEngine);
  EXPECT_EQ(DimensionOf("INSTANCE"), CounterDimension::kInstance);
  EXPECT_EQ(DimensionOf("XCE"), CounterDimension::kNone);
}

TEST_F(CounterPlanTest, ReducesAnyOfThreeDimensions) {
  constexpr CounterDimension kXcc = CounterDimension::kXcc, kEngine = CounterDimension::kEngine,
                             kInstance = CounterDimension::kInstance;
  EXPECT_EQ(Of("REQ").size(), 8u);
  EXPECT_EQ(
      Of("reduce(REQ,sum,[DIMENSION_INSTANCE])"),
      (Is{{0, 3}, {At(kEngine, 1), 7}, {At(kXcc, 1), 11}, {At(kXcc, 1) + At(kEngine, 1), 15}}));
  EXPECT_EQ(Of("reduce(REQ,max,[DIMENSION_XCC,DIMENSION_SHADER_ENGINE])"),
            (Is{{0, 7}, {At(kInstance, 1), 8}}));
  EXPECT_EQ(Of("reduce(REQ,avr,[DIMENSION_SHADER_ENGINE,DIMENSION_INSTANCE])"),
            (Is{{0, 2.5}, {At(kXcc, 1), 6.5}}));
  EXPECT_EQ(Of("reduce(reduce(REQ,sum,[DIMENSION_XCC]),min)"), (Is{{0, 6}}));
  EXPECT_EQ(Add("REQ+HIT"),
            "Own: one operand has the dimensions "
            "DIMENSION_XCC,DIMENSION_SHADER_ENGINE,DIMENSION_INSTANCE, the other "
            "DIMENSION_XCC,DIMENSION_INSTANCE: reduce one");
}

TEST_F(CounterPlanTest, SelectsInstances) {
  EXPECT_EQ(Of("select(WAVES,[DIMENSION_SHADER_ENGINE=[1]])"), (Is{{0, 5}}));
  EXPECT_EQ(Of("reduce(select(HIT,[DIMENSION_XCC=[1],DIMENSION_INSTANCE=[0]]),sum)"), (Is{{0, 3}}));
  EXPECT_EQ(Of("select(WAVES,[DIMENSION_SHADER_ENGINE=[0,1]])"),
            (Is{{0, 3}, {At(CounterDimension::kEngine, 1), 5}}));
}

TEST_F(CounterPlanTest, CombinesInstanceByInstanceAndWithOneValue) {
  EXPECT_EQ(Of("BUSY/WAVES"), (Is{{0, 10}, {At(CounterDimension::kEngine, 1), 4}}));
  EXPECT_EQ(Of("100*WAVES"), (Is{{0, 300}, {At(CounterDimension::kEngine, 1), 500}}));
  EXPECT_EQ(Of("WAVES-CLOCK"), (Is{{0, -47}, {At(CounterDimension::kEngine, 1), -45}}));
  EXPECT_EQ(Add("WAVES+HIT"),
            "Own: one operand has the dimensions DIMENSION_SHADER_ENGINE, the other "
            "DIMENSION_XCC,DIMENSION_INSTANCE: reduce one");
}

TEST_F(CounterPlanTest, KnowsPropertiesOfTheGpuAndOtherCounters) {
  EXPECT_EQ(Of("simd_count/simd_per_cu"), (Is{{0, 60}}));
  EXPECT_EQ(Of("Rate+1"), (Is{{0, 21}}));
  EXPECT_EQ(Add("Missing*2"),
            "Own: Missing is neither a counter of this GPU nor one of its properties");
  EXPECT_EQ(Add("Loop"), "Loop: Pool is defined by itself, or by too many others");
}

TEST_F(CounterPlanTest, AccumulatesOnlyEventsOfTheSequencer) {
  EXPECT_EQ(Add("accumulate(WAVES,HIGH_RES)"), "");
  EXPECT_EQ(plan_.set().events[0].flags, 2u);
  EXPECT_EQ(Add("accumulate(WAVES,LOW_RES)"), "");
  EXPECT_EQ(plan_.set().events[1].flags, 1u);
  EXPECT_EQ(Add("accumulate(HIT,NONE)+CLOCK"), "");
  EXPECT_EQ(Add("accumulate(HIT,LOW_RES)"),
            "Own: accumulate takes an event of block SQ, which HIT is not");
  EXPECT_EQ(Add("accumulate(Rate,NONE)"),
            "Own: accumulate takes an event of the hardware, which Rate is not");
}

TEST_F(CounterPlanTest, CountsAnEventOnce) {
  EXPECT_EQ(Add("WAVES+WAVES*reduce(WAVES,sum)"), "");
  EXPECT_EQ(Add("reduce(WAVES,max)"), "");
  EXPECT_EQ(plan_.set().count, 1u);
  EXPECT_EQ(Add("WAVES+HIT"), Add("WAVES+HIT"));
  EXPECT_EQ(plan_.set().count, 1u);  // what cannot be added leaves nothing
}

TEST_F(CounterPlanTest, GivesConstantsAnEventToBeCountedWith) {
  EXPECT_EQ(Add("simd_count"), "");
  EXPECT_EQ(plan_.set().count, 0u);
  plan_.NeedEvent(known_, kGpu);
  ASSERT_EQ(plan_.set().count, 1u);
  EXPECT_STREQ(plan_.set().events[0].block, "GRBM");
}

TEST_F(CounterPlanTest, NamesThePlaceOfAnError) {
  EXPECT_EQ(Add("1+"), "Own: a number, a name or \"(\" is expected at character 3 of \"1+\"");
  EXPECT_EQ(Add("(1"), "Own: \")\" is expected at character 3 of \"(1\"");
  EXPECT_EQ(Add("reduce(WAVES,total)"),
            "Own: sum, avr, min or max is expected at character 19 of \"reduce(WAVES,total)\"");
  EXPECT_EQ(Add("WAVES WAVES"),
            "Own: an operator or the end is expected at character 7 of \"WAVES WAVES\"");
  EXPECT_EQ(Add(std::string(100, '(')).substr(0, 28), "Own: it is nested too deeply");
}

TEST_F(CounterPlanTest, EveryBuiltInCounterCanBeMade) {
  Definitions all;
  ASSERT_TRUE(all.Append(BuiltInText(), {}).ok());
  uint32_t made = 0;
  std::set<std::string_view> names;
  for (uint32_t number = 1; number <= all.count(); ++number) {
    const Definition& counter = all.at(number);
    names.insert(counter.name);
    EXPECT_FALSE(counter.description.empty()) << counter.name;
    for (uint32_t i = 0; i < counter.gpu_count; ++i) {
      auto plan = std::make_unique<Plan>();
      Status why = Status::Ok();
      EXPECT_EQ(plan->Add(all, counter.gpus[i], counter, nullptr, &why), PlanError::kNone)
          << why.message();
      ++made;
    }
  }
  EXPECT_EQ(names.size(), 797u);
  EXPECT_EQ(made, 3907u);
}

}  // namespace
}  // namespace rtl::counters
