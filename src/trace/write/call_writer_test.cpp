// SPDX-License-Identifier: MIT
#include "trace/write/trace_writer_test_support.h"

namespace rtl::store {
namespace {

using test::TraceBuilder;
using CallWriterTest = TraceWriterTest;

TEST_F(CallWriterTest, LeadFromKernelsToTheirCallsInEitherOrderOfReading) {
  TraceBuilder trace;
  const uint32_t queue = trace.Queue(trace.Gpu("gfx906"));
  const uint32_t kernel = trace.Kernel("k");
  const uint32_t launch = TraceBuilder::CallNumber("hipGraphLaunch");
  trace.Dispatch(queue, kernel, {.start = 200, .end = 210, .submitted = 150, .correlation = 2});
  trace.Call(launch, {1, 2}, {.start = 100, .end = 190, .correlation = 2});
  trace.Dispatch(queue, kernel, {.start = 220, .end = 230, .submitted = 160, .correlation = 2});
  trace.Dispatch(queue, kernel, {.start = 240, .end = 250, .submitted = 195});
  Write(trace);
  EXPECT_EQ(Ask("SELECT n.string, o.start FROM rocpd_api_ops l JOIN rocpd_api a ON a.id ="
                " l.api_id JOIN rocpd_string n ON n.id = a.apiName_id JOIN rocpd_op o ON o.id ="
                " l.op_id ORDER BY o.start"),
            (Rows{"hipGraphLaunch|200", "hipGraphLaunch|220"}));
  EXPECT_EQ(Ask("SELECT count(*), count(DISTINCT id) FROM rocpd_api_ops"), Rows{"2|2"});
  EXPECT_EQ(Ask("SELECT kind, value FROM rtl_process_counter WHERE counter = 'unlinked'"),
            (Rows{"kernels|1", "copies|0", "barriers|0"}));
  EXPECT_EQ(Ask("SELECT value FROM rocpd_metadata WHERE tag LIKE 'warning.%'"),
            Rows{"process 1000: 1 kernels were submitted outside of any HIP call and are linked to "
                 "none: by the program, through HSA or through functions of HIP that it found "
                 "without dlsym"});
}

TEST_F(CallWriterTest, CallsThatDifferInOneThingAreDistinguished) {
  TraceBuilder trace;
  const uint32_t sync = TraceBuilder::CallNumber("hipStreamSynchronize");
  const uint32_t query = TraceBuilder::CallNumber("hipStreamQuery");
  auto call = [&trace, id = uint64_t{0}](uint32_t function, uint64_t stream, uint32_t thread,
                                         int32_t result) mutable {
    ++id;
    trace.Call(function, {stream},
               {.start = id * 10,
                .end = id * 10 + 5,
                .thread = thread,
                .correlation = id,
                .result = result});
  };
  for (int round = 0; round < 2; ++round) {
    call(sync, 0x10, 7, 0);
    call(query, 0x10, 7, 0);
    call(sync, 0x20, 7, 0);
    call(sync, 0x10, 8, 0);
    call(sync, 0x10, 7, 400);
  }
  Write(trace);
  EXPECT_EQ(Ask("SELECT count(*), min(a.start), max(a.start), n.string, a.tid, t.string, e.result"
                " FROM rocpd_api a JOIN rtl_call c USING (id) JOIN rtl_call_site e ON e.id = c.site"
                " JOIN rocpd_string n ON n.id = a.apiName_id JOIN rocpd_string t ON t.id ="
                " a.args_id GROUP BY 4, 5, 6, 7 ORDER BY 2"),
            (Rows{"2|10|60|hipStreamSynchronize|7|stream=0x10|0",
                  "2|20|70|hipStreamQuery|7|stream=0x10|0",
                  "2|30|80|hipStreamSynchronize|7|stream=0x20|0",
                  "2|40|90|hipStreamSynchronize|8|stream=0x10|0",
                  "2|50|100|hipStreamSynchronize|7|stream=0x10|400"}));
}

TEST_F(CallWriterTest, ACallHasTheNameThatWasReadAfterTheFirstOfItsKind) {
  TraceBuilder trace;
  const uint32_t number = kFirstUnknownApi + 1;
  trace.Call(number, {}, {.start = 10, .end = 15, .correlation = 1});
  trace.CallName(number, "hipNew");
  trace.Call(number, {}, {.start = 20, .end = 25, .correlation = 2});
  Write(trace);
  EXPECT_EQ(Ask("SELECT a.id, n.string = 'hipNew' FROM rocpd_api a JOIN rocpd_string n ON n.id ="
                " a.apiName_id ORDER BY 1"),
            (Rows{"1|0", "2|1"}));
}

TEST_F(CallWriterTest, AStreamWasThereBeforeItsFirstUseWhicheverUseIsReadFirst) {
  TraceBuilder trace;
  const uint32_t sync = TraceBuilder::CallNumber("hipStreamSynchronize");
  trace.Call(sync, {0x10}, {.start = 900, .end = 910, .correlation = 3});
  trace.Call(sync, {0x10}, {.start = 200, .end = 210, .correlation = 1});  // of another chunk
  trace.Call(TraceBuilder::CallNumber("hipStreamCreate"), {0x7ffd, 0x10},
             {.start = 490, .end = 500, .correlation = 2});
  Write(trace);
  EXPECT_EQ(Ask("SELECT handle, created, destroyed FROM rtl_stream ORDER BY created"),
            (Rows{"16|NULL|499", "16|500|NULL"}));
}

TEST_F(CallWriterTest, AreNotMissedWhereNoCallsAreRecorded) {
  TraceBuilder trace;
  const uint32_t queue = trace.Queue(trace.Gpu("gfx906"));
  trace.Dispatch(queue, trace.Kernel("k"), {.start = 240, .end = 250});
  Write(trace);
  EXPECT_TRUE(Ask("SELECT * FROM rtl_process_counter WHERE counter = 'unlinked'").empty());
  EXPECT_TRUE(Ask("SELECT * FROM rocpd_metadata WHERE tag LIKE 'warning.%'").empty());
}

TEST_F(CallWriterTest, ALaunchIsNamedAfterItsKernelAndNotAfterHipsHelperKernel) {
  TraceBuilder trace;
  const uint32_t queue = trace.Queue(trace.Gpu("gfx906"));
  const uint32_t init = trace.Kernel("__amd_rocclr_gwsInit");
  const uint32_t kernel = trace.Kernel("wanted");
  const uint32_t launch = TraceBuilder::CallNumber("hipModuleLaunchKernel");
  trace.Dispatch(queue, init, {.start = 200, .end = 210, .submitted = 150, .correlation = 1});
  trace.Call(launch, {0x10, 1, 1, 1, 64, 1, 1, 0, 0, 0, 0},
             {.start = 100, .end = 190, .correlation = 1});
  trace.Dispatch(queue, kernel, {.start = 220, .end = 230, .submitted = 160, .correlation = 1});
  Write(trace);
  EXPECT_EQ(Ask("SELECT s.string FROM rocpd_kernelapi k JOIN rocpd_string s ON s.id ="
                " k.kernelName_id"),
            Rows{"wanted"});
  EXPECT_EQ(Ask("SELECT count(*) FROM rocpd_api_ops"), Rows{"2"});
}

TEST_F(CallWriterTest, LeadFromACopyToItsCall) {
  TraceBuilder trace;
  const uint32_t call = TraceBuilder::CallNumber("hipMemcpy");
  trace.Call(call, {0x1000, 0x2000, 4096, 1}, {.start = 100, .end = 190, .correlation = 1});
  trace.Call(call, {0x2000, 0x1000, 8192, 2}, {.start = 200, .end = 390, .correlation = 2});
  CopyRecord copy;
  copy.copy = 1;
  copy.start = 250;
  copy.end = 300;
  copy.bytes = 8192;
  copy.correlation = 2;
  trace.Copy(copy);
  copy.copy = 2;
  copy.correlation = 0;
  trace.Copy(copy);
  Write(trace);
  EXPECT_EQ(
      Ask("SELECT a.start, c.bytes, d.size, o.correlation_id FROM rocpd_api_ops l JOIN rocpd_api"
          " a ON a.id = l.api_id JOIN rtl_copy c ON c.op_id = l.op_id JOIN rocpd_op o ON o.id ="
          " l.op_id JOIN rocpd_copyapi d ON d.api_id = a.id"),
      Rows{"200|8192|8192|2"});
}

TEST_F(CallWriterTest, DistinguishTheNodesOfGraphsWithAReusedAddress) {
  TraceBuilder trace;
  const uint32_t queue = trace.Queue(trace.Gpu("gfx906"));
  const uint32_t kernel = trace.Kernel("k");
  const uint32_t make = TraceBuilder::CallNumber("hipGraphInstantiateWithFlags");
  const uint32_t launch = TraceBuilder::CallNumber("hipGraphLaunch");
  trace.Call(make, {0x7ff0, 0x50, 0x10, 0}, {.start = 10, .end = 20, .correlation = 1});
  trace.Call(launch, {0x50, 0}, {.start = 30, .end = 60, .correlation = 2});
  // The worker may find kernels out of the order of their submission.
  trace.Dispatch(queue, kernel, {.start = 300, .end = 310, .submitted = 50, .correlation = 2});
  trace.Dispatch(queue, kernel, {.start = 200, .end = 210, .submitted = 40, .correlation = 2});
  trace.Call(launch, {0x50, 0}, {.start = 70, .end = 80, .correlation = 3});
  trace.Dispatch(queue, kernel, {.start = 400, .end = 410, .submitted = 75, .correlation = 3});
  trace.Call(make, {0x7ff8, 0x50, 0x18, 0}, {.start = 90, .end = 95, .correlation = 4});
  trace.Call(launch, {0x50, 0}, {.start = 100, .end = 110, .correlation = 5});
  trace.Dispatch(queue, kernel, {.start = 500, .end = 510, .submitted = 105, .correlation = 5});
  // The trace does not have the call that made this graph.
  trace.Call(launch, {0x60, 0}, {.start = 120, .end = 130, .correlation = 6});
  trace.Dispatch(queue, kernel, {.start = 600, .end = 610, .submitted = 125, .correlation = 6});
  Write(trace);
  EXPECT_EQ(Ask("SELECT graph, address, launch, node, kernel, start, api_id FROM graph_kernel"
                " ORDER BY start"),
            (Rows{"1|0x50|0|0|k|200|2", "1|0x50|0|1|k|300|2", "1|0x50|1|0|k|400|3",
                  "4|0x50|0|0|k|500|5", "6|0x60|0|0|k|600|6"}));
}

constexpr char kCallRows[] =
    "SELECT a.id, a.pid, a.tid, a.start, a.end, n.string, g.string, a.correlation_id, a.result"
    " FROM rocpd_api a JOIN rocpd_string n ON n.id = a.apiName_id"
    " JOIN rocpd_string g ON g.id = a.args_id ORDER BY a.id";

TEST_F(CallWriterTest, WritesCallsWithTheirArgumentsAndResults) {
  TraceBuilder trace;
  const uint32_t set_device = TraceBuilder::CallNumber("hipSetDevice");
  trace.Call(set_device, {1}, {.start = 100, .end = 120, .correlation = 1});
  trace.Call(TraceBuilder::CallNumber("hipMalloc"), {0x7ffd, 0, 64},
             {.start = 130, .end = 140, .thread = 7, .correlation = 2, .result = 2, .flags = 0});
  trace.Call(kFirstUnknownApi + 3, {}, {.start = 150, .end = 160, .correlation = 3});
  trace.CallName(kFirstUnknownApi + 4, "hipBrandNew");
  trace.Call(kFirstUnknownApi + 4, {},
             {.start = 170, .end = 180, .correlation = 4, .flags = kApiFlagNoResult});
  trace.NextProcess();
  trace.Call(set_device, {0}, {.start = 200, .end = 210, .correlation = 1});
  Write(trace);
  EXPECT_EQ(Ask(kCallRows), (Rows{"1|1000|101|100|120|hipSetDevice|deviceId=1|1|0",
                                  "2|1000|7|130|140|hipMalloc|ptr=0x7ffd, size=64|2|2",
                                  "3|1000|101|150|160|(unknown call 32771)||3|0",
                                  "4|1000|101|170|180|hipBrandNew||4|NULL",
                                  "1099511627777|1001|101|200|210|hipSetDevice|deviceId=0|1|0"}));
  EXPECT_EQ(result_.kind(EventKind::kHipCall).recorded, 5u);
}

TEST_F(CallWriterTest, RefusesImpossibleCalls) {
  TraceBuilder trace;
  const uint32_t number = TraceBuilder::CallNumber("hipSetDevice");
  trace.Call(number, {1}, {.start = 200, .end = 100, .correlation = 1});
  trace.Call(number, {1}, {.start = 200, .end = 300, .correlation = 0});
  trace.Call(number, {1}, {.start = 200, .end = 300, .correlation = uint64_t{1} << 50});
  Write(trace);
  EXPECT_EQ(Ask("SELECT count(*) FROM rocpd_api"), Rows{"0"});
  EXPECT_EQ(result_.kind(EventKind::kHipCall).loss(Loss::kTorn), 3u);
}

TEST_F(CallWriterTest, KeepsTheFirstOfTwoCallsWithOneCorrelationIdAndNamesTheOther) {
  TraceBuilder trace;
  const uint32_t number = TraceBuilder::CallNumber("hipSetDevice");
  trace.Call(number, {1}, {.start = 100, .end = 120, .correlation = 1});
  trace.Call(number, {2}, {.start = 130, .end = 140, .correlation = 1});
  trace.Call(TraceBuilder::CallNumber("hipMemcpy"), {0x1000, 0x2000, 4096, 1},
             {.start = 150, .end = 160, .correlation = 1});
  trace.Call(number, {3}, {.start = 170, .end = 180, .correlation = 2});
  Write(trace);
  EXPECT_EQ(Ask("SELECT id, start FROM rocpd_api ORDER BY id"), (Rows{"1|100", "2|170"}));
  EXPECT_EQ(Ask("SELECT * FROM rocpd_copyapi"), Rows{});
  const KindTotals& calls = result_.kind(EventKind::kHipCall);
  EXPECT_EQ(calls.submitted, 4u);
  EXPECT_EQ(calls.recorded, 2u);
  EXPECT_EQ(calls.loss(Loss::kDuplicate), 2u);
  EXPECT_EQ(result_.warnings,
            Rows{"process 1000: 2 calls carried the correlation id of another call and were left "
                 "out"});
}

TEST_F(CallWriterTest, CountsCallsThatWereOpenAtTheEnd) {
  TraceBuilder trace;
  trace.Call(TraceBuilder::CallNumber("hipSetDevice"), {1},
             {.start = 100, .end = 120, .correlation = 1});
  trace.Open(EventKind::kHipCall, 2);
  Write(trace);
  EXPECT_EQ(result_.kind(EventKind::kHipCall).submitted, 3u);
  EXPECT_EQ(result_.kind(EventKind::kHipCall).loss(Loss::kShutdown), 2u);
  EXPECT_TRUE(result_.warnings.empty());
}

}  // namespace
}  // namespace rtl::store
