// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <fstream>
#include <sstream>

#include "export/exporter.h"
#include "query/query_test_support.h"

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

  void Export() {
    auto reader = query::OpenTrace(path_);
    const std::string output = directory_.File("trace.json");
    ExpectOk(exporting::Export(*reader, Format::kChrome, output, nullptr));
    std::ifstream file(output);
    std::stringstream text;
    text << file.rdbuf();
    json_.Parse<rapidjson::kParseValidateEncodingFlag>(text.str().c_str());
    ASSERT_FALSE(json_.HasParseError()) << json_.GetErrorOffset();
  }

  // The events with this phase and, when given, this name, in the order of the file.
  std::vector<const Value*> Events(const std::string& phase, const std::string& name = "") {
    std::vector<const Value*> events;
    for (const Value& event : json_["traceEvents"].GetArray()) {
      if (event["ph"].GetString() != phase) continue;
      if (name.empty() || event["name"].GetString() == name) events.push_back(&event);
    }
    return events;
  }

  test::TempDir directory_;
  std::string path_ = directory_.File("trace.db");
  TestTrace trace_{path_};
  rapidjson::Document json_;
};

TEST_F(ChromeJson, SaysWhichRankItIs) {
  trace_.Rank(3, 8);
  trace_.Add({.tid = 101, .start = 5000, .end = 6000});
  trace_.Finish();
  Export();
  EXPECT_EQ(json_["distributedInfo"]["rank"].GetUint(), 3u);
  EXPECT_EQ(json_["distributedInfo"]["world_size"].GetUint(), 8u);
  EXPECT_STREQ((*Events("M", "process_name").at(0))["args"]["name"].GetString(), "rank 3: app");
}

TEST_F(ChromeJson, OfSeveralRanksIsNoneOfThem) {
  trace_.Rank(0, 2);
  trace_.NextProcess();
  trace_.Rank(1, 2);
  trace_.Finish();
  Export();
  EXPECT_FALSE(json_.HasMember("distributedInfo"));
}

TEST_F(ChromeJson, HasACopyWithItsBytesOnATrackOfItsOwn) {
  CopyRecord copy;
  copy.dst_agent = 1;
  copy.kind = CopyKind::kHostToDevice;
  copy.bytes = 5000;
  copy.start = 4000;
  copy.end = 5000;
  trace_.Copy(copy);
  trace_.Finish();
  Export();
  const auto copies = Events("X", "CopyHostToDevice");
  ASSERT_EQ(copies.size(), 1u);
  const Value& event = *copies[0];
  EXPECT_STREQ(event["cat"].GetString(), "gpu_memcpy");
  EXPECT_DOUBLE_EQ(event["ts"].GetDouble(), 4.0);
  EXPECT_DOUBLE_EQ(event["dur"].GetDouble(), 1.0);
  EXPECT_EQ(event["args"]["bytes"].GetUint64(), 5000u);
  EXPECT_EQ(event["args"]["device"].GetUint64(), 0u);
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
  EXPECT_EQ(allocation["args"]["correlation"].GetUint64(), 9u);
  EXPECT_FALSE(allocation["args"].HasMember("status"));
  const Value& init = *Events("i", "HIP").at(0);
  EXPECT_EQ(init["args"]["version"].GetUint64(), 60400u);
}

TEST_F(ChromeJson, LeadsFromACallToItsCopy) {
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
  EXPECT_STREQ((*from[0])["id"].GetString(), (*to[0])["id"].GetString());
  EXPECT_DOUBLE_EQ((*to[0])["ts"].GetDouble(), 4.0);
  EXPECT_EQ((*Events("X", "CopyHostToDevice")[0])["args"]["correlation"].GetUint64(), 3u);
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

TEST_F(ChromeJson, AKernelHasTheInnermostRangeThoughItMayNotNestWithACall) {
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
  trace_.Add({.tid = 101, .submit = 4000, .start = 7000, .end = 8000});  // no range to start from
  trace_.Finish();
  Export();
  const auto starts = Events("s");
  const auto ends = Events("f");
  ASSERT_EQ(starts.size(), 1u);
  ASSERT_EQ(ends.size(), 1u);
  const Value& range = *Events("X", "step").at(0);
  const Value& kernel = *Events("X", "gemm(float*)").at(0);
  EXPECT_STREQ((*starts[0])["id"].GetString(), (*ends[0])["id"].GetString());
  EXPECT_EQ((*starts[0])["tid"].GetUint(), range["tid"].GetUint());
  EXPECT_DOUBLE_EQ((*starts[0])["ts"].GetDouble(), 2.0);
  EXPECT_EQ((*ends[0])["tid"].GetUint(), kernel["tid"].GetUint());
  EXPECT_STREQ((*ends[0])["bp"].GetString(), "e");
}

TEST_F(ChromeJson, NamesProcessesThreadsAndQueues) {
  trace_.Mark(101, 10, "mark");
  trace_.Add({.tid = 101, .submit = 5, .start = 10, .end = 20});
  trace_.Finish();
  Export();
  std::vector<std::string> names;
  for (const Value* event : Events("M")) names.push_back((*event)["args"]["name"].GetString());
  EXPECT_EQ(names, (std::vector<std::string>{"app", "thread 101", "GPU 0 queue 1 (hsa 17)"}));
  EXPECT_EQ(Events("i", "mark").size(), 1u);
  EXPECT_EQ((*Events("i", "mark")[0])["tid"].GetUint(), 101u);
}

TEST_F(ChromeJson, IsValidWhateverTheNames) {
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

TEST_F(ChromeJson, OfAnEmptyTraceIsValid) {
  trace_.Finish();
  Export();
  EXPECT_EQ(json_["traceEvents"].Size(), 1u);  // the process
}

TEST_F(ChromeJson, LeavesNoFileWhenTheTraceBreaksOff) {
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

TEST_F(ChromeJson, LeadsFromACallToItsKernels) {
  trace_.GraphLaunch({.start = 1500, .end = 2600, .correlation = 7});
  trace_.Add({.tid = 101, .submit = 2000, .start = 5000, .end = 6000, .correlation = 7});
  trace_.Add({.tid = 101, .submit = 2500, .start = 6000, .end = 7000, .correlation = 7});
  trace_.Finish();
  Export();
  const auto calls = Events("X", "hipGraphLaunch");
  ASSERT_EQ(calls.size(), 1u);
  const Value& call = *calls[0];
  EXPECT_STREQ(call["cat"].GetString(), "cuda_runtime");
  EXPECT_EQ(call["tid"].GetUint64(), 101u);
  EXPECT_DOUBLE_EQ(call["ts"].GetDouble(), 1.5);
  EXPECT_DOUBLE_EQ(call["dur"].GetDouble(), 1.1);
  EXPECT_EQ(call["args"]["correlation"].GetUint64(), 7u);
  EXPECT_STREQ(call["args"]["args"].GetString(), "graphExec=0x10, stream=0x20");
  EXPECT_STREQ(call["args"]["stream"].GetString(), "1");
  EXPECT_STREQ(call["args"]["result"].GetString(), "hipSuccess");
  const auto starts = Events("s");
  const auto ends = Events("f");
  ASSERT_EQ(starts.size(), 1u);
  ASSERT_EQ(ends.size(), 2u);
  for (const Value* end : ends) {
    EXPECT_STREQ((*end)["id"].GetString(), (*starts[0])["id"].GetString());
  }
}

TEST_F(ChromeJson, AKernelOfAGraphSaysOfWhichLaunchAndNode) {
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
