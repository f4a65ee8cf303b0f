// SPDX-License-Identifier: MIT
#include "trace/write/trace_writer_test_support.h"

namespace rtl::store {
namespace {

using test::TraceBuilder;
using MarkerWriterTest = TraceWriterTest;

TEST_F(MarkerWriterTest, PairsRangesAndWritesMarks) {
  TraceBuilder trace;
  trace.Push(7, 100, "outer").Push(7, 110, "inner").Mark(8, 115, "now");
  trace.Pop(7, 120).Pop(7, 130);
  trace.Start(7, 140, 5, "across").Stop(9, 150, 5);
  trace.Push(7, 160, "left open");
  Write(trace);
  EXPECT_EQ(
      Ask("SELECT o.gpuId, o.queueId, o.start, o.end, d.string, o.roctxId, o.tid, o.flags FROM"
          " rocpd_op o JOIN rocpd_string d ON d.id = o.description_id JOIN rocpd_string t ON t.id ="
          " o.opType_id WHERE t.string = 'UserMarker' ORDER BY o.start, o.id"),
      (Rows{"-1|0|100|130|outer|0|7|0", "-1|0|110|120|inner|0|7|0", "-1|0|115|115|now|0|8|1",
            "-1|0|140|150|across|5|7|2", "-1|0|160|9000|left open|0|7|4"}));
  EXPECT_EQ(result_.kind(EventKind::kMarker).recorded, 5u);
}

}  // namespace
}  // namespace rtl::store
