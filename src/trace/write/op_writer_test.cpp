// SPDX-License-Identifier: MIT
#include "trace/write/trace_writer_test_support.h"

namespace rtl::store {
namespace {

using test::TraceBuilder;
using OpWriterTest = TraceWriterTest;

TEST_F(OpWriterTest, CountsARowOfEveryKind) {
  TraceBuilder trace;
  const uint32_t queue = trace.Queue(trace.Gpu("gfx906"));
  trace.Dispatch(queue, trace.Kernel("k"), {.start = 100, .end = 200});
  CopyRecord copy;
  copy.start = 110;
  copy.end = 120;
  trace.Copy(copy);
  BarrierRecord barrier;
  barrier.queue = queue;
  barrier.start = 130;
  barrier.end = 140;
  trace.Barrier(barrier).Mark(1, 150, "mark");
  Write(trace);
  EXPECT_EQ(Ask("SELECT count(*), count(DISTINCT process_id) FROM rocpd_op"), Rows{"4|1"});
  EXPECT_EQ(result_.rows, 4u);
  EXPECT_EQ(result_.processes[0].rows, 4u);
}

}  // namespace
}  // namespace rtl::store
