// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

#include "export/exporter.h"
#include "trace/read/query_test_support.h"

namespace rtl::exporting {
namespace {

using query::ExpectOk;
using query::TestTrace;
using rapidjson::Value;

class ChromeJson : public testing::Test {
 protected:
  void SetUp() override {
    trace_.Queue(0);
    trace_.Kernel("_Z4gemmPf");
  }

  void Export(const ExportOptions& options = {}) {
    auto reader = query::OpenTrace(path_);
    const std::string output = directory_.File("trace.json");
    ExpectOk(exporting::Export(*reader, Format::kChrome, output, nullptr, options));
    std::ifstream file(output);
    std::stringstream text;
    text << file.rdbuf();
    json_.Parse<rapidjson::kParseValidateEncodingFlag>(text.str().c_str());
    ASSERT_FALSE(json_.HasParseError()) << json_.GetErrorOffset();
  }

  // The events with this phase and, when given, this name, in the order of time.
  std::vector<const Value*> Events(const std::string& phase, const std::string& name = "") {
    std::vector<const Value*> events;
    for (const Value& event : json_["traceEvents"].GetArray()) {
      if (event["ph"].GetString() != phase) continue;
      if (name.empty() || event["name"].GetString() == name) events.push_back(&event);
    }
    const auto time = [](const Value* event) {
      return event->HasMember("ts") ? (*event)["ts"].GetDouble() : 0;
    };
    std::stable_sort(events.begin(), events.end(),
                     [&](const Value* a, const Value* b) { return time(a) < time(b); });
    return events;
  }

