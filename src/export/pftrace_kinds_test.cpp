// SPDX-License-Identifier: MIT
// Events that are no plain kernels, in the form that a viewer shows (pftrace_test_support.h).
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "export/pftrace_test_support.h"

namespace rtl::exporting {
namespace {

using viewer::Slice;
using viewer::Viewer;

constexpr char kFirstQueue[] = "app:1000/GPU 0/queue 1 (hsa 17)";
constexpr char kFirstStream[] = "app:1000/GPU 0/stream 1";

TEST_F(Pftrace, ACopyLiesOnTheTrackOfItsDirectionAndConcurrentCopiesLieBesideEachOther) {
  CopyRecord copy;
  copy.src_agent = 2;
  copy.kind = CopyKind::kDeviceToHost;
  copy.bytes = 4096;
  copy.submitted = 900;
  copy.start = 1000;
  copy.end = 1500;
  trace_.Copy(copy);
  copy.start = 1200;
  copy.end = 1700;
  trace_.Copy(copy);
  const Viewer viewer = View();
  const std::string track = "app:1000/GPU 1/copies GPU 1 to host";
  EXPECT_EQ(viewer.Drawing(track), "MEMORY_COPY_DEVICE_TO_HOST 1000-1500\n");
  EXPECT_EQ(viewer.Drawing(track + " (2)"), "MEMORY_COPY_DEVICE_TO_HOST 1200-1700\n");
  const Slice slice = viewer.Slices(track)[0];
  EXPECT_EQ(slice.category, "memory_copy");
  EXPECT_EQ(slice.arguments.at("bytes"), "4096");
  EXPECT_EQ(slice.arguments.at("copy_bytes"), "4096");
  EXPECT_EQ(slice.arguments.at("src_agent"), "2");
  EXPECT_EQ(slice.arguments.at("dst_agent"), "0");
  EXPECT_EQ(slice.arguments.at("wait_ns"), "100");
  EXPECT_TRUE(slice.flows_out.empty()) << "no call is known";
}

TEST_F(Pftrace, ABarrierLiesAmongTheKernelsOfItsQueue) {
  trace_.Add({.submit = 500, .start = 1000, .end = 1200});
  trace_.Add({.submit = 700, .start = 1400, .end = 1600});
  BarrierRecord barrier;
  barrier.queue = 1;
  barrier.kind = BarrierKind::kAnd;
  barrier.dependencies = 3;
  barrier.submitted = 600;
  barrier.start = 1200;
  barrier.end = 1400;
  trace_.Barrier(barrier);
  const Viewer viewer = View();
  const std::vector<Slice> slices = viewer.Slices(kFirstQueue);
  ASSERT_EQ(slices.size(), 3u);
  EXPECT_EQ(slices[0].category, "kernel_dispatch");
  EXPECT_EQ(slices[1].category, "barrier");
  EXPECT_EQ(slices[1].name, "BarrierAnd");
  EXPECT_EQ(slices[1].start, 1200u);
  EXPECT_EQ(slices[1].end, 1400u);
  EXPECT_EQ(slices[1].arguments.at("dependencies"), "3");
  EXPECT_EQ(slices[1].arguments.at("wait_ns"), "600");
  EXPECT_EQ(slices[2].category, "kernel_dispatch");
}

TEST_F(Pftrace, EventsOfSpanKindsLieOnTheirThreadsOrOnTheirOwnTracks) {
  using Arguments = std::map<std::string, std::string>;
  trace_.GraphLaunch({.start = 1000, .end = 5000, .correlation = 7});
  trace_.builder().Event(
      EventKind::kHsaCall, test::TraceBuilder::HsaOperation("hsa_amd_memory_pool_allocate"),
      HsaCallValues{.result = 0x1000},
      {.start = 2000, .end = 4000, .correlation = 7, .slots = {0x10, 64, 0, 0x20, 0}, .flags = 0});
  trace_.builder().Event(EventKind::kAllocation,
                         static_cast<uint16_t>(AllocationOperation::kAllocate),
                         AllocationValues{.agent = 1, .bytes = 64, .status = 0x1000},
                         {.start = 2100, .end = 3900, .correlation = 7});
  trace_.builder().Event(EventKind::kScratch, static_cast<uint16_t>(ScratchOperation::kAllocate),
                         ScratchValues{.queue = 18, .bytes = 1 << 20, .slots = 8},
                         {.start = 6000, .end = 7000});
  trace_.builder().Event(EventKind::kRcclCall,
                         static_cast<uint16_t>(RcclCallOperation::ncclAllReduce),
                         RcclCallValues{.count = 7}, {.start = 100, .end = 200, .thread = 102});
  const Viewer viewer = View();
  EXPECT_EQ(viewer.Slices("app:1000/thread 102").at(0).category, "rccl_api");
  EXPECT_EQ(viewer.Drawing("app:1000/thread 101"),
            "hipGraphLaunch 1000-5000\n"
            "  hsa_amd_memory_pool_allocate 2000-4000\n");
  const Slice& call = viewer.Slices("app:1000/thread 101").at(0);  // the first to end
  EXPECT_EQ(call.category, "hsa_api");
  EXPECT_EQ(call.arguments, (Arguments{{"result", "4096"},
                                       {"begin_ns", "2000"},
                                       {"end_ns", "4000"},
                                       {"delta_ns", "2000"},
                                       {"tid", "101"},
                                       {"args", "memory_pool=0x10, size=64, flags=0, ptr=0x20"},
                                       {"correlation_id", "7"}}));
  const Slice& allocation = viewer.Slices("app:1000/memory").at(0);
  EXPECT_EQ(allocation.category, "memory_allocation");
  EXPECT_EQ(allocation.arguments, (Arguments{{"agent_number", "1"},
                                             {"begin_ns", "2100"},
                                             {"end_ns", "3900"},
                                             {"delta_ns", "1800"},
                                             {"tid", "101"},
                                             {"device", "0"},
                                             {"bytes", "64"},
                                             {"address", "0x0"},
                                             {"status", "0x1000"},
                                             {"correlation_id", "7"}}));
  const Slice& scratch = viewer.Slices("app:1000/scratch").at(0);
  EXPECT_EQ(scratch.category, "scratch_memory");
  EXPECT_EQ(scratch.arguments.at("queue"), "17");
  EXPECT_EQ(scratch.arguments.at("device"), "0");
  EXPECT_EQ(scratch.arguments.at("slots"), "8");
}

TEST_F(Pftrace, AFlowLinksACallToItsCopy) {
  trace_.GraphLaunch({.start = 800, .end = 2000, .thread = 1001, .correlation = 7});
  CopyRecord copy;
  copy.src_agent = 2;
  copy.kind = CopyKind::kDeviceToHost;
  copy.start = 1000;
  copy.end = 1500;
  copy.correlation = 7;
  trace_.Copy(copy);
  const Viewer viewer = View();
  const Slice slice = viewer.Slices("app:1000/GPU 1/stream 1")[0];
  const Slice begin = viewer.Slices("app:1000/thread 1001")[0];
  ASSERT_EQ(begin.flows_out.size(), 1u);
  EXPECT_EQ(slice.flows_out, begin.flows_out);
}

TEST_F(Pftrace, AKernelOfAGraphHasItsLaunchAndNode) {
  trace_.GraphLaunch({.start = 1500, .end = 2600, .correlation = 7});
  trace_.Add({.tid = 101, .submit = 2000, .start = 5000, .end = 6000, .correlation = 7});
  trace_.Add({.tid = 101, .submit = 2500, .start = 6000, .end = 7000, .correlation = 7});
  trace_.Add({.tid = 101, .submit = 2900, .start = 8000, .end = 9000});
  const Viewer viewer = View();
  std::vector<Slice> kernels = viewer.Slices(kFirstStream);
  kernels.push_back(viewer.Slices(kFirstQueue).at(0));
  ASSERT_EQ(kernels.size(), 3u);
  EXPECT_EQ(kernels[0].arguments.at("graph"), kernels[1].arguments.at("graph"));
  EXPECT_EQ(kernels[1].arguments.at("graph_launch"), "0");
  EXPECT_EQ(kernels[0].arguments.at("graph_node"), "0");
  EXPECT_EQ(kernels[1].arguments.at("graph_node"), "1");
  EXPECT_EQ(kernels[2].arguments.count("graph"), 0u);
}

}  // namespace
}  // namespace rtl::exporting
