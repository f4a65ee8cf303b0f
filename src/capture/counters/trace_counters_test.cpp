// SPDX-License-Identifier: MIT
#include "capture/counters/trace_counters.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "capture/counters/aqlprofile.h"
#include "capture/hsa/queue_identity.h"

namespace rtl::capture {
namespace {

struct KeptCounters final : RecordSink {
  struct Kept {
    CounterRecord record;
    std::string name;
  };
  std::vector<Kept> kept;
  size_t room = SIZE_MAX;
  uint64_t recorded = 0, lost = 0;

  bool Write(const void* record, size_t bytes, const char* text, size_t text_bytes) override {
    if (kept.size() == room) return false;
    EXPECT_EQ(bytes, sizeof(CounterRecord));
    Kept added;
    memcpy(&added.record, record, sizeof added.record);
    added.name.assign(text, text_bytes);
    kept.push_back(added);
    return true;
  }
  void CountSeen(EventKind, uint64_t) override {}
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
  return api;
}

std::string ProblemOf(const char* text) { return TraceCounters().Parse(text).message(); }

TEST(TraceCountersTest, TakesEachGpusOwnItems) {
  TraceCounters counters;
  ASSERT_TRUE(counters.Parse("gfx906/SALU=SQ:30,gfx90a/SALU=SQ:31,gfx906/HIT=TCC:20").ok());
  KeptCounters sink;
  const HsaApi api = ApiOfOneGpu();
  counters.Open(&sink, &api);
  uint64_t token = 0;
  g_gpu = "gfx906";
  const CounterSet* set = counters.Choose({}, {}, &token);
  ASSERT_NE(set, nullptr);
  ASSERT_EQ(set->count, 2u);
  EXPECT_EQ(set->events[0].event, 30u);
  EXPECT_STREQ(set->events[1].block, "TCC");
  g_gpu = "gfx90a";
  set = counters.Choose({}, {}, &token);
  ASSERT_NE(set, nullptr);
  ASSERT_EQ(set->count, 1u);
  EXPECT_EQ(set->events[0].event, 31u);
  g_gpu = "gfx1030";
  EXPECT_EQ(counters.Choose({}, {}, &token), nullptr);
}

TEST(TraceCountersTest, WritesARecordForEachInstanceAndCountsTheKernelOnce) {
  TraceCounters counters;
  ASSERT_TRUE(counters.Parse("SQ_WAVES=SQ:4,HIT=TCC:20").ok());
  KeptCounters sink;
  const HsaApi api = ApiOfOneGpu();
  counters.Open(&sink, &api);
  uint64_t token = 0;
  ASSERT_NE(counters.Choose({}, {}, &token), nullptr);
  CounterValue values[2];
  values[0].event = 0;
  values[0].value = 7;
  values[0].position[static_cast<size_t>(CounterDimension::kEngine)] = 3;
  values[1].event = 1;
  values[1].value = 9;
  values[1].position[static_cast<size_t>(CounterDimension::kInstance)] = 15;
  DispatchRecord kernel;
  kernel.dispatch = 42;
  counters.Counted(token, kernel, {}, values, 2);
  ASSERT_EQ(sink.kept.size(), 2u);
  EXPECT_EQ(sink.kept[0].name, "SQ_WAVES");
  EXPECT_EQ(sink.kept[0].record.value, 7u);
  EXPECT_EQ(sink.kept[0].record.position, uint64_t{3} << 2 * kCounterPositionBits);
  EXPECT_EQ(sink.kept[0].record.flags, 0u);
  EXPECT_EQ(sink.kept[1].name, "HIT");
  EXPECT_EQ(sink.kept[1].record.dispatch, 42u);
  EXPECT_EQ(sink.kept[1].record.position, uint64_t{15} << 6 * kCounterPositionBits);
  EXPECT_EQ(sink.kept[1].record.flags, kCounterFlagLast);
  EXPECT_EQ(sink.recorded, 1u);

  sink.room = 3;
  counters.Counted(token, kernel, {}, values, 2);
  EXPECT_EQ(sink.recorded, 1u);
  EXPECT_EQ(sink.lost, 1u);
}

TEST(TraceCountersTest, NamesTheItemThatItCannotRead) {
  EXPECT_EQ(ProblemOf("SQ_WAVES"), "SQ_WAVES is not NAME=BLOCK:EVENT");
  EXPECT_EQ(ProblemOf("A=SQ:4,B=SQ:x"), "B=SQ:x is not NAME=BLOCK:EVENT");
  EXPECT_EQ(ProblemOf("A=SQ:4,,B=SQ:5"), "an item is empty or longer than 127 bytes");
  EXPECT_EQ(ProblemOf("=SQ:4"), "=SQ:4: a name is empty or too long");
  TraceCounters none;
  EXPECT_FALSE(none.Parse("A=SQ:4,B").ok());
  EXPECT_FALSE(none.any());
}

TEST(AqlProfileTest, NamesTheFileThatIsNotThere) {
  AqlProfile library;
  const Status opened = library.Open("/nowhere/libhsa-amd-aqlprofile64.so.1");
  EXPECT_NE(std::string(opened.message()).find("/nowhere/libhsa-amd-aqlprofile64.so.1"),
            std::string::npos);
  EXPECT_FALSE(library.open());
}

TEST(AqlProfileTest, NamesTheFunctionThatAnOlderLibraryDoesNotHave) {
  AqlProfile library;
  EXPECT_STREQ(library.Open("libc.so.6").message(),
               "libc.so.6 has no aqlprofile_register_agent_info: it is older than ROCm 6.3");
}

}  // namespace
}  // namespace rtl::capture
