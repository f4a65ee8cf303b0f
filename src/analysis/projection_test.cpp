// SPDX-License-Identifier: MIT
#include "analysis/projection.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "trace/read/query_test_support.h"

namespace rtl::analysis {
namespace {

using query::ExpectOk;
using query::TestTrace;

class ProjectionOf : public testing::Test {
 protected:
  ProjectionOf() {
    trace_.Queue(0);
    trace_.Kernel("k");
  }
  Projection Projected() {
    trace_.Finish();
    Projection projection;
    ExpectOk(ProjectWork(*query::OpenTrace(path_), &projection));
    return projection;
  }

  test::TempDir directory_;
  std::string path_ = directory_.File("trace.db");
  TestTrace trace_{path_};
};

TEST_F(ProjectionOf, IsEmptyForKernelsAlone) {
  trace_.Add({.tid = 101, .submit = 10, .start = 20, .end = 30});
  const Projection projection = Projected();
  EXPECT_TRUE(projection.ranges.empty());
  EXPECT_TRUE(projection.streams.empty());
  EXPECT_TRUE(projection.nodes.empty());
}

TEST_F(ProjectionOf, ARangeExtendsFromTheFirstStartToTheLastEndOfItsWork) {
  trace_.Push(101, 100, "step");
  trace_.Add({.tid = 101, .submit = 110, .start = 1000, .end = 1100});
  trace_.Push(101, 120, "inner");
  trace_.Add({.tid = 101, .submit = 130, .start = 1300, .end = 1350});
  trace_.Pop(101, 140);
  trace_.Pop(101, 150);
  trace_.Add({.tid = 101, .submit = 160, .start = 2000, .end = 2001});  // after it
  trace_.Add({.tid = 102, .submit = 135, .start = 3000, .end = 3001});  // another thread's
  trace_.Push(101, 200, "step");
  trace_.Add({.tid = 101, .submit = 210, .start = 4000, .end = 4010});
  trace_.Pop(101, 220);
  trace_.Push(101, 300, "idle");
  trace_.Pop(101, 310);
  const Projection projection = Projected();
  ASSERT_EQ(projection.ranges.size(), 2u) << "what submitted nothing is not there";
  const RangeWork& step = projection.ranges[0];
  EXPECT_EQ(step.name, "step");
  EXPECT_EQ(step.ranges, 2u);
  EXPECT_EQ(step.kernels, 3u) << "what is nested counts for both";
  EXPECT_EQ(step.kernel_time, 160u);
  EXPECT_EQ(step.total, 360u);
  EXPECT_EQ(step.min, 10u);
  EXPECT_EQ(step.max, 350u);
  EXPECT_EQ(step.average(), 180u);
  EXPECT_EQ(step.median, 10u);
  EXPECT_EQ(projection.ranges[1].name, "inner");
  EXPECT_EQ(projection.ranges[1].total, 50u);
}

TEST_F(ProjectionOf, ARangeOfStartAndStopBelongsToAllThreads) {
  trace_.Start(101, 100, 7, "request");
  trace_.Add({.tid = 102, .submit = 110, .start = 1000, .end = 1100});
  CopyRecord copy;
  copy.head.thread = 103;
  copy.dst_agent = 2;
  copy.submitted = 120;
  copy.start = 1200;
  copy.end = 1400;
  trace_.Copy(copy);
  trace_.Stop(102, 130, 7);
  trace_.Add({.tid = 102, .submit = 140, .start = 1500, .end = 1600});
  const Projection projection = Projected();
  ASSERT_EQ(projection.ranges.size(), 1u);
  EXPECT_EQ(projection.ranges[0].kernels, 1u);
  EXPECT_EQ(projection.ranges[0].copies, 1u);
  EXPECT_EQ(projection.ranges[0].copy_time, 200u);
  EXPECT_EQ(projection.ranges[0].total, 400u);
}

TEST_F(ProjectionOf, WorkWithoutATimeOfSubmissionIsInNoRange) {
  trace_.Push(101, 100, "step");
  trace_.AddUnsubmitted({.tid = 101, .start = 110, .end = 120});
  trace_.Pop(101, 200);
  const Projection projection = Projected();
  EXPECT_TRUE(projection.ranges.empty());
  EXPECT_EQ(projection.unsubmitted, 1u);
}

TEST_F(ProjectionOf, AssignsKernelsToTheStreamOfTheirCall) {
  trace_.Call("hipMemset", {0x1000, 0, 4096}, {.start = 500, .end = 600, .correlation = 4});
  trace_.GraphLaunch({.start = 1500, .end = 2600, .correlation = 7});
  trace_.Add({.tid = 101, .submit = 550, .start = 560, .end = 570, .correlation = 4});
  trace_.Add({.tid = 101, .submit = 2000, .start = 5000, .end = 6000, .correlation = 7});
  trace_.Add({.tid = 101, .submit = 2500, .start = 6500, .end = 7000, .correlation = 7});
  trace_.Add({.tid = 101, .submit = 2700, .start = 8000, .end = 8001});
  const Projection projection = Projected();
  ASSERT_EQ(projection.streams.size(), 3u);
  EXPECT_EQ(projection.streams[0].stream, -1) << "no call";
  EXPECT_EQ(projection.streams[0].kernels, 1u);
  EXPECT_EQ(projection.streams[1].stream, 0) << "the null stream";
  EXPECT_EQ(projection.streams[1].kernel_time, 10u);
  EXPECT_EQ(projection.streams[2].stream, 1);
  EXPECT_EQ(projection.streams[2].kernels, 2u);
  EXPECT_EQ(projection.streams[2].kernel_time, 1500u);
  EXPECT_EQ(projection.streams[2].first, 5000u);
  EXPECT_EQ(projection.streams[2].last, 7000u);
}

TEST_F(ProjectionOf, AddsUpNodesOfAGraphOverItsLaunches) {
  for (uint64_t i = 0; i < 2; ++i) {
    const uint64_t at = 1000 * (i + 1);
    trace_.GraphLaunch({.start = at, .end = at + 100, .correlation = 7 + i});
    trace_.Add(
        {.tid = 101, .submit = at + 10, .start = at + 200, .end = at + 300, .correlation = 7 + i});
    trace_.Add({.tid = 101,
                .submit = at + 20,
                .start = at + 310 + i,
                .end = at + 350,
                .correlation = 7 + i});
  }
  const Projection projection = Projected();
  ASSERT_EQ(projection.nodes.size(), 2u);
  EXPECT_EQ(projection.nodes[0].node, 0u);
  EXPECT_EQ(projection.nodes[0].graph, 1u);
  EXPECT_EQ(projection.nodes[0].launches, 2u);
  EXPECT_EQ(projection.nodes[0].total, 200u);
  EXPECT_EQ(projection.nodes[0].wait, 0u) << "the first waits for nothing";
  EXPECT_EQ(projection.nodes[1].node, 1u);
  EXPECT_EQ(projection.nodes[1].total, 79u);
  EXPECT_EQ(projection.nodes[1].min, 39u);
  EXPECT_EQ(projection.nodes[1].max, 40u);
  EXPECT_EQ(projection.nodes[1].wait, 21u);
}

TEST_F(ProjectionOf, KnowsTheNodesOfAGraphWhereOthersAreDisabled) {
  const std::vector<std::vector<const char*>> launches = {
      {"alpha", "beta"}, {"alpha", "beta", "gamma", "beta"}, {"beta", "gamma", "beta"}, {"gamma"}};
  const std::map<std::string, uint32_t> kernels = {{"alpha", 2}, {"beta", 3}, {"gamma", 4}};
  for (const auto& [name, number] : kernels) trace_.Kernel(name);
  uint64_t correlation = 7;
  for (const auto& launch : launches) {
    const uint64_t at = 1000 * correlation;
    trace_.GraphLaunch({.start = at, .end = at + 100, .correlation = correlation});
    for (size_t i = 0; i < launch.size(); ++i) {
      trace_.Add({.kernel = kernels.at(launch[i]),
                  .tid = 101,
                  .submit = at + 10 + i,
                  .start = at + 200 + 10 * i,
                  .end = at + 205 + 10 * i,
                  .correlation = correlation});
    }
    ++correlation;
  }
  Projection projection = Projected();
  std::sort(projection.nodes.begin(), projection.nodes.end(),
            [](const GraphNode& a, const GraphNode& b) { return a.node < b.node; });
  std::string found;
  for (const GraphNode& node : projection.nodes) {
    found +=
        std::to_string(node.node) + " " + node.kernel + " " + std::to_string(node.launches) + "\n";
  }
  EXPECT_EQ(found, "0 alpha 2\n1 beta 3\n2 gamma 3\n3 beta 2\n");
}

}  // namespace
}  // namespace rtl::analysis
