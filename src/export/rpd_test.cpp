// SPDX-License-Identifier: MIT
#include "export/rpd.h"

#include <gtest/gtest.h>

#include "trace/read/query_test_support.h"
#include "trace/read/statement.h"

namespace rtl::exporting {
namespace {

using query::ExpectOk;
using query::TestTrace;

class Rpd : public testing::Test {
 protected:
  void SetUp() override {
    trace_.Queue(0);
    trace_.Kernel("_Z4gemmPf");
  }
  void Export() {
    trace_.Finish();
    ExpectOk(WriteRpd(path_, output_, nullptr, nullptr, &notes_));
  }
  // All values of all rows, as text.
  std::string Rows(const std::string& sql) {
    sqlite3* database = nullptr;
    EXPECT_EQ(sqlite3_open(output_.c_str(), &database), SQLITE_OK);
    std::string text;
    const auto add = [](void* out, int columns, char** values, char**) {
      for (int i = 0; i < columns; ++i) {
        *static_cast<std::string*>(out) += (i == 0 ? "" : "|") + std::string(values[i]);
      }
      *static_cast<std::string*>(out) += "\n";
      return 0;
    };
    EXPECT_EQ(sqlite3_exec(database, sql.c_str(), add, &text, nullptr), SQLITE_OK)
        << sqlite3_errmsg(database);
    EXPECT_EQ(sqlite3_close(database), SQLITE_OK);
    return text;
  }

  test::TempDir directory_;
  std::string path_ = directory_.File("trace.db");
  std::string output_ = directory_.File("trace.rpd");
  TestTrace trace_{path_};
  std::vector<std::string> notes_;
};

TEST_F(Rpd, HasCallsAndTheirWorkInTheTablesOfItsQueries) {
  trace_.Call("hipMemcpy", {0x1000, 0x2000, 4096, 1},
              {.start = 1000, .end = 1900, .correlation = 5});
  CopyRecord copy;
  copy.dst_agent = 1;
  copy.kind = CopyKind::kHostToDevice;
  copy.bytes = 4096;
  copy.start = 1200;
  copy.end = 1800;
  copy.correlation = 5;
  trace_.Copy(copy);
  trace_.GraphLaunch({.start = 2000, .end = 2100, .correlation = 6});
  trace_.Add({.tid = 101, .submit = 2050, .start = 3000, .end = 7000, .correlation = 6});
  Export();
  EXPECT_EQ(Rows("SELECT value FROM rocpd_metadata WHERE tag = 'schema_version'"), "2\n");
  EXPECT_EQ(Rows("SELECT pid, tid, start, end, domain, apiName, args FROM api ORDER BY start"),
            "1000|101|1000|1900|hip|hipMemcpy|dst=0x1000, src=0x2000, sizeBytes=4096, "
            "kind=hipMemcpyHostToDevice\n"
            "1000|101|2000|2100|hip|hipGraphLaunch|graphExec=0x10, stream=0x20\n");
  EXPECT_EQ(Rows("SELECT gpuId, start, end, description, opType FROM op ORDER BY start"),
            "0|1200|1800||CopyHostToDevice\n0|3000|7000|gemm(float*)|KernelExecution\n");
  EXPECT_EQ(Rows("SELECT apiName, op.start FROM rocpd_api_ops l JOIN api ON api.id = l.api_id"
                 " JOIN op ON op.id = l.op_id ORDER BY 2"),
            "hipMemcpy|1200\nhipGraphLaunch|3000\n");
  EXPECT_EQ(Rows("SELECT size, kind, duration FROM copyop"), "4096|1|600\n");
  EXPECT_EQ(Rows("SELECT Name, TotalCalls, TotalDuration_us, Percentage FROM top"),
            "gemm(float*)|1|4|86.9565217391304\nCopyHostToDevice|1|0|13.0434782608696\n");
  EXPECT_EQ(Rows("SELECT gpuId, GpuTime, WallTime FROM busy"), "0|4600|5800\n");
  EXPECT_TRUE(notes_.empty());
}

TEST_F(Rpd, HasACallForWorkWithoutARecordedCall) {
  trace_.Add({.tid = 101, .submit = 2050, .start = 3000, .end = 7000});
  Export();
  EXPECT_EQ(Rows("SELECT tid, start, end, apiName, args FROM api"),
            "101|2050|2050|hipLaunchKernel|recorded: submission\n");
  // 1000 work-items in workgroups of 64.
  EXPECT_EQ(Rows("SELECT kernelName, gridX, gridY, workgroupX, duration FROM kernel"),
            "gemm(float*)|16|1|64|4000\n");
}

TEST_F(Rpd, HasMarkersAsCallsAndLeavesOutBarriers) {
  trace_.Push(101, 100, "step");
  trace_.Mark(101, 150, "here");
  trace_.Pop(101, 200);
  BarrierRecord barrier;
  barrier.queue = 1;
  barrier.kind = BarrierKind::kAnd;
  barrier.start = 300;
  barrier.end = 400;
  trace_.Barrier(barrier);
  Export();
  EXPECT_EQ(Rows("SELECT start, end, domain, apiName, args FROM api ORDER BY start"),
            "100|200|roctx|UserMarker|step\n150|150|roctx|UserMarker|here\n");
  EXPECT_EQ(Rows("SELECT * FROM op"), "");
  EXPECT_TRUE(notes_.empty());
}

}  // namespace
}  // namespace rtl::exporting
