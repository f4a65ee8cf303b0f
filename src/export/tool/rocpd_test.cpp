// SPDX-License-Identifier: MIT
#include "export/tool/rocpd.h"

#include <gtest/gtest.h>

#include "export/tool/rocpd_schema.h"
#include "export/tool/tool_test_support.h"

namespace rtl::exporting::tool {
namespace {

using query::ExpectOk;

// All rows of a query, one a line, cells joined by bars.
std::string Ask(const std::string& path, const std::string& sql) {
  sqlite3* db = nullptr;
  EXPECT_EQ(sqlite3_open_v2(path.c_str(), &db, SQLITE_OPEN_READONLY, nullptr), SQLITE_OK);
  std::string text;
  char* message = nullptr;
  const auto take = [](void* out, int count, char** cells, char**) {
    auto* const lines = static_cast<std::string*>(out);
    for (int i = 0; i < count; ++i) {
      *lines += (i == 0 ? "" : "|") + std::string(cells[i] == nullptr ? "" : cells[i]);
    }
    *lines += "\n";
    return 0;
  };
  EXPECT_EQ(sqlite3_exec(db, sql.c_str(), take, &text, &message), SQLITE_OK) << message;
  sqlite3_free(message);
  EXPECT_EQ(sqlite3_close(db), SQLITE_OK);
  return text;
}

class Rocpd : public testing::Test {
 protected:
  Rocpd() {
    WriteSmallTrace(dir_.File("trace.db"));
    for (size_t process : {0, 1}) {
      OpenTool trace(dir_.File("trace.db"), process, {});
      OutputSet outputs(dir_.File(process == 0 ? "a" : "b"));
      ExpectOk(WriteRocpd(*trace, "{}", &outputs));
      ExpectOk(outputs.Commit());
    }
  }
  std::string First(const std::string& sql) { return Ask(dir_.File("a_results.db"), sql); }

