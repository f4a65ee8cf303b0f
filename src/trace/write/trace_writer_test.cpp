// SPDX-License-Identifier: MIT
#include "trace/write/trace_writer.h"

#include <gtest/gtest.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <filesystem>
#include <fstream>

#include "tests/support/database_rows.h"
#include "trace/collect/accounting.h"
#include "trace/schema/schema.h"
#include "trace/write/trace_writer_test_support.h"

namespace rtl::store {
namespace {

using test::TraceBuilder;

constexpr char kKernelRows[] =
    "SELECT o.gpuId, q.queue, o.sequenceId, o.completionSignal, o.start, o.end, d.string, t.string,"
    " o.correlation_id, o.pid, o.tid, o.submit, o.packet, o.flags FROM rocpd_op o"
    " JOIN rocpd_string d ON d.id = o.description_id JOIN rocpd_string t ON t.id = o.opType_id"
    " JOIN rtl_queue q ON q.id = o.queueId ORDER BY o.start";
constexpr char kMarkerRows[] =
    "SELECT o.gpuId, o.queueId, o.start, o.end, d.string, o.roctxId, o.tid, o.flags FROM rocpd_op o"
    " JOIN rocpd_string d ON d.id = o.description_id JOIN rocpd_string t ON t.id = o.opType_id"
    " WHERE t.string = 'UserMarker' ORDER BY o.start, o.id";

TEST_F(TraceWriterTest, WritesEveryColumnOfAKernel) {
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

TEST_F(TraceWriterTest, WritesDimensionsSegmentsAndTheCall) {
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

TEST_F(TraceWriterTest, WritesCopiesWithTheirAgentsAndSizes) {
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
  trace.Copy(copy);  // before its agents
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

TEST_F(TraceWriterTest, WritesBarriersOfAllKindsApartFromKernels) {
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
  trace.Barrier(barrier);  // before its queue
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

TEST_F(TraceWriterTest, WritesAgentsQueuesAndKernels) {
  TraceBuilder trace;
  trace.Gpu("gfx906");
  const uint32_t second = trace.Gpu("gfx90a");
  const uint32_t queue = trace.Queue(second);
  trace.Queue(second);
  trace.Kernel("_Z4copyPKfPf", second);
  trace.QueueEnd(queue, 700, 12);
  Write(trace);
  EXPECT_EQ(Ask("SELECT * FROM rtl_agent ORDER BY id"),
            (Rows{"1|1|1000|1|1|0|1|256|60|100000000|gfx906|Test GPU|GPU-0001",
                  "2|1|1000|2|1|1|2|512|60|100000000|gfx90a|Test GPU|GPU-0002"}));
  EXPECT_EQ(Ask("SELECT * FROM rtl_queue ORDER BY id"),
            (Rows{"1|1|1000|1|2|1|17|1024|11|700|12|0", "2|1|1000|2|2|1|18|1024|12|NULL|NULL|0"}));
  EXPECT_EQ(Ask("SELECT k.id, k.pid, k.kernel, k.agent, n.string, m.string, kernel_object,"
                " code_object, group_segment, private_segment, kernarg_segment, vgprs, sgprs, flags"
                " FROM rtl_kernel k JOIN rocpd_string n ON n.id = name_id"
                " JOIN rocpd_string m ON m.id = mangled_id"),
            Rows{"1|1000|1|2|copy(float const*, float*)|_Z4copyPKfPf|4096|1|0|0|64|32|16|0"});
}

TEST_F(TraceWriterTest, WritesNothingForAnUnknownFrequency) {
  TraceBuilder trace;
  trace.Gpu("gfx906", 0);
  Write(trace);
  EXPECT_EQ(Ask("SELECT timestamp_hz FROM rtl_agent"), Rows{"NULL"});
}

TEST_F(TraceWriterTest, SeparatesProcessesWithTheSamePid) {
  TraceBuilder trace = TraceBuilder::ThreeKernelsOnTwoQueues();
  trace.Rank(0, 2, "job-1");
  trace.NextProcess().Rank(1, 2, "job-1").Mark(5, 70, "second");
  trace.Exec().Mark(5, 90, "third");  // the same pid
  Write(trace);
  EXPECT_EQ(Ask("SELECT id, pid, rank, local_rank, world, job, process_group FROM rtl_process"),
            (Rows{"1|1000|0|NULL|2|job-1|999", "2|1001|1|NULL|2|job-1|999",
                  "3|1001|NULL|NULL|NULL||999"}));
  EXPECT_EQ(Ask("SELECT process_id, rank, count(*) FROM rocpd_op GROUP BY 1 ORDER BY 1"),
            (Rows{"1|0|4", "2|1|1", "3|NULL|1"}));
  EXPECT_EQ(Ask("SELECT DISTINCT process_id FROM rtl_process_counter ORDER BY 1"),
            (Rows{"1", "2", "3"}));
}

constexpr char kCallRows[] =
    "SELECT a.id, a.pid, a.tid, a.start, a.end, n.string, g.string, a.correlation_id, a.result"
    " FROM rocpd_api a JOIN rocpd_string n ON n.id = a.apiName_id"
    " JOIN rocpd_string g ON g.id = a.args_id ORDER BY a.id";

TEST_F(TraceWriterTest, WritesCallsWithTheirArgumentsAndResults) {
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

TEST_F(TraceWriterTest, RefusesImpossibleCalls) {
  TraceBuilder trace;
  const uint32_t number = TraceBuilder::CallNumber("hipSetDevice");
  trace.Call(number, {1}, {.start = 200, .end = 100, .correlation = 1});
  trace.Call(number, {1}, {.start = 200, .end = 300, .correlation = 0});
  trace.Call(number, {1}, {.start = 200, .end = 300, .correlation = uint64_t{1} << 50});
  Write(trace);
  EXPECT_EQ(Ask("SELECT count(*) FROM rocpd_api"), Rows{"0"});
  EXPECT_EQ(result_.kind(EventKind::kHipCall).loss(Loss::kTorn), 3u);
}

TEST_F(TraceWriterTest, KeepsTheFirstOfTwoCallsWithOneCorrelationIdAndNamesTheOther) {
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
  EXPECT_EQ(calls.seen, 4u);
  EXPECT_EQ(calls.recorded, 2u);
  EXPECT_EQ(calls.loss(Loss::kDuplicate), 2u);
  EXPECT_EQ(result_.warnings,
            Rows{"process 1000: 2 calls carried the correlation id of another call and were left "
                 "out"});
}

TEST_F(TraceWriterTest, CountsCallsThatWereOpenAtTheEnd) {
  TraceBuilder trace;
  trace.Call(TraceBuilder::CallNumber("hipSetDevice"), {1},
             {.start = 100, .end = 120, .correlation = 1});
  trace.Open(EventKind::kHipCall, 2);
  Write(trace);
  EXPECT_EQ(result_.kind(EventKind::kHipCall).seen, 3u);
  EXPECT_EQ(result_.kind(EventKind::kHipCall).loss(Loss::kShutdown), 2u);
  EXPECT_TRUE(result_.warnings.empty());
}

TEST_F(TraceWriterTest, PairsRangesAndWritesMarks) {
  TraceBuilder trace;
  trace.Push(7, 100, "outer").Push(7, 110, "inner").Mark(8, 115, "now");
  trace.Pop(7, 120).Pop(7, 130);
  trace.Start(7, 140, 5, "across").Stop(9, 150, 5);
  trace.Push(7, 160, "left open");
  Write(trace);
  EXPECT_EQ(Ask(kMarkerRows),
            (Rows{"-1|0|100|130|outer|0|7|0", "-1|0|110|120|inner|0|7|0", "-1|0|115|115|now|0|8|1",
                  "-1|0|140|150|across|5|7|2", "-1|0|160|9000|left open|0|7|4"}));
  EXPECT_EQ(result_.kind(EventKind::kMarker).recorded, 5u);
}

TEST_F(TraceWriterTest, KeepsEveryTextOnce) {
  TraceBuilder trace;
  for (int i = 0; i < 5; ++i) trace.Mark(1, 100 + i, "same");
  trace.Mark(1, 200, "caf\xc3\xa9").Mark(1, 201, "bad \xff");
  Write(trace);
  EXPECT_EQ(
      Ask("SELECT string FROM rocpd_string ORDER BY id"),
      (Rows{"KernelExecution", "UserMarker", kUnknownKernel, "same", "caf\xc3\xa9", "bad ?"}));
}

TEST_F(TraceWriterTest, NamesAnUnannouncedKernel) {
  TraceBuilder trace;
  const uint32_t queue = trace.Queue(trace.Gpu("gfx906"));
  trace.Dispatch(queue, trace.Kernel(""), {.start = 100, .end = 200});
  trace.Dispatch(queue, 55, {.start = 300, .end = 400});  // without a kernel record
  Write(trace);
  EXPECT_EQ(Ask("SELECT d.string, o.kernel_id, o.flags FROM rocpd_op o"
                " JOIN rocpd_string d ON d.id = o.description_id ORDER BY o.start"),
            (Rows{"(unknown kernel)|1|256", "(unknown kernel)|0|256"}));
}

TEST_F(TraceWriterTest, WaitsForAKernelThatIsReadAfterItsDispatch) {
  TraceBuilder trace;
  trace.Dispatch(1, 1, {.start = 100, .end = 200});
  trace.Queue(trace.Gpu("gfx906"));
  trace.Kernel("late");
  Write(trace);
  EXPECT_EQ(Ask("SELECT d.string, o.gpuId, o.queueId, o.kernel_id, o.flags FROM rocpd_op o"
                " JOIN rocpd_string d ON d.id = o.description_id"),
            Rows{"late|0|1|1|0"});
}

TEST_F(TraceWriterTest, DoesNotWaitForEverForALostKernel) {
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

TEST_F(TraceWriterTest, LeavesOutImpossibleTimesAndReportsThem) {
  TraceBuilder trace;
  const uint32_t queue = trace.Queue(trace.Gpu("gfx906"));
  const uint32_t kernel = trace.Kernel("k");
  trace.Dispatch(queue, kernel, {.start = 100, .end = 99});
  trace.Dispatch(queue, kernel, {.start = 100, .end = UINT64_MAX});
  trace.Dispatch(queue, kernel, {.start = 100, .end = 100});
  Write(trace);
  EXPECT_EQ(Ask("SELECT count(*) FROM rocpd_op"), Rows{"1"});
  const KindTotals& kernels = result_.kind(EventKind::kKernel);
  EXPECT_EQ(kernels.seen, 3u);
  EXPECT_EQ(kernels.recorded, 1u);
  EXPECT_EQ(kernels.loss(Loss::kTorn), 2u);
  EXPECT_EQ(result_.warnings,
            Rows{"process 1000: 2 records carried impossible times and were left out"});
}

TEST_F(TraceWriterTest, SeparatesProcesses) {
  TraceBuilder trace;
  for (int i = 0; i < 2; ++i) {
    if (i == 1) trace.NextProcess();
    const uint32_t queue = trace.Queue(trace.Gpu("gfx906"));
    trace.Dispatch(queue, trace.Kernel(i == 0 ? "first" : "second"), {.start = 100, .end = 200});
    trace.Start(1, 100, 1, i == 0 ? "range of first" : "range of second");
    trace.Stop(1, 300, 1);
  }
  Write(trace);
  EXPECT_EQ(
      Ask("SELECT o.pid, d.string, o.queueId, q.pid, o.kernel_id, k.pid FROM rocpd_op o"
          " JOIN rocpd_string d ON d.id = o.description_id JOIN rtl_queue q ON q.id = o.queueId"
          " JOIN rtl_kernel k ON k.id = o.kernel_id ORDER BY o.pid"),
      (Rows{"1000|first|1|1000|1|1000", "1001|second|2|1001|2|1001"}));
  EXPECT_EQ(Ask("SELECT pid, started, ended, command, mode FROM rtl_process ORDER BY pid"),
            (Rows{"1000|10|9000|app --steps 3|standard", "1001|11|9000|app --steps 3|standard"}));
  EXPECT_EQ(Ask("SELECT o.pid, d.string, o.end FROM rocpd_op o JOIN rocpd_string d"
                " ON d.id = o.description_id WHERE gpuId = -1 ORDER BY o.pid"),
            (Rows{"1000|range of first|300", "1001|range of second|300"}));
}

TEST_F(TraceWriterTest, WritesMetadataWithEveryLossByName) {
  TraceBuilder trace = TraceBuilder::ThreeKernelsOnTwoQueues();
  trace.Lose(EventKind::kKernel, Loss::kBacklog, 4).Warning("mind the gap");
  Write(trace);
  const auto value = [&](const std::string& tag) {
    const Rows rows = Ask("SELECT value FROM rocpd_metadata WHERE tag = '" + tag + "'");
    return rows.size() == 1 ? rows[0] : "rows: " + std::to_string(rows.size());
  };
  EXPECT_EQ(value("schema_version"), std::to_string(kSchemaVersion));
  EXPECT_EQ(value("rtl_version"), "test");
  EXPECT_EQ(value("host"), "testhost");
  EXPECT_EQ(value("pid"), "1000");
  EXPECT_EQ(value("command"), "app --steps 3");
  EXPECT_EQ(value("mode"), "standard");
  EXPECT_EQ(value("door"), "HSA_TOOLS_LIB");
  EXPECT_EQ(value("clock"), "CLOCK_BOOTTIME ns");
  EXPECT_EQ(value("realtime_minus_boottime"), "1700000000000000000");
  EXPECT_EQ(value("started"), "10");
  EXPECT_EQ(value("ended"), "9000");
  EXPECT_EQ(value("exit_code"), "0");
  EXPECT_EQ(value("seen.kernels"), "7");
  EXPECT_EQ(value("recorded.kernels"), "3");
  EXPECT_EQ(value("loss.kBacklog.kernels"), "4");
  EXPECT_EQ(value("seen.markers"), "1");
  EXPECT_EQ(value("warning.1"), "mind the gap");
  EXPECT_EQ(Ask("SELECT count(*) FROM rocpd_metadata WHERE tag LIKE 'loss.k%'"),
            Rows{std::to_string(kLossCount * kEventKindCount)});
  EXPECT_EQ(Ask("SELECT value FROM rtl_process_counter WHERE pid = 1000 AND kind = 'kernels'"
                " AND counter = 'loss.kBacklog'"),
            Rows{"4"});
}

TEST(FindUnseen, NamesWhatHipsProfilerHadNotReportedWhenAProcessDied) {
  const auto kernels = [](const char* mode, ProcessEnd end) {
    return FindUnseen(mode, end)[static_cast<size_t>(EventKind::kKernel)];
  };
  EXPECT_NE(kernels("clr", ProcessEnd::kKilled).find("before HIP's own profiler"),
            std::string::npos);
  EXPECT_EQ(kernels("clr", ProcessEnd::kFinished), "");
  EXPECT_EQ(kernels("hip", ProcessEnd::kKilled), "");
}

TEST_F(TraceWriterTest, RanksKernelsInTop) {
  Write(TraceBuilder::ThreeKernelsOnTwoQueues());
  EXPECT_EQ(Ask("SELECT * FROM top"),
            (Rows{"gemm(float*, float*, float*, int)|2|1500|750|500|1000|88.24",
                  "copy(float const*, float*)|1|200|200|200|200|11.76"}));
}

//   queue 1  |100====300|          |500==600|
//   queue 2       |200======400|   |500==600|
//   queue 3        |250=260|
TEST_F(TraceWriterTest, CountsOverlapOnceInBusy) {
  TraceBuilder trace;
  const uint32_t gpu = trace.Gpu("gfx906");
  const uint32_t other = trace.Gpu("gfx906");
  const uint32_t kernel = trace.Kernel("k");
  const uint64_t spans[][3] = {{1, 100, 300}, {2, 200, 400}, {3, 250, 260},
                               {1, 500, 600}, {2, 500, 600}, {3, 550, 550}};
  for (int i = 0; i < 3; ++i) trace.Queue(gpu);
  trace.Queue(other);
  for (const auto& [queue, start, end] : spans) {
    trace.Dispatch(static_cast<uint32_t>(queue), kernel, {.start = start, .end = end});
  }
  trace.Dispatch(4, kernel, {.start = 1000, .end = 1100});
  trace.Push(1, 0, "markers do not count").Pop(1, 5000);
  Write(trace);
  EXPECT_EQ(Ask("SELECT * FROM busy"), (Rows{"0|40.0|6|400|1000", "1|10.0|1|100|1000"}));
}

TEST_F(TraceWriterTest, AnswersQueriesWithoutKernels) {
  Write(TraceBuilder());
  EXPECT_LE(std::filesystem::file_size(path_), 64u << 10);
  EXPECT_EQ(Ask("SELECT * FROM top"), Rows{});
  EXPECT_EQ(Ask("SELECT * FROM busy"), Rows{});
  EXPECT_EQ(Ask("SELECT count(*) FROM rocpd_api"), Rows{"0"});
}

}  // namespace
}  // namespace rtl::store
