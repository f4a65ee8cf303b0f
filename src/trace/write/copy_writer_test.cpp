// SPDX-License-Identifier: MIT
#include "trace/write/trace_writer_test_support.h"

namespace rtl::store {
namespace {

using test::TraceBuilder;
using CopyWriterTest = TraceWriterTest;

TEST_F(CopyWriterTest, WritesCopiesWithTheirAgentsAndSizes) {
  TraceBuilder trace;
  CopyRecord copy;
  copy.copy = 1;
  copy.start = 100;
  copy.end = 250;
  copy.submitted = 90;
  copy.bytes = 4096;
  copy.dst = 0x1000;
  copy.src = 0x2000;
  copy.dst_agent = 2;
  copy.kind = CopyKind::kHostToDevice;
  trace.Copy(copy);  // read before the records of its agents
  trace.Gpu("gfx906");
  trace.Gpu("gfx906");
  copy.copy = 2;
  copy.src_agent = 1;
  copy.kind = CopyKind::kDeviceToDevice;
  trace.Copy(copy);
  Write(trace);
  EXPECT_EQ(Ask("SELECT gpuId, queueId, sequenceId, start, end, submit, d.string, t.string, pid"
                " FROM rocpd_op o JOIN rocpd_string d ON d.id = description_id"
                " JOIN rocpd_string t ON t.id = opType_id ORDER BY sequenceId"),
            (Rows{"1|0|1|100|250|90|CopyHostToDevice|CopyHostToDevice|1000",
                  "1|0|2|100|250|90|CopyDeviceToDevice|CopyDeviceToDevice|1000"}));
  EXPECT_EQ(Ask("SELECT o.sequenceId, bytes, kind, dst_agent, src_agent, dst_gpu, src_gpu, dst, src"
                " FROM rtl_copy c JOIN rocpd_op o ON o.id = c.op_id ORDER BY 1"),
            (Rows{"1|4096|2|2|0|1|-1|4096|8192", "2|4096|4|2|1|1|0|4096|8192"}));
  EXPECT_EQ(Ask("SELECT * FROM top"), Rows{}) << "kernels only";
  EXPECT_EQ(Ask("SELECT * FROM busy"), Rows{});
  EXPECT_EQ(result_.kind(EventKind::kCopy).recorded, 2u);
}

}  // namespace
}  // namespace rtl::store
