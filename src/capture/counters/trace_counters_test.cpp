// SPDX-License-Identifier: MIT
#include "capture/counters/trace_counters.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <string>
#include <vector>

#include "capture/hsa/queue_identity.h"
#include "counters/aqlprofile.h"

namespace rtl::capture {
namespace {

struct KeptCounters final : RecordSink {
  struct Kept {
    CounterRecord record;
    std::string name;
  };
  std::vector<Kept> kept;
  std::vector<std::string> infos;  // "name|block|expression|description"
  size_t room = SIZE_MAX;
  uint64_t recorded = 0, lost = 0;

  bool Write(const void* record, size_t bytes, const char* text, size_t text_bytes) override {
    if (static_cast<const RecordHeader*>(record)->type == RecordType::kCounterInfo) {
      EXPECT_EQ(bytes, sizeof(CounterInfoRecord));
      infos.emplace_back(text, text_bytes);
      for (char& c : infos.back()) c = c == '\0' ? '|' : c;
      return true;
    }
    if (kept.size() == room) return false;
    EXPECT_EQ(bytes, sizeof(CounterRecord));
    Kept added;
    memcpy(&added.record, record, sizeof added.record);
    added.name.assign(text, text_bytes);
    kept.push_back(added);
    return true;
  }
  void CountSubmitted(EventKind, uint64_t) override {}
  void CountRecorded(EventKind kind, uint64_t events) override {
    EXPECT_EQ(kind, EventKind::kCounter);
    recorded += events;
  }
  void CountLoss(EventKind kind, Loss why, uint64_t events) override {
    EXPECT_EQ(kind, EventKind::kCounter);
    EXPECT_EQ(why, Loss::kSpoolFull);
    lost += events;
  }
};

constinit const char* g_gpu = "gfx906";

HsaApi ApiOfOneGpu() {
  HsaApi api;
  api.agent_get_info = [](hsa_agent_t, hsa_agent_info_t, void* out) {
    strcpy(static_cast<char*>(out), g_gpu);
    return HSA_STATUS_SUCCESS;
  };
  api.iterate_agents = [](hsa_status_t (*)(hsa_agent_t, void*), void*) {
    return HSA_STATUS_SUCCESS;  // the first GPU is the one
  };
  return api;
}

QueueIdentity QueueOf(uint32_t agent) {
  QueueIdentity queue;
  queue.agent = agent;
  return queue;
}

std::string ProblemOf(const char* text) { return TraceCounters().Parse(text).message(); }

TEST(TraceCountersTest, KnowsWhatEachGpuCountsByAName) {
  TraceCounters counters;
  ASSERT_TRUE(counters.Parse("SQ_INSTS_SALU,TCC:20,Twice=2*SQ_WAVES").ok());
  KeptCounters sink;
  const HsaApi api = ApiOfOneGpu();
  counters.Open(&sink, &api);
  uint64_t token = 0;
  g_gpu = "gfx906";
  const CounterSet* set = counters.Choose({}, QueueOf(1), nullptr, &token);
  ASSERT_NE(set, nullptr);
  ASSERT_EQ(set->count, 3u);
  EXPECT_EQ(set->events[0].event, 30u);
  EXPECT_STREQ(set->events[1].block, "TCC");
  EXPECT_EQ(set->events[2].event, 4u);
  EXPECT_EQ(counters.Choose({}, QueueOf(1), nullptr, &token), set);
  g_gpu = "gfx90a";
  set = counters.Choose({}, QueueOf(2), nullptr, &token);
  ASSERT_NE(set, nullptr);
  EXPECT_EQ(set->events[0].event, 56u);
  EXPECT_EQ(sink.infos, (std::vector<std::string>{"SQ_INSTS_SALU|SQ||Scalar instructions, by wave",
                                                  "TCC_20|TCC||", "Twice||2*SQ_WAVES|",
                                                  "SQ_INSTS_SALU|SQ||Scalar instructions, by wave",
                                                  "TCC_20|TCC||", "Twice||2*SQ_WAVES|"}));
}

TEST(TraceCountersTest, SaysWhatAGpuDoesNotHave) {
  TraceCounters counters;
  ASSERT_TRUE(counters.Parse("SQ_INSTS_MFMA,Wrong=1+SQ_INSTS_MFMA").ok());
  KeptCounters sink;
  const HsaApi api = ApiOfOneGpu();
  counters.Open(&sink, &api);
  uint64_t token = 0;
  g_gpu = "gfx906";
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(counters.Choose({}, QueueOf(1), nullptr, &token), nullptr);
  EXPECT_EQ(::testing::internal::GetCapturedStderr(),
            "rtl: gfx906 has no counter SQ_INSTS_MFMA\n"
            "rtl: counters of gfx906: Wrong: SQ_INSTS_MFMA is neither a counter of this GPU nor "
            "one of its "
            "properties\n");
}

TEST(TraceCountersTest, WritesARecordForEachInstanceAndCountsTheKernelOnce) {
  TraceCounters counters;
  ASSERT_TRUE(counters.Parse("SQ_WAVES,HIT=TCC:20,Ratio=reduce(SQ_WAVES,sum)/2").ok());
  KeptCounters sink;
  const HsaApi api = ApiOfOneGpu();
  counters.Open(&sink, &api);
  uint64_t token = 0;
  ASSERT_NE(counters.Choose({}, QueueOf(1), nullptr, &token), nullptr);
  CounterValue values[2];
  values[0].event = 0;
  values[0].value = 7;
  values[0].position[static_cast<size_t>(CounterDimension::kEngine)] = 3;
  values[1].event = 1;
  values[1].value = 9;
  values[1].not_modelled = true;
  values[1].position[static_cast<size_t>(CounterDimension::kInstance)] = 15;
  DispatchRecord kernel;
  kernel.dispatch = 42;
  counters.Counted(token, kernel, {}, values, 2);
  ASSERT_EQ(sink.kept.size(), 3u);
  EXPECT_EQ(sink.kept[0].name, "SQ_WAVES");
  EXPECT_EQ(sink.kept[0].record.value, 7u);
  EXPECT_EQ(sink.kept[0].record.position, uint64_t{3} << 2 * kCounterPositionBits);
  EXPECT_EQ(sink.kept[0].record.flags, 0u);
  EXPECT_EQ(sink.kept[1].name, "HIT");
  EXPECT_EQ(sink.kept[1].record.dispatch, 42u);
  EXPECT_EQ(sink.kept[1].record.position, uint64_t{15} << 6 * kCounterPositionBits);
  EXPECT_EQ(sink.kept[1].record.flags, kCounterFlagNotModelled);
  EXPECT_EQ(sink.kept[2].record.flags, kCounterFlagLast | kCounterFlagReal);
  EXPECT_EQ(std::bit_cast<double>(sink.kept[2].record.value), 3.5);
  EXPECT_EQ(sink.recorded, 1u);

  sink.room = 4;
  counters.Counted(token, kernel, {}, values, 2);
  EXPECT_EQ(sink.recorded, 1u);
  EXPECT_EQ(sink.lost, 1u);
}

// Groups take turns on each GPU separately. A kernel that is not chosen takes no turn.
TEST(TraceCountersTest, LetsGroupsTakeTurns) {
  TraceCounters counters;
  ASSERT_TRUE(counters.Parse("SQ_WAVES,TCC:20;SQ_INSTS_SALU;SQ_WAVES", "exclude other", "2").ok());
  counters.filter()->Note(1, "kernel.kd");
  counters.filter()->Note(2, "other.kd");
  KeptCounters sink;
  const HsaApi api = ApiOfOneGpu();
  counters.Open(&sink, &api);
  g_gpu = "gfx906";
  uint64_t token = 0;
  DispatchRecord kernel;
  const auto events = [&](uint32_t agent) {
    kernel.kernel = 2;
    EXPECT_EQ(counters.Choose(kernel, QueueOf(agent), nullptr, &token), nullptr);
    kernel.kernel = 1;
    const CounterSet* const set = counters.Choose(kernel, QueueOf(agent), nullptr, &token);
    std::string text;
    for (uint32_t i = 0; i < set->count; ++i)
      text += std::string(set->events[i].block) + std::to_string(set->events[i].event);
    return text;
  };
  std::vector<std::string> found;
  for (int i = 0; i < 8; ++i) found.push_back(events(1));
  EXPECT_EQ(found, (std::vector<std::string>{"SQ4TCC20", "SQ4TCC20", "SQ30", "SQ30", "SQ4", "SQ4",
                                             "SQ4TCC20", "SQ4TCC20"}));
  EXPECT_EQ(sink.infos,
            (std::vector<std::string>{"SQ_WAVES|SQ||Waves that were started", "TCC_20|TCC||",
                                      "SQ_INSTS_SALU|SQ||Scalar instructions, by wave"}));
  EXPECT_EQ(events(2), "SQ4TCC20");

  EXPECT_EQ(events(2), "SQ4TCC20");
  EXPECT_EQ(events(2), "SQ30");
  CounterValue value;
  value.value = 7;
  counters.Counted(token, kernel, {}, &value, 1);
  ASSERT_EQ(sink.kept.size(), 1u);
  EXPECT_EQ(sink.kept[0].name, "SQ_INSTS_SALU");
  EXPECT_EQ(sink.kept[0].record.flags, kCounterFlagLast);
}

TEST(TraceCountersTest, RefusesAnIntervalThatIsNone) {
  for (const char* wrong : {"0", "x", "-1", "2x", ""}) {
    EXPECT_EQ(std::string(TraceCounters().Parse("SQ_WAVES;TCC:20", nullptr, wrong).message()),
              std::string("the interval of groups is a number of kernels from 1, not ") + wrong);
  }
}

TEST(TraceCountersTest, NamesTheWordThatItCannotRead) {
  EXPECT_EQ(ProblemOf("A=SQ:4,B=SQ:x"), "B=SQ:x: BLOCK:EVENT has a number (SQ:4)");
  EXPECT_EQ(ProblemOf("=SQ:4"), "=SQ:4: a name has letters, digits and _, at most 63");
  EXPECT_EQ(ProblemOf(",,A=SQ:4"), "");
  TraceCounters none;
  EXPECT_FALSE(none.Parse("A=SQ:4,4").ok());
  EXPECT_FALSE(none.any());
}

TEST(AqlProfileTest, NamesTheFileThatIsNotThere) {
  counters::AqlProfile library;
  const Status opened = library.Open("/nowhere/libhsa-amd-aqlprofile64.so.1");
  EXPECT_NE(std::string(opened.message()).find("/nowhere/libhsa-amd-aqlprofile64.so.1"),
            std::string::npos);
  EXPECT_FALSE(library.open());
}

TEST(AqlProfileTest, NamesTheFunctionThatAnOlderLibraryDoesNotHave) {
  counters::AqlProfile library;
  EXPECT_STREQ(library.Open("libc.so.6").message(),
               "libc.so.6 has no aqlprofile_register_agent_info: it is older than ROCm 6.3");
}

}  // namespace
}  // namespace rtl::capture