  test::TempDir directory_;
  std::string path_ = directory_.File("trace.db");
  TestTrace trace_{path_};
  rapidjson::Document json_;
};

TEST_F(ChromeJson, HasTheRankOfTheTrace) {
  trace_.Rank(3, 8);
  trace_.Add({.tid = 101, .start = 5000, .end = 6000});
  trace_.Finish();
  Export();
  EXPECT_EQ(json_["distributedInfo"]["rank"].GetUint(), 3u);
  EXPECT_EQ(json_["distributedInfo"]["world_size"].GetUint(), 8u);
  EXPECT_STREQ((*Events("M", "process_name").at(0))["args"]["name"].GetString(), "rank 3: app");
}

TEST_F(ChromeJson, HasNoRankForATraceOfSeveralRanks) {
  trace_.Rank(0, 2);
  trace_.NextProcess();
  trace_.Rank(1, 2);
  trace_.Finish();
  Export();
  EXPECT_FALSE(json_.HasMember("distributedInfo"));
}

TEST_F(ChromeJson, HasACopyWithItsBytesOnItsOwnTrack) {
  CopyRecord copy;
  copy.dst_agent = 1;
  copy.kind = CopyKind::kHostToDevice;
  copy.bytes = 5000;
  copy.start = 4000;
  copy.end = 5000;
  trace_.Copy(copy);
  trace_.Finish();
  Export();
  const auto copies = Events("X", "Memcpy HtoD (Pinned -> Device)");
  ASSERT_EQ(copies.size(), 1u);
  const Value& event = *copies[0];
  EXPECT_STREQ(event["cat"].GetString(), "gpu_memcpy");
  EXPECT_DOUBLE_EQ(event["ts"].GetDouble(), 4.0);
  EXPECT_DOUBLE_EQ(event["dur"].GetDouble(), 1.0);
  EXPECT_EQ(event["args"]["bytes"].GetUint64(), 5000u);
  EXPECT_EQ(event["args"]["device"].GetUint64(), 0u);
  EXPECT_GT(event["args"]["stream"].GetUint64(), 1u) << "the queue's";
  EXPECT_DOUBLE_EQ(event["args"]["memory bandwidth (GB/s)"].GetDouble(), 5.0);
  const auto names = Events("M", "thread_name");
  ASSERT_EQ(names.size(), 1u);
  EXPECT_STREQ((*names[0])["args"]["name"].GetString(), "copies host to GPU 0");
}

TEST_F(ChromeJson, HasABarrierOnTheTrackOfItsQueue) {
  trace_.Add({.submit = 500, .start = 1000, .end = 1200});
  BarrierRecord barrier;
  barrier.queue = 1;
  barrier.kind = BarrierKind::kOr;
  barrier.dependencies = 2;
  barrier.packet = 9;
  barrier.start = 4000;
  barrier.end = 5000;
  trace_.Barrier(barrier);
  trace_.Finish();
  Export();
  const auto barriers = Events("X", "BarrierOr");
  ASSERT_EQ(barriers.size(), 1u);
  const Value& event = *barriers[0];
  EXPECT_STREQ(event["cat"].GetString(), "barrier");
  EXPECT_EQ(event["tid"].GetUint64(), (*Events("X", "gemm(float*)")[0])["tid"].GetUint64());
  EXPECT_DOUBLE_EQ(event["dur"].GetDouble(), 1.0);
  EXPECT_EQ(event["args"]["dependencies"].GetUint64(), 2u);
  EXPECT_EQ(event["args"]["packet"].GetUint64(), 9u);
}

TEST_F(ChromeJson, HasEventsOfSpanKindsWithTheirValues) {
  trace_.builder().Event(EventKind::kHsaCall,
                         test::TraceBuilder::HsaOperation("hsa_signal_store_relaxed"),
                         HsaCallValues{}, {.start = 1000, .end = 3000, .slots = {0x70, 5}});
  trace_.builder().Event(EventKind::kAllocation,
                         static_cast<uint16_t>(AllocationOperation::kAllocate),
                         AllocationValues{.agent = 2, .bytes = 4096, .address = 0x7f00},
                         {.start = 1500, .end = 2500, .correlation = 9});
  trace_.builder().Event(EventKind::kInit, static_cast<uint16_t>(InitOperation::kHip),
                         InitValues{.version = 60400}, {.start = 500, .end = 500});
  trace_.Finish();
  Export();
  const Value& call = *Events("X", "hsa_signal_store_relaxed").at(0);
  EXPECT_STREQ(call["cat"].GetString(), "hsa");
  EXPECT_EQ(call["tid"].GetUint64(), 101u);
  EXPECT_DOUBLE_EQ(call["dur"].GetDouble(), 2.0);
  EXPECT_STREQ(call["args"]["args"].GetString(), "signal=0x70, value=5");
  EXPECT_FALSE(call["args"].HasMember("result"));
  const Value& allocation = *Events("X", "allocate").at(0);
  EXPECT_STREQ(allocation["cat"].GetString(), "memory");
  EXPECT_EQ(allocation["args"]["device"].GetUint64(), 1u);
  EXPECT_EQ(allocation["args"]["bytes"].GetUint64(), 4096u);
  EXPECT_STREQ(allocation["args"]["address"].GetString(), "0x7f00");
  EXPECT_EQ(allocation["args"]["call"].GetUint64(), 9u);
  EXPECT_FALSE(allocation["args"].HasMember("correlation"));
  EXPECT_FALSE(allocation["args"].HasMember("status"));
  const Value& init = *Events("i", "HIP").at(0);
  EXPECT_EQ(init["args"]["version"].GetUint64(), 60400u);
}

TEST_F(ChromeJson, LinksACallToItsCopy) {
  trace_.GraphLaunch({.start = 2000, .end = 9000, .correlation = 3});
  CopyRecord copy;
  copy.dst_agent = 1;
  copy.kind = CopyKind::kHostToDevice;
  copy.start = 4000;
  copy.end = 5000;
  copy.correlation = 3;
  trace_.Copy(copy);
  trace_.Finish();
  Export();
  const auto from = Events("s", "ac2g");
  const auto to = Events("f", "ac2g");
  ASSERT_EQ(from.size(), 1u);
  ASSERT_EQ(to.size(), 1u);
  EXPECT_EQ((*from[0])["id"].GetUint64(), (*to[0])["id"].GetUint64());
  EXPECT_DOUBLE_EQ((*to[0])["ts"].GetDouble(), 4.0);
  const Value& arguments = (*Events("X", "Memcpy HtoD (Pinned -> Device)")[0])["args"];
  EXPECT_EQ(arguments["correlation"].GetUint64(),
            (*Events("X", "hipGraphLaunch")[0])["args"]["correlation"].GetUint64());
  EXPECT_EQ(arguments["hip_stream"].GetUint64(), 1u);
}

TEST_F(ChromeJson, HasAKernelInMicrosecondsWithItsArguments) {
  trace_.Push(101, 1000, "step");
  trace_.Add({.tid = 101, .submit = 2000, .start = 5001, .end = 1'006'002});
  trace_.Pop(101, 3000);
  trace_.Finish();
  Export();
  const auto kernels = Events("X", "gemm(float*)");
  ASSERT_EQ(kernels.size(), 1u);
  const Value& kernel = *kernels[0];
  EXPECT_STREQ(kernel["cat"].GetString(), "kernel");
  EXPECT_EQ(kernel["pid"].GetUint(), 1000u);
  EXPECT_DOUBLE_EQ(kernel["ts"].GetDouble(), 5.001);
  EXPECT_DOUBLE_EQ(kernel["dur"].GetDouble(), 1001.001);
  const Value& arguments = kernel["args"];
  EXPECT_EQ(arguments["device"].GetUint(), 0u);
  EXPECT_EQ(arguments["stream"].GetUint(), 1u);
  EXPECT_EQ(arguments["grid"][0].GetUint(), 16u);  // 1000 work-items in workgroups of 64
  EXPECT_EQ(arguments["grid"][1].GetUint(), 1u);
  EXPECT_EQ(arguments["block"][0].GetUint(), 64u);
  EXPECT_EQ(arguments["work_items"][0].GetUint(), 1000u);
  EXPECT_EQ(arguments["lds_bytes"].GetUint(), 512u);
  EXPECT_EQ(arguments["vgprs"].GetUint(), 32u);
  EXPECT_EQ(arguments["wait_ns"].GetUint(), 3001u);
  EXPECT_STREQ(arguments["mangled_name"].GetString(), "_Z4gemmPf");
  EXPECT_STREQ(arguments["roctx_range"].GetString(), "step");
}

TEST_F(ChromeJson, AKernelHasTheInnermostRangeEvenIfThatDoesNotNestWithACall) {
  trace_.Push(101, 1000, "outer");
  trace_.GraphLaunch({.start = 1500, .end = 2600, .correlation = 7});
  trace_.Push(101, 1600, "step");  // ends after the call in which it seems to begin
  trace_.Add({.tid = 101, .submit = 2000, .start = 5000, .end = 6000, .correlation = 7});
  trace_.Pop(101, 3000);
  trace_.Add({.tid = 101, .submit = 3500, .start = 7000, .end = 8000});
  trace_.Pop(101, 4000);
  trace_.Finish();
  Export();
  const auto kernels = Events("X", "gemm(float*)");
  ASSERT_EQ(kernels.size(), 2u);
  EXPECT_STREQ((*kernels[0])["args"]["roctx_range"].GetString(), "step");
  EXPECT_STREQ((*kernels[1])["args"]["roctx_range"].GetString(), "outer");
}

TEST_F(ChromeJson, DrawsAnArrowFromTheRangeToTheKernel) {
  trace_.Push(101, 1000, "step");
  trace_.Add({.tid = 101, .submit = 2000, .start = 5000, .end = 6000});
  trace_.Pop(101, 3000);
  trace_.Add({.tid = 101, .submit = 4000, .start = 7000, .end = 8000});  // in no range
  trace_.Finish();
  Export();
  const auto starts = Events("s");
  const auto ends = Events("f");
  ASSERT_EQ(starts.size(), 2u);
  ASSERT_EQ(ends.size(), 2u);
  const Value& range = *Events("X", "step").at(0);
  const Value& kernel = *Events("X", "gemm(float*)").at(0);
  EXPECT_EQ((*starts[0])["id"].GetUint64(), (*ends[0])["id"].GetUint64());
  EXPECT_NE((*starts[0])["id"].GetUint64(), (*starts[1])["id"].GetUint64());
  EXPECT_EQ((*starts[0])["tid"].GetUint(), range["tid"].GetUint());
  EXPECT_DOUBLE_EQ((*starts[0])["ts"].GetDouble(), 2.0);
  EXPECT_EQ((*ends[0])["tid"].GetUint(), kernel["tid"].GetUint());
  EXPECT_STREQ((*ends[0])["bp"].GetString(), "e");
}

TEST_F(ChromeJson, NamesTheGpusOfRanksByBusAndRank) {
  trace_.Rank(0, 2);
  trace_.Add({.tid = 101, .submit = 5, .start = 10, .end = 20});
  trace_.NextProcess();
  trace_.Rank(1, 2);
  trace_.Queue(1);
  trace_.Kernel("other");
  trace_.Add({.tid = 102, .submit = 5, .start = 10, .end = 20});
  CopyRecord copy;
  copy.dst_agent = 2;
  copy.kind = CopyKind::kHostToDevice;
  copy.start = 30;
  copy.end = 40;
  trace_.Copy(copy);
  trace_.Finish();
  query::ExecuteSql(path_, query::kEachRankSeesItsGpu);
  Export();
  std::set<std::string> names;
  for (const Value* event : Events("M", "thread_name")) {
    names.insert((*event)["args"]["name"].GetString());
  }
  EXPECT_EQ(names, (std::set<std::string>{"GPU 0 (01:00.0, rank 0) queue 1 (hsa 17)",
                                          "GPU 1 (02:00.0, rank 1) queue 1 (hsa 17)",
                                          "copies host to GPU 1 (02:00.0, rank 1)", "thread 101",
                                          "thread 102"}));
}

TEST_F(ChromeJson, NamesProcessesThreadsAndQueues) {
  trace_.Mark(101, 10, "mark");
  trace_.Add({.tid = 101, .submit = 5, .start = 10, .end = 20});
  trace_.Finish();
  Export();
  std::vector<std::string> names;
  for (const Value* event : Events("M")) {
    if (!(*event)["args"].HasMember("name")) continue;
    names.push_back((*event)["args"]["name"].GetString());
  }
  EXPECT_EQ(names, (std::vector<std::string>{"app", "thread 101", "GPU 0 queue 1 (hsa 17)"}));
  EXPECT_EQ(Events("i", "mark").size(), 1u);
  EXPECT_EQ((*Events("i", "mark")[0])["tid"].GetUint(), 101u);
}

TEST_F(ChromeJson, IsValidForAnyNames) {
  trace_.Mark(101, 10, "quote \" backslash \\ newline \n tab \t");
  trace_.Mark(101, 20, "other");
  trace_.Finish();
  query::ExecuteSql(path_,
                    "UPDATE rocpd_string SET string = CAST(x'61ff62' AS TEXT)"
                    " WHERE string = 'other';"
                    "INSERT INTO rocpd_metadata (tag, value)"
                    " VALUES (CAST(x'ff' AS TEXT), CAST(x'fe' AS TEXT)), ('note', 'a \"note\"')");
  Export();
  EXPECT_EQ(Events("i", "quote \" backslash \\ newline \n tab \t").size(), 1u);
  EXPECT_EQ(Events("i",
                   "a\xEF\xBF\xBD"
                   "b")
                .size(),
            1u);
  EXPECT_STREQ(json_["otherData"]["note"].GetString(), "a \"note\"");
  EXPECT_EQ(json_["baseTimeNanoseconds"].GetInt64(), 1'700'000'000'000'000'000);
}

// 400 days after the boot. Readers take times for doubles.
TEST_F(ChromeJson, TimesAreExactAsDoublesForALongUptime) {
  constexpr uint64_t kSecond = 1'000'000'000, kUptime = 400 * 86'400 * kSecond + 123'456'789;
  for (uint64_t i = 0; i < 50; ++i) {
    const uint64_t start = kUptime + 3 * kSecond + i * 1'000'001;
    trace_.Add({.tid = 101, .submit = start - 7, .start = start, .end = start + 13});
  }
  trace_.Finish();
  query::ExecuteSql(path_, "UPDATE rtl_process SET started = " + std::to_string(kUptime));
  Export();
  const auto nanoseconds = [](const Value& value) {
    return std::llround(value.GetDouble() * 1000);
  };
  const char* const text = json_["otherData"]["ts_base_boottime"].GetString();
  const int64_t base = std::strtoll(text, nullptr, 10);
  EXPECT_EQ(base, static_cast<int64_t>(400 * 86'400 * kSecond));
  EXPECT_EQ(json_["baseTimeNanoseconds"].GetInt64(), 1'700'000'000'000'000'000 + base);
  const auto kernels = Events("X", "gemm(float*)");
  ASSERT_EQ(kernels.size(), 50u);
  for (size_t i = 0; i < kernels.size(); ++i) {
    const auto start = static_cast<int64_t>(kUptime + 3 * kSecond + i * 1'000'001);
    EXPECT_EQ(base + nanoseconds((*kernels[i])["ts"]), start);
    EXPECT_EQ(nanoseconds((*kernels[i])["dur"]), 13);
  }
}

TEST_F(ChromeJson, HasTheTimesOfWorkBeforeItsProcess) {
  trace_.Add({.tid = 101, .submit = 1'000, .start = 2'000, .end = 3'000});
  trace_.Finish();
  query::ExecuteSql(path_, "UPDATE rtl_process SET started = 5000000000");
  Export();
  EXPECT_EQ((*Events("X", "gemm(float*)").at(0))["ts"].GetDouble(), -4'999'998.0);
}

TEST_F(ChromeJson, IsValidForAnEmptyTrace) {
  trace_.Finish();
  Export();
  EXPECT_EQ(json_["traceEvents"].Size(), 1u);  // the process
}

TEST_F(ChromeJson, LeavesNoFileWhenTheTraceIsDamaged) {
  for (uint64_t i = 0; i < 20'000; ++i) trace_.Add({.start = i, .end = i + 1});
  trace_.Finish();
  auto reader = query::OpenTrace(path_);
  const std::atomic<bool> cancel{true};
  reader->SetCancel(&cancel);
  const Status status =
      exporting::Export(*reader, Format::kChrome, directory_.File("out.json"), nullptr);
  EXPECT_FALSE(status.ok());
  EXPECT_EQ(directory_.Count(), 1u);  // the trace itself
}

TEST_F(ChromeJson, LinksACallToItsKernels) {
  trace_.Call("hipMemsetAsync", {0x10, 0, 4096, 0x20},
              {.start = 1500, .end = 2600, .correlation = 7});
  trace_.Add({.tid = 101, .submit = 2000, .start = 5000, .end = 6000, .correlation = 7});
  trace_.Add({.tid = 101, .submit = 2500, .start = 6000, .end = 7000, .correlation = 7});
  trace_.Finish();
  Export();
  const auto calls = Events("X", "hipMemsetAsync");
  ASSERT_EQ(calls.size(), 1u);
  const Value& call = *calls[0];
  EXPECT_STREQ(call["cat"].GetString(), "cuda_runtime");
  EXPECT_EQ(call["tid"].GetUint64(), 101u);
  EXPECT_DOUBLE_EQ(call["ts"].GetDouble(), 1.5);
  EXPECT_DOUBLE_EQ(call["dur"].GetDouble(), 1.1);
  const uint64_t correlation = call["args"]["correlation"].GetUint64();
  EXPECT_STREQ(call["args"]["args"].GetString(), "dst=0x10, value=0, sizeBytes=4096, stream=0x20");
  EXPECT_FALSE(call["args"].HasMember("stream")) << "what has one is taken for work of the GPU";
  EXPECT_STREQ(call["args"]["hip_stream"].GetString(), "1");
  EXPECT_STREQ(call["args"]["result"].GetString(), "hipSuccess");
  const auto starts = Events("s");
  const auto ends = Events("f");
  ASSERT_EQ(starts.size(), 1u);
  ASSERT_EQ(ends.size(), 2u);
  for (const Value* end : ends) EXPECT_EQ((*end)["id"].GetUint64(), correlation);
  EXPECT_EQ((*starts[0])["id"].GetUint64(), correlation);
  for (const Value* kernel : Events("X", "gemm(float*)")) {
    EXPECT_EQ((*kernel)["args"]["correlation"].GetUint64(), correlation);
    EXPECT_EQ((*kernel)["args"]["hip_stream"].GetUint64(), 1u);
  }
}

// As those of RPD.
TEST_F(ChromeJson, LinksCallsWhoseNumbersAreFarApart) {
  constexpr uint64_t kFar = uint64_t{3} << 31;
  for (const uint64_t i : {0, 1}) {
    trace_.Call("hipMemsetAsync", {0x10, 0, 4096, 0x20},
                {.start = 1500 + 100 * i, .end = 1600 + 100 * i, .correlation = kFar * (i + 1)});
    trace_.Add({.tid = 101, .start = 5000, .end = 6000, .correlation = kFar * (i + 1)});
  }
  trace_.Finish();
  Export();
  const auto kernels = Events("X", "gemm(float*)");
  ASSERT_EQ(kernels.size(), 2u);
  EXPECT_EQ((*kernels[0])["args"]["correlation"].GetUint64(), kFar);
  EXPECT_EQ((*kernels[1])["args"]["correlation"].GetUint64(), 2 * kFar);
  EXPECT_EQ(Events("s").size(), 2u);
}

// Readers take one kernel for each launch, and know few names of launches.
TEST_F(ChromeJson, EachKernelOfAGraphHasItsOwnLaunchWithinTheCall) {
  trace_.GraphLaunch({.start = 1500, .end = 2600, .correlation = 7});
  trace_.Add({.tid = 101, .submit = 2000, .start = 5000, .end = 6000, .correlation = 7});
  trace_.Add({.tid = 101, .submit = 2500, .start = 6000, .end = 7000, .correlation = 7});
  BarrierRecord barrier;
  barrier.head.thread = 101;
  barrier.submitted = 2550;
  barrier.start = 7000;
  barrier.end = 7100;
  barrier.correlation = 7;
  trace_.Barrier(barrier);
  trace_.Finish();
  Export();
  const Value& call = *Events("X", "hipGraphLaunch").at(0);
  const auto launches = Events("X", "hipLaunchKernel");
  const auto kernels = Events("X", "gemm(float*)");
  ASSERT_EQ(launches.size(), 2u);
  ASSERT_EQ(kernels.size(), 2u);
  for (size_t i = 0; i < 2; ++i) {
    const Value& arguments = (*launches[i])["args"];
    EXPECT_STREQ(arguments["recorded"].GetString(), "submission");
    EXPECT_EQ(arguments["call"].GetUint64(), call["args"]["correlation"].GetUint64());
    EXPECT_EQ((*launches[i])["tid"].GetUint64(), call["tid"].GetUint64());
    const uint64_t link = arguments["correlation"].GetUint64();
    EXPECT_EQ((*kernels[i])["args"]["correlation"].GetUint64(), link);
    EXPECT_EQ((*kernels[i])["args"]["hip_stream"].GetUint64(), 1u) << "known by the call";
    EXPECT_EQ((*Events("s").at(i + 1))["id"].GetUint64(), link);
    EXPECT_EQ((*Events("f").at(i))["id"].GetUint64(), link);
  }
  ASSERT_EQ(Events("s").size(), 3u) << "to the barrier leads the call itself";
  ASSERT_EQ(Events("f").size(), 3u);
  EXPECT_EQ((*Events("f")[2])["id"].GetUint64(), call["args"]["correlation"].GetUint64());
}

// Correlation ids start over in every process, and exec starts another program in the same process.
TEST_F(ChromeJson, SeparatesTheProgramsOfOneProcess) {
  trace_.SetDevice({.start = 1000, .end = 1100, .thread = 1000, .correlation = 6});
  trace_.GraphLaunch({.start = 1500, .end = 2600, .thread = 1000, .correlation = 7});
  trace_.Add({.tid = 1000, .submit = 2000, .start = 2100, .end = 2200, .correlation = 7});
  trace_.NextProcess();
  trace_.Queue(0);
  trace_.Kernel("other");
  trace_.GraphLaunch({.start = 4500, .end = 5600, .thread = 1000, .correlation = 7});
  trace_.Add({.tid = 1000, .submit = 5000, .start = 5100, .end = 5200, .correlation = 7});
  trace_.Finish();
  query::ExecuteSql(path_,
                    "UPDATE rtl_process SET pid = 1000; UPDATE rtl_launch SET pid = 1000;"
                    "UPDATE rtl_call_site SET pid = 1000; UPDATE rtl_queue SET pid = 1000");
  Export();
  const auto calls = Events("X", "hipGraphLaunch");
  const Value& first = *Events("X", "gemm(float*)").at(0);
  const Value& second = *Events("X", "other").at(0);
  ASSERT_EQ(calls.size(), 2u);
  const auto correlation = [](const Value& event) {
    return event["args"]["correlation"].GetUint64();
  };
  const auto launches = Events("X", "hipLaunchKernel");  // of the graphs' kernels
  ASSERT_EQ(launches.size(), 2u);
  EXPECT_EQ(correlation(first), correlation(*launches[0]));
  EXPECT_EQ(correlation(second), correlation(*launches[1]));
  EXPECT_NE(correlation(*calls[0]), correlation(*calls[1]));
  EXPECT_NE(correlation(first), correlation(second));
  EXPECT_NE(first["pid"].GetUint64(), second["pid"].GetUint64());
  EXPECT_EQ((*calls[1])["pid"].GetUint64(), second["pid"].GetUint64());
  EXPECT_NE(first["args"]["stream"].GetUint64(), second["args"]["stream"].GetUint64());
  const auto starts = Events("s");
  ASSERT_EQ(starts.size(), 2u) << "a call without work starts no arrow";
  EXPECT_NE((*starts[0])["id"].GetUint64(), (*starts[1])["id"].GetUint64());
  EXPECT_EQ(Events("M", "process_labels").size(), 1u);
}

TEST_F(ChromeJson, HasALaunchForEachKernelWithoutAKnownCall) {
  trace_.Kernel("__amd_rocclr_fillBufferAligned");
  trace_.Kernel("__amd_rocclr_copyBuffer");
  for (uint32_t kernel = 1; kernel <= 3; ++kernel) {
    const uint64_t time = 1000 * kernel;
    trace_.Add({.kernel = kernel, .tid = 101, .submit = time, .start = time + 1, .end = time + 2});
  }
  trace_.Finish();
  Export();
  const char* const kNames[][2] = {{"hipLaunchKernel", "gemm(float*)"},
                                   {"hipMemsetAsync", "Memset (Device)"},
                                   {"hipMemcpyAsync", "Memcpy Unknown (Unknown -> Unknown)"}};
  for (size_t i = 0; i < 3; ++i) {
    SCOPED_TRACE(kNames[i][0]);
    const auto launch = Events("X", kNames[i][0]);
    const auto work = Events("X", kNames[i][1]);
    ASSERT_EQ(launch.size(), 1u);
    ASSERT_EQ(work.size(), 1u);
    EXPECT_STREQ((*launch[0])["cat"].GetString(), "cuda_runtime");
    EXPECT_STREQ((*launch[0])["args"]["recorded"].GetString(), "submission");
    EXPECT_FALSE((*launch[0])["args"].HasMember("stream"));
    EXPECT_EQ((*launch[0])["args"]["correlation"].GetUint64(),
              (*work[0])["args"]["correlation"].GetUint64());
    EXPECT_DOUBLE_EQ((*launch[0])["ts"].GetDouble(), static_cast<double>(i + 1));
  }
  EXPECT_STREQ((*Events("X", "Memset (Device)")[0])["cat"].GetString(), "gpu_memset");
  EXPECT_EQ(Events("s").size(), 3u);
  EXPECT_EQ(Events("f").size(), 3u);
}

TEST_F(ChromeJson, AFillAndACopyByKernelHaveTheArgumentsOfTheirCall) {
  trace_.Kernel("__amd_rocclr_fillBufferAligned");
  trace_.Kernel("__amd_rocclr_copyBuffer");
  trace_.Call("hipMemset", {0x1000, 0, 4096}, {.start = 1000, .end = 1900, .correlation = 5});
  trace_.Add(
      {.kernel = 2, .tid = 101, .submit = 1500, .start = 2000, .end = 4000, .correlation = 5});
  trace_.Call("hipMemcpy", {0x1000, 0x2000, 512, 2},
              {.start = 5000, .end = 5900, .correlation = 6});
  trace_.Add(
      {.kernel = 3, .tid = 101, .submit = 5500, .start = 6000, .end = 8000, .correlation = 6});
  trace_.Finish();
  Export();
  const auto fill = Events("X", "Memset (Device)");
  const auto copy = Events("X", "Memcpy DtoH (Device -> Pinned)");
  ASSERT_EQ(fill.size(), 1u);
  ASSERT_EQ(copy.size(), 1u);
  EXPECT_STREQ((*fill[0])["cat"].GetString(), "gpu_memset");
  EXPECT_STREQ((*copy[0])["cat"].GetString(), "gpu_memcpy");
  EXPECT_EQ((*fill[0])["args"]["bytes"].GetUint64(), 4096u);
  EXPECT_EQ((*copy[0])["args"]["bytes"].GetUint64(), 512u);
  EXPECT_DOUBLE_EQ((*fill[0])["args"]["memory bandwidth (GB/s)"].GetDouble(), 2.048);
  EXPECT_STREQ((*fill[0])["args"]["kernel"].GetString(), "__amd_rocclr_fillBufferAligned");
}

TEST_F(ChromeJson, StepsAreTheRangesOfTheGivenName) {
  trace_.Push(101, 1000, "step");
  trace_.Pop(101, 2000);
  trace_.Push(101, 2000, "step");
  trace_.Pop(101, 3000);
  trace_.Push(101, 3000, "stepping");
  trace_.Pop(101, 4000);
  trace_.Push(101, 4000, "step_17");
  trace_.Pop(101, 5000);
  trace_.Finish();
  Export({.steps = "step"});
  for (const char* name : {"ProfilerStep#0", "ProfilerStep#1", "stepping", "ProfilerStep#17"}) {
    const auto steps = Events("X", name);
    ASSERT_EQ(steps.size(), 1u) << name;
    EXPECT_STREQ((*steps[0])["cat"].GetString(), "user_annotation");
  }
  EXPECT_STREQ((*Events("X", "ProfilerStep#17")[0])["args"]["range"].GetString(), "step_17");
}

TEST_F(ChromeJson, NumbersStreamsAndQueuesSeparately) {
  trace_.Queue(0);
  trace_.Call("hipMemset", {0x1000, 0, 4096}, {.start = 500, .end = 600, .correlation = 4});
  trace_.GraphLaunch({.start = 1500, .end = 2600, .correlation = 7});
  trace_.Add({.queue = 1, .tid = 101, .submit = 550, .start = 560, .end = 570, .correlation = 4});
  trace_.Add(
      {.queue = 1, .tid = 101, .submit = 2000, .start = 5000, .end = 6000, .correlation = 7});
  trace_.Add({.queue = 1, .tid = 101, .submit = 7000, .start = 7001, .end = 7002});
  trace_.Add({.queue = 2, .tid = 101, .submit = 8000, .start = 8001, .end = 8002});
  trace_.Finish();
  Export();
  std::vector<uint64_t> streams;
  for (const Value* kernel : Events("X", "gemm(float*)")) {
    streams.push_back((*kernel)["args"]["stream"].GetUint64());
  }
  // The null stream, stream 1, queue 1, queue 2; none is 0, which some readers take for no stream.
  EXPECT_EQ(streams, (std::vector<uint64_t>{1, 2, 3, 4}));
}

TEST_F(ChromeJson, AKernelOfAGraphHasItsLaunchAndNode) {
  trace_.GraphLaunch({.start = 1500, .end = 2600, .correlation = 7});
  trace_.Add({.tid = 101, .submit = 2000, .start = 5000, .end = 6000, .correlation = 7});
  trace_.Add({.tid = 101, .submit = 2500, .start = 6000, .end = 7000, .correlation = 7});
  trace_.GraphLaunch({.start = 2700, .end = 2800, .correlation = 8});
  trace_.Add({.tid = 101, .submit = 2750, .start = 7000, .end = 8000, .correlation = 8});
  trace_.Add({.tid = 101, .submit = 2900, .start = 8000, .end = 9000});
  trace_.Finish();
  Export();
  std::vector<const Value*> kernels;
  for (const Value* event : Events("X")) {
    if (std::string((*event)["cat"].GetString()) == "kernel") kernels.push_back(event);
  }
  ASSERT_EQ(kernels.size(), 4u);
  const auto number = [&](size_t kernel, const char* name) {
    return (*kernels[kernel])["args"][name].GetUint64();
  };
  const uint64_t graph = number(0, "graph");
  EXPECT_NE(graph, 0u);
  const uint64_t places[3][2] = {{0, 0}, {0, 1}, {1, 0}};  // launch and node
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(number(i, "graph"), graph);
    EXPECT_EQ(number(i, "graph_launch"), places[i][0]) << i;
    EXPECT_EQ(number(i, "graph_node"), places[i][1]) << i;
  }
  EXPECT_FALSE((*kernels[3])["args"].HasMember("graph"));
}

}  // namespace
}  // namespace rtl::exporting
