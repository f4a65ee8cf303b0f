// SPDX-License-Identifier: MIT
#include "analysis/idle_time.h"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <algorithm>

#include "tests/support/database_rows.h"
#include "tests/support/temp_dir.h"
#include "tests/support/trace_builder.h"
#include "trace/read/query_test_support.h"

namespace rtl::analysis {
namespace {

using test::TraceBuilder;

class IdleTimeTest : public testing::Test {
 protected:
  IdleTimeTest() {
    gpu_ = trace_.Gpu("gfx906");
    queue_ = trace_.Queue(gpu_);
    kernel_ = trace_.Kernel("step");
  }
  void Kernel(uint64_t submit, uint64_t start, uint64_t end) {
    trace_.Dispatch(queue_, kernel_, {.start = start, .end = end, .submitted = submit});
  }
  void Call(const char* name, uint64_t start, uint64_t end) {
    const uint32_t number = TraceBuilder::CallNumber(name);
    trace_.Call(number, {0, 0, 0, 0, 0, 0, 0, 0},
                {.start = start, .end = end, .correlation = ++calls_});
  }
  void Copy(uint64_t submit, uint64_t start, uint64_t end) {
    CopyRecord copy;
    copy.head = {RecordType::kCopy, 0, 101};
    copy.copy = ++copies_;
    copy.start = start;
    copy.end = end;
    copy.submitted = submit;
    copy.dst_agent = gpu_;
    copy.kind = CopyKind::kHostToDevice;
    trace_.Copy(copy);
  }
  void Barrier(uint32_t queue, BarrierKind kind, uint64_t start, uint64_t end) {
    BarrierRecord barrier;
    barrier.barrier = ++barriers_;
    barrier.start = start;
    barrier.end = end;
    barrier.submitted = start;
    barrier.queue = queue;
    barrier.kind = kind;
    trace_.Barrier(barrier);
  }
  // Expects that the database's own view finds the same gaps and causes.
  static void ExpectSameByView(const std::string& path, const std::vector<GpuTime>& gpus) {
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open_v2(path.c_str(), &database, SQLITE_OPEN_READONLY, nullptr), SQLITE_OK);
    std::vector<std::string> expected;
    for (const GpuTime& gpu : gpus) {
      for (const IdleTime& idle : gpu.causes) {
        expected.push_back("1:" + std::to_string(gpu.gpu) + "|3:" + IdleCauseName(idle.cause) +
                           "|3:" + idle.where + "|1:" + std::to_string(idle.total) + "|1:" +
                           std::to_string(idle.gaps) + "|1:" + std::to_string(idle.longest) + "|");
      }
    }
    std::sort(expected.begin(), expected.end());
    std::vector<std::string> found = test::RowsOf(
        database,
        "SELECT gpuId, cause, place, sum(end - start), count(DISTINCT op_id), max(end - start)"
        " FROM gpu_gap"
        " GROUP BY gpuId, cause, place");
    std::sort(found.begin(), found.end());
    EXPECT_EQ(found, expected);
    sqlite3_close(database);
  }
  GpuTime Analyze() {
    const std::string path = dir_.File("trace.db");
    query::ExpectOk(trace_.WriteDatabase(path));
    auto reader = query::OpenTrace(path);
    query::ExpectOk(AnalyzeIdleTime(*reader, &analysis_));
    EXPECT_EQ(analysis_.gpus.size(), 1u);
    const GpuTime& gpu = analysis_.gpus.at(0);
    EXPECT_EQ(gpu.busy() + gpu.idle, gpu.elapsed());
    uint64_t attributed = 0;
    for (const IdleTime& idle : gpu.causes) {
      attributed += idle.total;
      EXPECT_LE(idle.gaps, gpu.gaps);
    }
    EXPECT_EQ(attributed, gpu.idle);
    ExpectSameByView(path, analysis_.gpus);
    return gpu;
  }
  // "host code in load: 3000", most time first.
  static std::vector<std::string> Causes(const GpuTime& gpu) {
    std::vector<std::string> causes;
    for (const IdleTime& idle : gpu.causes) {
      causes.push_back(std::string(IdleCauseName(idle.cause)) +
                       (idle.where.empty() ? "" : " in " + idle.where) + ": " +
                       std::to_string(idle.total));
    }
    return causes;
  }
  using Expected = std::vector<std::string>;
  // Expects that all idle time has this cause.
  void ExpectOnly(const GpuTime& gpu, IdleCause cause, const std::string& where, uint64_t total) {
    ASSERT_EQ(gpu.causes.size(), 1u);
    EXPECT_STREQ(IdleCauseName(gpu.causes[0].cause), IdleCauseName(cause));
    EXPECT_EQ(gpu.causes[0].where, where);
    EXPECT_EQ(gpu.causes[0].total, total);
  }

