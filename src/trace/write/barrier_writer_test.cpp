// SPDX-License-Identifier: MIT
#include "trace/write/trace_writer_test_support.h"

namespace rtl::store {
namespace {

using test::TraceBuilder;
using BarrierWriterTest = TraceWriterTest;

TEST_F(BarrierWriterTest, WritesBarriersOfAllKindsApartFromKernels) {
  TraceBuilder trace;
  BarrierRecord barrier;
  barrier.barrier = 1;
  barrier.start = 100;
  barrier.end = 250;
  barrier.submitted = 90;
  barrier.packet = 7;
  barrier.queue = 1;
  barrier.dependencies = 2;
  barrier.kind = BarrierKind::kOr;
  barrier.flags = kDispatchFlagOwnSignal;
  trace.Barrier(barrier);  // read before the record of its queue
  trace.Queue(trace.Gpu("gfx906"));
  barrier.barrier = 2;
  barrier.kind = BarrierKind::kValue;
  trace.Barrier(barrier);
  barrier.barrier = 3;
  barrier.kind = static_cast<BarrierKind>(77);
  trace.Barrier(barrier);
  barrier.end = 99;  // before it started
  trace.Barrier(barrier);
  Write(trace);
  EXPECT_EQ(
      Ask("SELECT gpuId, queueId, sequenceId, start, end, submit, packet, d.string, t.string,"
          " completionSignal, flags FROM rocpd_op o JOIN rocpd_string d ON"
          " d.id = description_id JOIN rocpd_string t ON t.id = opType_id ORDER BY 3"),
      (Rows{"0|1|1|100|250|90|7|BarrierOr|Barrier||2", "0|1|2|100|250|90|7|BarrierValue|Barrier||2",
            "0|1|3|100|250|90|7|Barrier|Barrier||2"}));
  EXPECT_EQ(Ask("SELECT o.sequenceId, kind, dependencies FROM rtl_barrier b JOIN rocpd_op o ON"
                " o.id = b.op_id ORDER BY 1"),
            (Rows{"1|2|2", "2|3|2", "3|0|2"}));
  EXPECT_EQ(Ask("SELECT * FROM top"), Rows{}) << "kernels only";
  EXPECT_EQ(Ask("SELECT recorded FROM rtl_queue"), Rows{"0"});
  EXPECT_EQ(result_.kind(EventKind::kBarrier).recorded, 3u);
}

}  // namespace
}  // namespace rtl::store
