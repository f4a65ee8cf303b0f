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
            (Rows{"1|1|1000|1|2|1|17|1024|11|700|12|0|12",
                  "2|1|1000|2|2|1|18|1024|12|NULL|NULL|0|NULL"}));
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

TEST_F(TraceWriterTest, KeepsEveryTextOnce) {
  TraceBuilder trace;
  for (int i = 0; i < 5; ++i) trace.Mark(1, 100 + i, "same");
  trace.Mark(1, 200, "caf\xc3\xa9").Mark(1, 201, "bad \xff");
  Write(trace);
  EXPECT_EQ(
      Ask("SELECT string FROM rocpd_string ORDER BY id"),
      (Rows{"KernelExecution", kUnknownKernel, "UserMarker", "same", "caf\xc3\xa9", "bad ?"}));
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
  EXPECT_EQ(value("loaded_by"), "HSA_TOOLS_LIB");
  EXPECT_EQ(value("clock"), "CLOCK_BOOTTIME ns");
  EXPECT_EQ(value("realtime_minus_boottime"), "1700000000000000000");
  EXPECT_EQ(value("started"), "10");
  EXPECT_EQ(value("ended"), "9000");
  EXPECT_EQ(value("exit_code"), "0");
  EXPECT_EQ(value("submitted.kernels"), "7");
  EXPECT_EQ(value("recorded.kernels"), "3");
  EXPECT_EQ(value("loss.kBacklog.kernels"), "4");
  EXPECT_EQ(value("submitted.markers"), "1");
  EXPECT_EQ(value("warning.1"), "mind the gap");
  EXPECT_EQ(Ask("SELECT count(*) FROM rocpd_metadata WHERE tag LIKE 'loss.k%'"),
            Rows{std::to_string(kLossCount * kEventKindCount)});
  EXPECT_EQ(Ask("SELECT value FROM rtl_process_counter WHERE pid = 1000 AND kind = 'kernels'"
                " AND counter = 'loss.kBacklog'"),
            Rows{"4"});
}

TEST(FindNotCounted, NamesWhatHipsProfilerHadNotReportedWhenAProcessDied) {
  const auto kernels = [](const char* mode, ProcessEnd end) {
    return FindNotCounted(mode, end)[static_cast<size_t>(EventKind::kKernel)];
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