  test::TempDir dir_;
};

TEST_F(Rocpd, HasTheKernelsWithTheirNamesAndPositions) {
  EXPECT_EQ(First("SELECT name, region, pid, tid, agent_type, queue, stream, start, \"end\","
                  " duration, grid_x, workgroup_x, lds_size, scratch_size, vgpr_count, corr_id,"
                  " stack_id, dispatch_id, category FROM kernels ORDER BY id"),
            "void gemm<float>(float*, int)|void gemm<float>(float*, int)|1000|101|GPU|Queue 1|"
            "Default Stream|1000|2000|1000|256|64|700|0|32|0|2|1|KERNEL_DISPATCH\n"
            "void gemm<float>(float*, int)|void gemm<float>(float*, int)|1000|102|GPU|Queue 2|"
            "Default Stream|1500|1700|200|256|64|0|0|32|0|5|2|KERNEL_DISPATCH\n"
            "fill|fill|1000|101|GPU|Queue 1|Default Stream|2500|3000|500|256|64|0|16|32|0|6|3|"
            "KERNEL_DISPATCH\n");
}

TEST_F(Rocpd, HasCallsAndRangesAsRegionsAndMarksAsSamples) {
  EXPECT_EQ(First("SELECT category, name, start, \"end\", tid, stack_id,"
                  " json_extract(extdata, '$.message') FROM regions ORDER BY id"),
            "HIP_RUNTIME_API_EXT|hipSetDevice|100|150|101|1|\n"
            "HIP_RUNTIME_API_EXT|hipGraphLaunch|910|990|101|2|\n"
            "MARKER_CORE_RANGE_API|roctxThreadRangeA|900|2100|101|4|step \"one\"\n");
  EXPECT_EQ(First("SELECT category, name, timestamp, pid, tid, stack_id,"
                  " json_extract(extdata, '$.message') FROM samples"),
            "MARKER_CORE_RANGE_API|MARKER_CORE_RANGE_API|3100|1000|101|7|mark\n");
  EXPECT_EQ(First("SELECT count(*) FROM regions_and_samples WHERE category LIKE 'MARKER%'"), "2\n");
  EXPECT_EQ(First("SELECT name, value FROM region_args ORDER BY 1 LIMIT 1"), "deviceId|0\n");
}

TEST_F(Rocpd, HasTheCopies) {
  EXPECT_EQ(First("SELECT name, size, dst_agent_type, dst_address, src_device, src_address, start,"
                  " \"end\", stack_id FROM memory_copies"),
            "MEMORY_COPY_HOST_TO_DEVICE|4096|GPU|8192||4096|4000|4500|8\n");
}

TEST_F(Rocpd, HasItsVersionAndTheMissingEvents) {
  EXPECT_EQ(First("SELECT value FROM rocpd_metadata WHERE tag = 'schema_version'"), "3\n");
  EXPECT_EQ(Ask(dir_.File("b_results.db"),
                "SELECT tag, value FROM rocpd_metadata WHERE tag LIKE 'rtl.k%'"),
            "rtl.kShutdown.kernels|2\n");
  EXPECT_EQ(First("PRAGMA foreign_key_check"), "");
  EXPECT_EQ(First("PRAGMA integrity_check"), "ok\n");
}

// As if SQLite had written the rows: its next row has the next number.
TEST_F(Rocpd, CountsTheRowsOfEveryTable) {
  const std::string names =
      First("SELECT name FROM sqlite_master WHERE sql LIKE '%AUTOINCREMENT%'");
  std::stringstream tables(names);
  size_t filled = 0;
  for (std::string table; tables >> table;) {
    const std::string last = First("SELECT max(id) FROM " + table);
    EXPECT_EQ(First("SELECT max(seq) FROM sqlite_sequence WHERE name = '" + table + "'"), last);
    filled += last != "\n";
  }
  EXPECT_EQ(filled, 17u) << names;
}

TEST_F(Rocpd, HasTheRankOfTheProcess) {
  test::TraceBuilder trace;
  trace.Rank(3, 8, "job");
  trace.Dispatch(trace.Queue(trace.Gpu("gfx906")), trace.Kernel("fill"), {.start = 1, .end = 2});
  ExpectOk(trace.WriteDatabase(dir_.File("ranked.db")));
  OpenTool ranked(dir_.File("ranked.db"), 0, {});
  for (const std::string config : {"{}", "{\"hip_trace\":true}"}) {
    OutputSet outputs(dir_.File("ranked"));
    ExpectOk(WriteRocpd(*ranked, config, &outputs));
    ExpectOk(outputs.Commit());
    EXPECT_EQ(Ask(dir_.File("ranked_results.db"),
                  "SELECT json_extract(extdata, '$.mpi_rank', '$.mpi_size') FROM "
                  "rocpd_info_process"),
              "[3,8]\n");
  }
}

TEST_F(Rocpd, DatabasesOfSeveralProcessesCanBeReadTogether) {
  const std::string guid =
      Ask(dir_.File("b_results.db"), "SELECT value FROM rocpd_metadata WHERE tag = 'guid'");
  EXPECT_NE(guid, First("SELECT value FROM rocpd_metadata WHERE tag = 'guid'"));
  std::string table = TableOf("kernel_dispatch", guid.substr(0, guid.size() - 1));
  EXPECT_EQ(First("ATTACH '" + dir_.File("b_results.db") +
                  "' AS other; SELECT count(*), min(start) FROM other." + table),
            "1|5000\n");
}

// Every view of the schema can be queried, also when it is empty.
TEST_F(Rocpd, EveryViewCanBeRead) {
  const std::string names = First("SELECT name FROM sqlite_master WHERE type = 'view'");
  std::stringstream views(names);
  size_t count = 0;
  for (std::string view; views >> view; ++count) (void)First("SELECT * FROM " + view);
  EXPECT_EQ(count, 41u) << names;
  EXPECT_EQ(First("SELECT name, total_calls FROM top_kernels"),
            "void gemm<float>(float*, int)|2\nfill|1\n");
}

}  // namespace
}  // namespace rtl::exporting::tool
