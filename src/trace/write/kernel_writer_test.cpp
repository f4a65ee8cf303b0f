// SPDX-License-Identifier: MIT
#include "trace/write/trace_writer.h"
#include "trace/write/trace_writer_test_support.h"

namespace rtl::store {
namespace {

using test::TraceBuilder;
using KernelWriterTest = TraceWriterTest;

constexpr char kKernelRows[] =
    "SELECT o.gpuId, q.queue, o.sequenceId, o.completionSignal, o.start, o.end, d.string, t.string,"
    " o.correlation_id, o.pid, o.tid, o.submit, o.packet, o.flags FROM rocpd_op o"
    " JOIN rocpd_string d ON d.id = o.description_id JOIN rocpd_string t ON t.id = o.opType_id"
    " JOIN rtl_queue q ON q.id = o.queueId ORDER BY o.start";

TEST_F(KernelWriterTest, WritesEveryColumnOfAKernel) {
  Write(TraceBuilder::ThreeKernelsOnTwoQueues());
  EXPECT_EQ(
      Ask(kKernelRows),
      (Rows{"0|1|1|hwq=0x11 wg=64,1,1 grid=256,1,1|1000|2000|gemm(float*, float*, float*, int)|"
            "KernelExecution|0|1000|101|950|0|0",
            "0|2|2|hwq=0x12 wg=64,1,1 grid=256,1,1|1500|1700|copy(float const*, float*)|"
            "KernelExecution|0|1000|102|1450|1|0",
            "0|1|3|hwq=0x11 wg=64,1,1 grid=256,1,1|2500|3000|gemm(float*, float*, float*, int)|"
            "KernelExecution|0|1000|101|2450|2|0"}));
  EXPECT_EQ(result_.rows, 4u);
}

TEST_F(KernelWriterTest, WritesDimensionsSegmentsAndTheCall) {
  TraceBuilder trace;
  const uint32_t queue = trace.Queue(trace.Gpu("gfx906"));
  trace.Dispatch(queue, trace.Kernel("k"),
                 {.start = 100,
                  .end = 200,
                  .submitted = 60,
                  .correlation = 77,
                  .grid = {1, 2, 4294967295},
                  .workgroup = {8, 9, 65535},
                  .group_segment = 512,
                  .private_segment = 16,
                  .flags = kDispatchFlagBarrierBit | kDispatchFlagOwnSignal});
  Write(trace);
  EXPECT_EQ(Ask("SELECT gridX, gridY, gridZ, workgroupX, workgroupY, workgroupZ, groupSegmentSize,"
                " privateSegmentSize, correlation_id, submit, flags, kernel_id FROM rocpd_op"),
            Rows{"1|2|4294967295|8|9|65535|512|16|77|60|3|1"});
  EXPECT_EQ(Ask("SELECT completionSignal FROM rocpd_op"),
            Rows{"hwq=0x11 wg=8,9,65535 grid=1,2,4294967295"});
}

TEST_F(KernelWriterTest, NamesAnUnannouncedKernel) {
  TraceBuilder trace;
  const uint32_t queue = trace.Queue(trace.Gpu("gfx906"));
  trace.Dispatch(queue, trace.Kernel(""), {.start = 100, .end = 200});
  trace.Dispatch(queue, 55, {.start = 300, .end = 400});  // without a kernel record
  Write(trace);
  EXPECT_EQ(Ask("SELECT d.string, o.kernel_id, o.flags FROM rocpd_op o"
                " JOIN rocpd_string d ON d.id = o.description_id ORDER BY o.start"),
            (Rows{"(unknown kernel)|1|256", "(unknown kernel)|0|256"}));
}

TEST_F(KernelWriterTest, WaitsForAKernelThatIsReadAfterItsDispatch) {
  TraceBuilder trace;
  trace.Dispatch(1, 1, {.start = 100, .end = 200});
  trace.Queue(trace.Gpu("gfx906"));
  trace.Kernel("late");
  Write(trace);
  EXPECT_EQ(Ask("SELECT d.string, o.gpuId, o.queueId, o.kernel_id, o.flags FROM rocpd_op o"
                " JOIN rocpd_string d ON d.id = o.description_id"),
            Rows{"late|0|1|1|0"});
}

TEST_F(KernelWriterTest, DoesNotWaitForEverForALostKernel) {
  TraceWriter writer;
  ASSERT_TRUE(writer.Create(path_).ok());
  size_t process = 0;
  writer.AddProcess(spool::ProcessInfo(), &process);
  DispatchRecord record;
  record.head = {RecordType::kDispatch, sizeof record / 8, 1};
  record.kernel = 5;
  ASSERT_TRUE(writer.Add(process, {&record.head, sizeof record, {}}).ok());
  int settles = 0;
  while (writer.rows() == 0 && settles < 1000) {
    ASSERT_TRUE(writer.Settle(process).ok());
    ++settles;
  }
  EXPECT_EQ(settles, 64);
}

TEST_F(KernelWriterTest, LeavesOutImpossibleTimesAndReportsThem) {
  TraceBuilder trace;
  const uint32_t queue = trace.Queue(trace.Gpu("gfx906"));
  const uint32_t kernel = trace.Kernel("k");
  trace.Dispatch(queue, kernel, {.start = 100, .end = 99});
  trace.Dispatch(queue, kernel, {.start = 100, .end = UINT64_MAX});
  trace.Dispatch(queue, kernel, {.start = 100, .end = 100});
  Write(trace);
  EXPECT_EQ(Ask("SELECT count(*) FROM rocpd_op"), Rows{"1"});
  const KindTotals& kernels = result_.kind(EventKind::kKernel);
  EXPECT_EQ(kernels.submitted, 3u);
  EXPECT_EQ(kernels.recorded, 1u);
  EXPECT_EQ(kernels.loss(Loss::kTorn), 2u);
  EXPECT_EQ(result_.warnings,
            Rows{"process 1000: 2 records carried impossible times and were left out"});
}

}  // namespace
}  // namespace rtl::store
