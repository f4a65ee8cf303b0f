// SPDX-License-Identifier: MIT
// Exports in the form that a viewer shows (pftrace_test_support.h).
#include <gtest/gtest.h>
#include <perfetto_subset.pb.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "export/exporter.h"
#include "export/lanes.h"
#include "export/pftrace_stream.h"
#include "export/pftrace_test_support.h"
#include "trace/read/query_test_support.h"

namespace rtl::exporting {
namespace {

using perfetto_subset::TrackEvent;
using query::ExpectOk;
using query::TestTrace;
using viewer::Slice;
using viewer::Viewer;

constexpr char kQueue[] = "app:1000/GPU 0/queue 1 (hsa 17)";
constexpr char kStream[] = "app:1000/GPU 0/stream 1";

TEST_F(Pftrace, HasAKernelWithAllItsArguments) {
  trace_.Push(101, 1000, "step");
  trace_.Add({.tid = 101, .submit = 2000, .start = 5000, .end = 6000});
  trace_.Pop(101, 3000);
  const Viewer viewer = View();
  const std::vector<Slice>& slices = viewer.Slices(kQueue);
  ASSERT_EQ(slices.size(), 1u);
  EXPECT_EQ(slices[0].name, "gemm");
  EXPECT_EQ(slices[0].category, "kernel_dispatch");
  EXPECT_EQ(slices[0].start, 5000u);
  EXPECT_EQ(slices[0].end, 6000u);
  const std::map<std::string, std::string> expected = {
      {"grid", "1000,1,1"},     {"workgroup", "64,1,1"}, {"lds_bytes", "512"},
      {"scratch_bytes", "16"},  {"vgprs", "32"},         {"sgprs", "16"},
      {"kernarg_bytes", "64"},  {"code_object", "1"},    {"mangled_name", "_Z4gemmPf"},
      {"wait_ns", "3000"},      {"packet", "0"},         {"dispatch", "1"},
      {"submit_tid", "101"},    {"roctx_range", "step"}, {"kernel_name", "gemm(float*)"},
      {"corr_id", "1"},         {"begin_ns", "5000"},    {"end_ns", "6000"},
      {"delta_ns", "1000"},     {"agent", "1"},          {"queue", "1"},
      {"kernel_id", "1"},       {"grid_size", "1000"},   {"workgroup_size", "64"},
      {"VGPR_Count", "32"},     {"SGPR_Count", "16"},    {"LDS_Block_Size", "512"},
      {"Scratch_Size", "16"},   {"tid", "101"},          {"agent_type", "GPU"},
      {"Accum_VGPR_Count", "0"}};
  EXPECT_EQ(slices[0].arguments, expected);
}

TEST_F(Pftrace, NamesThreadsAndGpusByTheApplicationsLatestNames) {
  trace_.Name(Named::kThread, 101, 10, "loader");
  trace_.Name(Named::kThread, 101, 20, "solver");
  trace_.Name(Named::kThread, 102, 20, "another");
  trace_.Name(Named::kDevice, 0, 20, "left card");
  trace_.Push(101, 1000, "step");
  trace_.Add({.tid = 101, .submit = 2000, .start = 5000, .end = 6000});
  trace_.Pop(101, 3000);
  const Viewer viewer = View();
  EXPECT_EQ(viewer.Drawing("app:1000/thread 101 \"solver\""), "step 1000-3000\n  submit 2000\n");
  EXPECT_EQ(viewer.Slices("app:1000/GPU 0 \"left card\"/queue 1 (hsa 17)").size(), 1u);
}

TEST_F(Pftrace, LinksTheRangeAroundASubmissionToTheKernel) {
  trace_.Push(101, 1000, "step");
  trace_.Add({.tid = 101, .submit = 2000, .start = 5000, .end = 6000});
  trace_.Add({.tid = 101, .submit = 2500, .start = 6000, .end = 7000});
  trace_.Pop(101, 3000);
  const Viewer viewer = View();
  EXPECT_EQ(viewer.Drawing("app:1000/thread 101"),
            "step 1000-3000\n"
            "  submit 2000\n"
            "  submit 2500\n");
  const std::vector<Slice>& thread = viewer.Slices("app:1000/thread 101");
  const std::vector<Slice>& kernels = viewer.Slices(kQueue);
  ASSERT_EQ(kernels.size(), 2u);
  for (size_t i = 0; i < 2; ++i) {
    ASSERT_EQ(thread[i].flows_out.size(), 1u);
    EXPECT_EQ(thread[i].flows_out, kernels[i].flows_in);
  }
  EXPECT_NE(kernels[0].flows_in, kernels[1].flows_in);
}

TEST_F(Pftrace, LinksACallToItsKernelsAndKnowsTheRangeAroundIt) {
  trace_.Push(101, 1000, "step");
  trace_.GraphLaunch({.start = 1500, .end = 2600, .correlation = 7});
  trace_.Add({.tid = 101, .submit = 2000, .start = 5000, .end = 6000, .correlation = 7});
  trace_.Add({.tid = 101, .submit = 2500, .start = 6000, .end = 7000, .correlation = 7});
  trace_.SetDevice({.start = 2700, .end = 2800, .correlation = 8, .result = 101});
  trace_.Pop(101, 3000);
  const Viewer viewer = View();
  EXPECT_EQ(viewer.Drawing("app:1000/thread 101"),
            "step 1000-3000\n"
            "  hipGraphLaunch 1500-2600\n"
            "  hipSetDevice 2700-2800\n");
  const std::vector<Slice>& thread = viewer.Slices("app:1000/thread 101");
  const std::vector<Slice>& kernels = viewer.Slices(kStream);
  ASSERT_EQ(kernels.size(), 2u);
  EXPECT_EQ(thread[0].category, "hip_api");
  EXPECT_EQ(thread[0].arguments,
            (std::map<std::string, std::string>{{"args", "graphExec=0x10, stream=0x20"},
                                                {"result", "hipSuccess"},
                                                {"stream", "1"},
                                                {"correlation_id", "7"},
                                                {"corr_id", "7"},
                                                {"stream_ID", "1"},
                                                {"begin_ns", "1500"},
                                                {"end_ns", "2600"},
                                                {"delta_ns", "1100"},
                                                {"tid", "101"}}));
  EXPECT_EQ(thread[1].arguments.at("result"), "hipErrorInvalidDevice");
  ASSERT_EQ(thread[0].flows_out.size(), 1u);
  for (const Slice& kernel : kernels) {
    EXPECT_EQ(kernel.flows_out, thread[0].flows_out);
    EXPECT_TRUE(kernel.flows_in.empty());
    EXPECT_EQ(kernel.arguments.at("roctx_range"), "step");
    EXPECT_EQ(kernel.arguments.at("correlation_id"), "7");
  }
  EXPECT_TRUE(thread[1].flows_out.empty()) << "it has no work to lead to";
}

TEST_F(Pftrace, KnowsTheInnermostRangeOfTheThreadThatSubmitted) {
  trace_.Push(101, 1000, "outer");
  trace_.Push(101, 1100, "inner");
  trace_.Push(102, 1000, "other thread");
  trace_.Add({.tid = 101, .submit = 1150, .start = 9000, .end = 9100});
  trace_.Pop(101, 1200);
  trace_.Add({.tid = 101, .submit = 1250, .start = 5000, .end = 5100});
  trace_.Pop(101, 1300);
  trace_.Add({.tid = 101, .submit = 1350, .start = 6000, .end = 6100});
  trace_.Pop(102, 2000);
  const Viewer viewer = View();
  std::map<uint64_t, std::string> ranges;
  for (const Slice& slice : viewer.Slices(kQueue)) {
    const auto range = slice.arguments.find("roctx_range");
    ranges[slice.start] = range == slice.arguments.end() ? "(none)" : range->second;
  }
  const std::map<uint64_t, std::string> expected = {
      {5000, "outer"}, {6000, "(none)"}, {9000, "inner"}};
  EXPECT_EQ(ranges, expected);
}

//  a [10,100)
//    b [10,50)
//    | c [20,50)          ends with its parent
//    d [50,100)           begins where its sibling ends
//  e [100,100)            takes no time
TEST_F(Pftrace, NestsRangesAsTheProgramDid) {
  trace_.Push(101, 10, "a");
  trace_.Push(101, 10, "b");
  trace_.Push(101, 20, "c");
  trace_.Pop(101, 50);
  trace_.Pop(101, 50);
  trace_.Push(101, 50, "d");
  trace_.Mark(101, 60, "mark");
  trace_.Pop(101, 100);
  trace_.Pop(101, 100);
  trace_.Push(101, 100, "e");
  trace_.Pop(101, 100);
  const Viewer viewer = View();
  EXPECT_EQ(viewer.Drawing("app:1000/thread 101"),
            "a 10-100\n"
            "  b 10-50\n"
            "    c 20-50\n"
            "  d 50-100\n"
            "    mark 60\n"
            "e 100-100\n");
}

TEST_F(Pftrace, PutsConcurrentKernelsOnSeparateTracks) {
  trace_.Add({.start = 100, .end = 500});
  trace_.Add({.start = 200, .end = 300});
  trace_.Add({.start = 250, .end = 600});
  trace_.Add({.start = 300, .end = 400});
  trace_.Add({.start = 500, .end = 550});
  const Viewer viewer = View();
  EXPECT_EQ(viewer.Drawing(kQueue), "gemm 100-500\ngemm 500-550\n");
  EXPECT_EQ(viewer.Drawing(std::string(kQueue) + " (2)"), "gemm 200-300\ngemm 300-400\n");
  EXPECT_EQ(viewer.Drawing(std::string(kQueue) + " (3)"), "gemm 250-600\n");
}

TEST_F(Pftrace, SeparatesKernelsThatStartOutOfTheOrderOfSubmission) {
  trace_.Add({.tid = 101, .submit = 1, .start = 300, .end = 400});
  trace_.Add({.tid = 101, .submit = 2, .start = 100, .end = 200});
  trace_.Add({.tid = 101, .submit = 3, .start = 400, .end = 500});
  trace_.Add({.tid = 101, .submit = 4, .start = 200, .end = 300});
  const Viewer viewer = View();
  EXPECT_EQ(viewer.Drawing(kQueue),
            "gemm 100-200\ngemm 200-300\n"
            "gemm 300-400\ngemm 400-500\n");
  EXPECT_EQ(viewer.Slices(kQueue)[0].arguments.at("dispatch"), "2");
}

// A sequence's clock never goes back, and the last track takes all remaining slices.
TEST_F(Pftrace, KnowsTheTimesOfKernelsThatOverlapOnTheLastTrack) {
  for (uint64_t i = 0; i < kMaxLanes + 2; ++i) {
    trace_.Add({.start = 100 + i, .end = 9000 - i});
  }
  const Viewer viewer = View();
  EXPECT_EQ(viewer.Drawing(std::string(kQueue) + " (256)"),
            "gemm 355-8745\n"
            "  gemm 356-8744\n"
            "    gemm 357-8743\n");
}

// More launches than are remembered, and more sizes than have numbers.
TEST_F(Pftrace, DistinguishesTheKernelsOfManyLaunches) {
  for (uint32_t i = 0; i < 2 * 5000; ++i) {
    trace_.Add({.start = 100 + i, .end = 101 + i, .grid = 1 + i % 5000});
  }
  const Viewer viewer = View();
  const std::vector<Slice>& kernels = viewer.Slices(kQueue);
  ASSERT_EQ(kernels.size(), 2u * 5000);
  for (uint32_t i = 0; i < kernels.size(); ++i) {
    EXPECT_EQ(kernels[i].arguments.at("grid"), std::to_string(1 + i % 5000) + ",1,1");
    EXPECT_EQ(kernels[i].arguments.at("workgroup"), "64,1,1");
  }
}

TEST_F(Pftrace, IntroducesNamesAgainAfterForgettingThem) {
  trace_.Finish();
  auto reader = query::OpenTrace(path_);
  const std::string path = directory_.File("trace.pftrace");
  std::unique_ptr<OutputFile> file;
  ExpectOk(OutputFile::Open(path, &file));
  std::string names;
  AddInterned(perfetto::InternedData::kEventCategories, 1, "category", &names);
  PftraceStream stream(*reader, file.get(), names, 10);
  stream.WriteClocks();
  Track track;
  track.id = track.pid = 1;
  track.name = "app";
  stream.WriteTrack(track);
  for (int64_t i = 0; i < 100; ++i) {
    Sequence* const sequence = stream.Enter(1);
    const int64_t name = 1 + i % 20;
    ExpectOk(stream.Name(sequence, name));
    char event[64];
    ProtoBytes bytes(event);
    bytes.Number(perfetto::TrackEvent::kType, TrackEvent::TYPE_INSTANT);
    bytes.Number(perfetto::TrackEvent::kNameIid, NameIid(name));
    bytes.Number(perfetto::TrackEvent::kCategoryIids, 1);
    stream.WriteEvent(sequence, 10'000'000 + static_cast<uint64_t>(i), {event, bytes.end()});
  }
  ExpectOk(file->Commit());
  const Viewer viewer(path);
  EXPECT_EQ(viewer.sequences_begun(), 10u);
  const std::vector<Slice>& slices = viewer.Slices("app:1");
  ASSERT_EQ(slices.size(), 100u);
  for (size_t i = 0; i < slices.size(); ++i) {
    std::string_view name;
    ExpectOk(reader->Text(static_cast<int64_t>(1 + i % 20), &name));
    EXPECT_EQ(slices[i].name, name);
    EXPECT_EQ(slices[i].start, 10'000'000 + i);
  }
}

TEST_F(Pftrace, PutsStartStopRangesOnATrackOfTheirProcess) {
  trace_.Start(101, 100, 1, "first");
  trace_.Start(101, 200, 2, "second");
  trace_.Stop(102, 300, 1);
  trace_.Stop(102, 400, 2);
  trace_.Start(102, 250, 3, "inside");
  trace_.Stop(101, 260, 3);
  const Viewer viewer = View();
  EXPECT_EQ(viewer.Drawing("app:1000/roctx ranges"), "first 100-300\n  inside 250-260\n");
  EXPECT_EQ(viewer.Drawing("app:1000/roctx ranges (2)"), "second 200-400\n");
  EXPECT_EQ(viewer.Slices("app:1000/roctx ranges (2)")[0].arguments.at("range_id"), "2");
}

TEST_F(Pftrace, MarksRangesThatNeverEnded) {
  trace_.Push(101, 100, "open");
  const Viewer viewer = View();
  EXPECT_EQ(viewer.Drawing("app:1000/thread 101"), "open 100-9000\n");
  EXPECT_EQ(viewer.Slices("app:1000/thread 101")[0].arguments.at("unclosed"), "1");
}

TEST_F(Pftrace, SeparatesProcessesQueuesAndGpus) {
  trace_.Queue(1);
  trace_.Add({.queue = 1, .tid = 100, .submit = 5, .start = 10, .end = 20});
  trace_.Add({.queue = 2, .tid = 100, .submit = 6, .start = 10, .end = 20});
  trace_.NextProcess();
  trace_.Queue(0);
  trace_.Kernel("other");
  trace_.Add({.queue = 1, .tid = 200, .submit = 7, .start = 10, .end = 20});
  const Viewer viewer = View();
  EXPECT_EQ(viewer.Tracks(),
            "app:1000\napp:1000/thread 100\napp:1001\napp:1001/thread 200\n"
            "app:1000/GPU 0\napp:1000/GPU 0/queue 1 (hsa 17)\n"
            "app:1000/GPU 1\napp:1000/GPU 1/queue 2 (hsa 18)\n"
            "app:1001/GPU 0\napp:1001/GPU 0/queue 1 (hsa 17)\n"
            "app:1000/GPU 0/busy\napp:1000/GPU 0/kernels in flight\n"
            "app:1000/GPU 1/busy\napp:1000/GPU 1/kernels in flight\n"
            "app:1001/GPU 0/busy\napp:1001/GPU 0/kernels in flight\n");
  EXPECT_EQ(viewer.Drawing("app:1001/GPU 0/queue 1 (hsa 17)"), "other 10-20\n");
}

TEST_F(Pftrace, NamesTheGpusOfRanksByBusAndRank) {
  trace_.Rank(0, 2);
  trace_.Add({.tid = 100, .submit = 5, .start = 10, .end = 20});
  trace_.NextProcess();
  trace_.Rank(1, 2);
  trace_.Queue(1);
  trace_.Kernel("other");
  trace_.Add({.tid = 200, .submit = 7, .start = 10, .end = 20});
  trace_.Finish();
  query::ExecuteSql(path_, query::kEachRankSeesItsGpu);
  const Viewer viewer = ViewFinished();
  for (const char* const queue : {"rank 0: app:1000/GPU 0 (01:00.0, rank 0)/queue 1 (hsa 17)",
                                  "rank 1: app:1001/GPU 1 (02:00.0, rank 1)/queue 1 (hsa 17)"}) {
    EXPECT_EQ(viewer.Slices(queue).size(), 1u) << viewer.Tracks();
  }
}

// Correlation ids start over in every process, and exec starts another program in the same process.
TEST_F(Pftrace, SeparatesTheProgramsOfOneProcess) {
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
  const Viewer viewer = ViewFinished();
  EXPECT_EQ(viewer.Tracks(),
            "app:1000\napp:1000/thread 1000\napp:1000\napp:1000/thread 1000\n"
            "app:1000/GPU 0\napp:1000/GPU 0/stream 1\n"
            "app:1000/GPU 0\napp:1000/GPU 0/stream 1\n"
            "app:1000/GPU 0/busy\napp:1000/GPU 0/kernels in flight\n"
            "app:1000/GPU 0/busy\napp:1000/GPU 0/kernels in flight\n");
  std::map<uint64_t, int> flows;
  for (uint64_t track = 1; track <= 8; ++track) {
    for (const Slice& slice : viewer.SlicesOf(track)) {
      for (const uint64_t flow : slice.flows_out) ++flows[flow];
    }
  }
  ASSERT_EQ(flows.size(), 2u);
  for (const auto& [flow, ends] : flows) EXPECT_EQ(ends, 2) << flow;
}

TEST_F(Pftrace, OrdersTracksByNumber) {
  for (int i = 0; i < 11; ++i) trace_.Queue(0);
  for (uint32_t queue : {10u, 2u, 12u}) {
    trace_.Add({.queue = queue, .tid = 100, .submit = 5, .start = 10, .end = 20});
    trace_.Add({.queue = queue, .tid = 100, .submit = 6, .start = 11, .end = 20});
  }
  const Viewer viewer = View();
  EXPECT_EQ(viewer.Children("GPU 0"),
            "busy\nkernels in flight\nqueue 2 (hsa 18)\nqueue 2 (hsa 18) (2)\nqueue 10 (hsa "
            "26)\nqueue 10 (hsa 26) (2)\n"
            "queue 12 (hsa 28)\nqueue 12 (hsa 28) (2)\n");
}

TEST_F(Pftrace, CountsBusyTimeAndKernelsInFlight) {
  // Slices of time are 1024 ns; the first begins with the first submission.
  trace_.Queue(0);
  trace_.Add({.queue = 1, .tid = 100, .submit = 1000, .start = 1000, .end = 1512});
  trace_.Add({.queue = 2, .tid = 100, .submit = 1000, .start = 1256, .end = 1768});
  trace_.Add({.queue = 1, .tid = 100, .submit = 2024, .start = 3048, .end = 4072});
  const Viewer viewer = View();
  const auto values = [&](const std::string& counter) {
    std::string text;
    for (const Slice& slice : viewer.Slices("app:1000/GPU 0/" + counter)) {
      text += std::to_string(slice.start) + ": " + std::to_string(slice.value) + "\n";
    }
    return text;
  };
  EXPECT_EQ(values("busy"), "1000: 75.000000\n2024: 0.000000\n3048: 100.000000\n4072: 0.000000\n");
  EXPECT_EQ(values("kernels in flight"), "1000: 1.250000\n2024: 1.000000\n4072: 0.000000\n");
}

TEST_F(Pftrace, CountsBytesAndHardwareUnderTheNamesOfRocprofv3) {
  CopyRecord copy;
  copy.dst_agent = 1;
  copy.kind = CopyKind::kHostToDevice;
  for (const auto& [start, end, bytes] : {std::tuple{1000, 3000, 64}, std::tuple{2000, 4000, 8}}) {
    copy.start = static_cast<uint64_t>(start);
    copy.end = static_cast<uint64_t>(end);
    copy.bytes = static_cast<uint64_t>(bytes);
    trace_.Copy(copy);
  }
  const auto memory = [&](AllocationOperation operation, AllocationValues values, uint64_t start) {
    trace_.builder().Event(EventKind::kAllocation, static_cast<uint16_t>(operation), values,
                           {.start = start, .end = start + 10});
  };
  memory(AllocationOperation::kAllocate, {.agent = 1, .bytes = 100, .address = 0x10}, 100);
  memory(AllocationOperation::kAllocate, {.agent = 1, .bytes = 20, .address = 0x20}, 200);
  memory(AllocationOperation::kAllocate, {.agent = 1, .bytes = 9, .address = 0, .status = 1}, 250);
  memory(AllocationOperation::kFree, {.address = 0x10}, 300);
  memory(AllocationOperation::kFree, {.address = 0x30}, 400);
  const auto scratch = [&](ScratchOperation operation, uint64_t bytes, uint64_t start) {
    trace_.builder().Event(EventKind::kScratch, static_cast<uint16_t>(operation),
                           ScratchValues{.queue = 18, .bytes = bytes},
                           {.start = start, .end = start + 10});
  };
  scratch(ScratchOperation::kAllocate, 4096, 500);
  scratch(ScratchOperation::kAllocate, 8192, 600);
  scratch(ScratchOperation::kFree, 0, 700);
  trace_.Add({.tid = 101, .submit = 5000, .start = 5000, .end = 6000});
  trace_.Counter(1, "SQ_WAVES", 12.5, 4);
  const Viewer viewer = View();
  const auto values = [&](const std::string& counter) {
    std::string text;
    for (const Slice& slice : viewer.Slices("app:1000/GPU 0/" + counter)) {
      text += std::to_string(slice.start) + ": " + std::to_string(slice.value) + "\n";
    }
    return text;
  };
  EXPECT_EQ(values("COPY BYTES to Agent [1] (GPU)"),
            "1000: 64.000000\n2000: 72.000000\n3000: 8.000000\n4000: 0.000000\n");
  EXPECT_EQ(values("ALLOCATE BYTES on Agent [1] (GPU)"),
            "100: 100.000000\n200: 120.000000\n300: 20.000000\n");
  EXPECT_EQ(values("SCRATCH MEMORY on Agent [1] (GPU)"),
            "500: 4096.000000\n600: 8192.000000\n700: 0.000000\n");
  EXPECT_EQ(values("Agent [1] PMC SQ_WAVES"), "5000: 12.500000\n6000: 0.000000\n");
  EXPECT_EQ(viewer.Slices(kQueue).at(0).arguments.at("SQ_WAVES"), "12.500000");
}

TEST_F(Pftrace, RelatesItsClockToTheCalendar) {
  const Viewer viewer = View();
  const auto& snapshot = viewer.trace().packet(0).clock_snapshot();
  EXPECT_EQ(snapshot.primary_trace_clock(), 6u);
  ASSERT_EQ(snapshot.clocks_size(), 2);
  EXPECT_EQ(snapshot.clocks(0).clock_id(), 6u);
  EXPECT_GT(snapshot.clocks(0).timestamp(), 0u);
  EXPECT_EQ(snapshot.clocks(1).clock_id(), 1u);
  EXPECT_EQ(snapshot.clocks(1).timestamp() - snapshot.clocks(0).timestamp(),
            1'700'000'000'000'000'000u);
}

TEST_F(Pftrace, RepairsNamesThatAreNotUtf8) {
  trace_.Add({.start = 10, .end = 20});
  trace_.Finish();
  query::ExecuteSql(path_,
                    "UPDATE rocpd_string SET string = CAST(x'61ff62' AS TEXT)"
                    " WHERE string = 'gemm(float*)'");
  auto reader = query::OpenTrace(path_);
  const std::string output = directory_.File("trace.pftrace");
  ExpectOk(Export(*reader, Format::kPftrace, output, nullptr));
  EXPECT_EQ(Viewer(output).Slices(kQueue)[0].arguments.at("kernel_name"),
            "a\xEF\xBF\xBD"
            "b");
}

// Overlapping slices must not share a track unless they nest: the viewer would close the wrong one.
// The test compares every slice with the recorded event.
TEST_F(Pftrace, KeepsEveryIntervalOfARandomTrace) {
  std::srand(7);
  std::multimap<uint64_t, uint64_t> kernels;
  std::multimap<uint64_t, uint64_t> ranges;
  for (int i = 0; i < 5000; ++i) {
    const uint64_t submit = 1 + static_cast<uint64_t>(std::rand() % 50'000);
    const uint64_t start = submit + static_cast<uint64_t>(std::rand() % 3000);
    const uint64_t end = start + static_cast<uint64_t>(std::rand() % 200);
    trace_.Add({.tid = 100, .submit = submit, .start = start, .end = end});
    kernels.emplace(start, end);
    const uint64_t id = static_cast<uint64_t>(i) + 1;
    trace_.Start(100, start, id, "range");
    trace_.Stop(100, end, id);
    ranges.emplace(start, end);
  }
  const Viewer viewer = View();
  std::multimap<uint64_t, uint64_t> seen_kernels;
  std::multimap<uint64_t, uint64_t> seen_ranges;
  std::istringstream tracks(viewer.Tracks());
  for (std::string track; std::getline(tracks, track);) {
    for (const Slice& slice : viewer.Slices(track)) {
      if (slice.instant || slice.category.empty()) continue;  // a counter has no category
      auto& seen = slice.category == "kernel_dispatch" ? seen_kernels : seen_ranges;
      seen.emplace(slice.start, slice.end);
      EXPECT_TRUE(slice.category != "kernel_dispatch" || slice.depth == 0);
    }
  }
  const auto sorted = [](const std::multimap<uint64_t, uint64_t>& intervals) {
    std::vector<std::pair<uint64_t, uint64_t>> list(intervals.begin(), intervals.end());
    std::sort(list.begin(), list.end());
    return list;
  };
  EXPECT_EQ(sorted(seen_kernels), sorted(kernels));
  EXPECT_EQ(sorted(seen_ranges), sorted(ranges));
}

}  // namespace
}  // namespace rtl::exporting