  test::TempDir dir_;
  TraceBuilder trace_;
  uint32_t gpu_ = 0, queue_ = 0, kernel_ = 0;
  uint64_t calls_ = 0, copies_ = 0, barriers_ = 0;
  IdleAnalysis analysis_;
};

TEST_F(IdleTimeTest, FindsNoGapsOnABusyGpu) {
  Kernel(100, 1000, 2000);
  Kernel(110, 1500, 3000);
  Kernel(120, 3000, 3500);
  const GpuTime gpu = Analyze();
  EXPECT_EQ(gpu.kernels, 2500u);
  EXPECT_EQ(gpu.idle, 0u);
  EXPECT_TRUE(gpu.causes.empty());
}

TEST_F(IdleTimeTest, NamesTheRangeOfTheHostsCode) {
  Kernel(900, 1000, 2000);
  trace_.Push(101, 1800, "outer");
  trace_.Push(101, 1900, "load data");
  trace_.Pop(101, 4000);
  trace_.Pop(101, 4100);
  Kernel(4900, 5000, 6000);
  EXPECT_EQ(Causes(Analyze()), (Expected{"host code in load data: 2000", "host code: 800",
                                         "host code in outer: 100", "launch latency: 100"}));
}

// The time in a range, after it, in a call and on the way to the GPU: each gets what it held.
TEST_F(IdleTimeTest, SplitsAGapOverWhatHeldInEachPart) {
  for (uint64_t i = 0; i < 3; ++i) {
    const uint64_t at = 1000 + 2000 * i;
    Kernel(at - 20, at, at + 100);
    Call("hipDeviceSynchronize", at - 10, at + 150);
    trace_.Push(101, at + 160, "load");
    trace_.Pop(101, at + 1160);
    Call("hipLaunchKernel", at + 1960, at + 1990);
  }
  EXPECT_EQ(Causes(Analyze()),
            (Expected{"host code in load: 2000", "host code: 1620",
                      "synchronization in hipDeviceSynchronize: 100",
                      "launching in hipLaunchKernel: 40", "launch latency: 40"}));
}

TEST_F(IdleTimeTest, CountsACallInsideAnotherOnce) {
  Kernel(900, 1000, 2000);
  Call("hipMemcpy", 2100, 4000);
  Call("hipMalloc", 2200, 3000);
  Call("hipMalloc", 3100, 3200);
  Call("hipLaunchKernel", 3500, 4000);
  Kernel(3900, 5000, 6000);
  EXPECT_EQ(Causes(Analyze()), (Expected{"launch latency: 1100", "HIP call in hipMalloc: 900",
                                         "blocking copy in hipMemcpy: 500",
                                         "launching in hipLaunchKernel: 400", "host code: 100"}));
}

TEST_F(IdleTimeTest, CallsThatTouchAreOnePart) {
  Kernel(900, 1000, 2000);
  Call("hipMalloc", 2000, 2500);
  Call("hipMalloc", 2500, 3000);
  Call("hipFree", 3000, 3000);
  Kernel(3000, 3000, 3500);
  const GpuTime gpu = Analyze();
  EXPECT_EQ(Causes(gpu), (Expected{"HIP call in hipMalloc: 1000"}));
  EXPECT_EQ(gpu.causes[0].longest, 1000u);
}

// Two GPUs that one thread feeds: each of its calls may be in a gap of both.
TEST_F(IdleTimeTest, SplitsTheGapsOfEachGpuByTheSameThread) {
  const uint32_t other = trace_.Queue(trace_.Gpu("gfx90a"));
  const auto kernel = [&](uint32_t queue, uint64_t submit, uint64_t start, uint64_t end) {
    trace_.Dispatch(queue, kernel_, {.start = start, .end = end, .submitted = submit});
  };
  kernel(queue_, 900, 1000, 1100);
  kernel(other, 910, 1000, 1600);
  Call("hipMalloc", 1200, 1800);
  kernel(queue_, 1900, 2000, 2100);
  kernel(other, 2050, 2100, 2200);
  const std::string path = dir_.File("trace.db");
  query::ExpectOk(trace_.WriteDatabase(path));
  auto reader = query::OpenTrace(path);
  query::ExpectOk(AnalyzeIdleTime(*reader, &analysis_));
  ASSERT_EQ(analysis_.gpus.size(), 2u);
  EXPECT_EQ(Causes(analysis_.gpus[0]),
            (Expected{"HIP call in hipMalloc: 600", "host code: 200", "launch latency: 100"}));
  EXPECT_EQ(Causes(analysis_.gpus[1]),
            (Expected{"host code: 250", "HIP call in hipMalloc: 200", "launch latency: 50"}));
  ExpectSameByView(path, analysis_.gpus);
}

TEST_F(IdleTimeTest, CountsASleepAfterASynchronizationAsTheHostsCode) {
  Kernel(900, 1000, 2000);
  Call("hipDeviceSynchronize", 950, 2100);
  Call("hipLaunchKernel", 5800, 5900);
  Kernel(5850, 6000, 7000);
  EXPECT_EQ(Causes(Analyze()), (Expected{"host code: 3700", "launch latency: 150",
                                         "synchronization in hipDeviceSynchronize: 100",
                                         "launching in hipLaunchKernel: 50"}));
}

TEST_F(IdleTimeTest, CountsTheTimeInAWaitAsSynchronization) {
  for (uint64_t i = 0; i < 3; ++i) {
    const uint64_t at = 1000 * (i + 1);
    Call("hipLaunchKernel", at - 40, at - 20);
    Kernel(at - 30, at, at + 500);
    Call("hipStreamSynchronize", at - 15, at + 900);
  }
  const GpuTime gpu = Analyze();
  EXPECT_EQ(Causes(gpu), (Expected{"synchronization in hipStreamSynchronize: 800", "host code: 120",
                                   "launch latency: 60", "launching in hipLaunchKernel: 20"}));
  EXPECT_EQ(gpu.causes[0].gaps, 2u);
  EXPECT_EQ(gpu.causes[0].longest, 400u);
  EXPECT_EQ(gpu.causes[0].longest_at, 1500u);
  EXPECT_TRUE(analysis_.has_calls);
}

TEST_F(IdleTimeTest, AsksForNoOtherModeWhereATraceOfCallsHasNone) {
  Kernel(10, 100, 200);
  Kernel(250, 300, 400);
  (void)Analyze();
  EXPECT_FALSE(analysis_.has_calls);
  trace_.Mode("hip", "requested");
  (void)Analyze();
  EXPECT_TRUE(analysis_.has_calls);
}

TEST_F(IdleTimeTest, CountsALaunchAfterAWaitAsALaunch) {
  Kernel(900, 1000, 2000);
  Call("hipDeviceSynchronize", 950, 2100);
  Call("hipLaunchKernel", 2110, 2600);
  Kernel(2550, 2650, 3650);
  EXPECT_EQ(Causes(Analyze()), (Expected{"launching in hipLaunchKernel: 440",
                                         "synchronization in hipDeviceSynchronize: 100",
                                         "launch latency: 100", "host code: 10"}));
}

TEST_F(IdleTimeTest, FindsLaunchesThatTakeLongerThanTheirKernels) {
  for (uint64_t i = 0; i < 4; ++i) {
    const uint64_t at = 1000 + 200 * i;
    Call("hipLaunchKernel", at - 150, at - 2);
    Kernel(at - 10, at, at + 20);
  }
  const GpuTime gpu = Analyze();
  EXPECT_EQ(Causes(gpu),
            (Expected{"launching in hipLaunchKernel: 420", "host code: 90", "launch latency: 30"}));
}

TEST_F(IdleTimeTest, NamesAnotherCall) {
  Kernel(900, 1000, 2000);
  Call("hipMalloc", 2050, 4800);
  Kernel(4900, 5000, 6000);
  EXPECT_EQ(Causes(Analyze()),
            (Expected{"HIP call in hipMalloc: 2750", "host code: 150", "launch latency: 100"}));
}

TEST_F(IdleTimeTest, FindsSubmittedWorkThatWaitedForItsTurn) {
  Kernel(900, 1000, 2000);
  Kernel(950, 4000, 5000);
  ExpectOnly(Analyze(), IdleCause::kOrdered, "", 2000);
}

TEST_F(IdleTimeTest, NoLatencyLastsForLong) {
  IdleTime idle;
  idle.cause = IdleCause::kLatency;
  idle.longest = 100'000;
  EXPECT_NE(IdleCauseAdvice(idle, {}).find("launch ahead"), std::string::npos);
  idle.longest = 463'000'000;
  EXPECT_EQ(IdleCauseAdvice(idle, {}).find("launch ahead"), std::string::npos);
  EXPECT_NE(IdleCauseAdvice(idle, {}).find("held it up"), std::string::npos);
}

TEST_F(IdleTimeTest, DoesNotCountCopiesAsKernels) {
  Kernel(900, 1000, 2000);
  Copy(1400, 1500, 2600);
  const GpuTime gpu = Analyze();
  EXPECT_EQ(gpu.kernels, 500u);
  EXPECT_EQ(gpu.both, 500u);
  EXPECT_EQ(gpu.copies, 600u);
}

// Submitted early, started late: the order of starts differs from that of submissions.
TEST_F(IdleTimeTest, FollowsQueuesThatOvertakeEachOther) {
  const uint32_t other = trace_.Queue(gpu_);
  trace_.Dispatch(other, kernel_, {.start = 5000, .end = 5500, .submitted = 100});
  Kernel(900, 1000, 2000);
  Kernel(1900, 2000, 3000);
  ExpectOnly(Analyze(), IdleCause::kOtherQueue, "queue 1", 2000);
}

TEST_F(IdleTimeTest, FindsAKernelThatWaitsForACopy) {
  Kernel(900, 1000, 2000);
  Copy(1400, 1500, 2600);
  Kernel(1450, 3000, 4000);
  ExpectOnly(Analyze(), IdleCause::kCopied, "CopyHostToDevice", 400);
}

TEST_F(IdleTimeTest, FindsACopyThatWaitsForAKernel) {
  Kernel(900, 1000, 2000);
  Copy(1400, 2300, 2600);
  ExpectOnly(Analyze(), IdleCause::kOrdered, "", 300);
}

// No work on the GPU explains such a late opening.
TEST_F(IdleTimeTest, FindsABarrierThatHoldsTheQueueUp) {
  Kernel(900, 1000, 2000);
  Barrier(queue_, BarrierKind::kValue, 1950, 4900);
  Kernel(1900, 5000, 5500);
  EXPECT_EQ(Causes(Analyze()),
            (Expected{"waiting for a barrier in BarrierValue: 2900", "order of work: 100"}));
}

TEST_F(IdleTimeTest, FindsABarrierThatHoldsUpNewlySubmittedWork) {
  Kernel(900, 1000, 2000);
  Barrier(queue_, BarrierKind::kOr, 2010, 4900);
  Kernel(2020, 5000, 5500);
  EXPECT_EQ(Causes(Analyze()), (Expected{"waiting for a barrier in BarrierOr: 2880",
                                         "launch latency: 100", "host code: 20"}));
}

// The barrier has the time for which it was closed, the other queue the rest.
TEST_F(IdleTimeTest, SplitsAWaitForAnotherQueueAtTheBarrier) {
  const uint32_t other = trace_.Queue(gpu_);
  Kernel(900, 1000, 2000);
  Barrier(other, BarrierKind::kAnd, 950, 2100);
  trace_.Dispatch(other, kernel_, {.start = 3000, .end = 3500, .submitted = 960});
  EXPECT_EQ(Causes(Analyze()), (Expected{"waiting for another queue in queue 1: 900",
                                         "waiting for a barrier in BarrierAnd: 100"}));
}

TEST_F(IdleTimeTest, IgnoresBarriersOfOtherGapsAndQueues) {
  const uint32_t other = trace_.Queue(gpu_);
  Barrier(queue_, BarrierKind::kAnd, 950, 990);
  Kernel(900, 1000, 2000);
  Barrier(other, BarrierKind::kAnd, 1000, 2900);
  Kernel(910, 3000, 3500);
  Barrier(queue_, BarrierKind::kAnd, 3600, 3700);
  ExpectOnly(Analyze(), IdleCause::kOrdered, "", 1000);
}

// A call over several gaps, some of them in order of work; a range around all.
TEST_F(IdleTimeTest, OneCallMayCoverManyGaps) {
  trace_.Push(101, 500, "all");
  Kernel(900, 1000, 1100);
  Kernel(950, 1200, 1300);
  Call("hipStreamSynchronize", 1050, 1700);
  trace_.Dispatch(queue_, kernel_, {.start = 1500, .end = 1600, .thread = 102, .submitted = 1450});
  Kernel(2390, 2400, 2500);
  Call("hipLaunchKernel", 2700, 2950);
  Kernel(2900, 3000, 3100);
  trace_.Pop(101, 4000);
  const GpuTime gpu = Analyze();
  EXPECT_EQ(Causes(gpu),
            (Expected{"host code in all: 890", "launching in hipLaunchKernel: 200",
                      "launch latency: 160", "host code: 150",
                      "synchronization in hipStreamSynchronize: 100", "order of work: 100"}));
}

// The process begins at TraceBuilder::kOpened.
TEST_F(IdleTimeTest, KeepsTheTimeBeforeTheFirstKernelApart) {
  Call("hipMalloc", 100, 800);
  Kernel(950, 1010, 2000);
  Kernel(990, 2500, 3000);
  const GpuTime gpu = Analyze();
  EXPECT_EQ(gpu.idle, 500u);
  EXPECT_EQ(gpu.start.cause, IdleCause::kStart);
  EXPECT_EQ(gpu.start.total, 1000u);
  EXPECT_EQ(gpu.start.longest_at, TraceBuilder::kOpened);
  EXPECT_EQ(gpu.start.where, "hipMalloc");
}

}  // namespace
}  // namespace rtl::analysis
