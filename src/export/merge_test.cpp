// SPDX-License-Identifier: MIT
#include "export/merge.h"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <atomic>
#include <fstream>

#include "export/database.h"
#include "tests/support/earlier_schemas.h"
#include "tests/support/temp_dir.h"
#include "tests/support/trace_builder.h"
#include "trace/read/trace_reader.h"
#include "trace/schema/schema.h"
#include "trace/schema/tables.h"

namespace rtl::exporting {
namespace {

using test::TempDir;
using test::TraceBuilder;
using Rows = std::vector<std::string>;

// Every row of a query, as text.
Rows Ask(const std::string& path, const std::string& sql) {
  sqlite3* db = nullptr;
  EXPECT_EQ(sqlite3_open(path.c_str(), &db), SQLITE_OK);
  Rows rows;
  const auto take = [](void* to, int columns, char** values, char**) {
    std::string row;
    for (int i = 0; i < columns; ++i) row += std::string(values[i] ? values[i] : "NULL") + "|";
    static_cast<Rows*>(to)->push_back(row);
    return 0;
  };
  EXPECT_EQ(sqlite3_exec(db, sql.c_str(), take, &rows, nullptr), SQLITE_OK)
      << sql << ": " << sqlite3_errmsg(db);
  EXPECT_EQ(sqlite3_close(db), SQLITE_OK);
  return rows;
}

// A trace with each kind of reference, of a process that began `ticks` clock ticks after boot.
void WriteTrace(const std::string& path, int ticks, uint64_t shift) {
  TraceBuilder trace;
  const uint32_t gpu = trace.Gpu("gfx906");
  const uint32_t queue = trace.Queue(gpu);
  const std::string kernel = "_Z4gemm" + std::to_string(ticks);
  const uint32_t own = trace.Kernel(kernel);
  const uint32_t shared = trace.Kernel("_Z6sharedv");
  const uint32_t launch = TraceBuilder::CallNumber("hipModuleLaunchKernel");
  trace.Push(101, shift + 900, "step " + std::to_string(ticks)).Pop(101, shift + 2100);
  trace.Mark(101, shift + 950, "mark");
  for (uint64_t i = 1; i <= 3; ++i) {
    const uint64_t start = shift + 1000 * i;
    trace.Dispatch(queue, i == 2 ? shared : own,
                   {.start = start, .end = start + 100 * i, .correlation = i});
    trace.Call(launch, {0x10, i, 1, 1, 64, 1, 1, 0, 0, 0, 0},
               {.start = start - 90, .end = start - 10, .correlation = i});
  }
  trace.Counter(2, "SQ_WAVES", 7.0 * ticks, 1);
  ASSERT_TRUE(trace.WriteDatabase(path).ok());
  (void)Ask(path, "UPDATE rtl_process SET start_ticks = " + std::to_string(ticks));
  (void)Ask(path, store::CreateSql(store::kInFlightTableDescription));
  (void)Ask(path, store::CreateSql(store::kFaultTableDescription));
  (void)Ask(
      path,
      "INSERT INTO rtl_in_flight SELECT 1, 1, 1000, 101, 0, 1, 5, 0, 0, name_id, id, 10, 0, 20,"
      " 64, 1, 1, 64, 1, 1, 0, 0, 0, 3, NULL FROM rtl_kernel WHERE kernel = 1");
  (void)Ask(path, "INSERT INTO rtl_fault VALUES (1, 1, 1000, 20, 1, 0, 4096, 1)");
}

// The rows of the process `id`, without numbers that differ between traces.
Rows Everything(const std::string& path, int id) {
  const std::string p = std::to_string(id);
  const std::string queries[] = {
      "SELECT o.sequenceId, o.packet, o.start, o.end, o.submit, s.string, t.string, "
      "o.correlation_id,"
      " o.gridX, q.queue, k.kernel, o.completionSignal, o.flags, o.roctxId FROM rocpd_op o"
      " LEFT JOIN rocpd_string s ON s.id = o.description_id LEFT JOIN rocpd_string t ON t.id = "
      "o.opType_id"
      " LEFT JOIN rtl_queue q ON q.id = o.queueId LEFT JOIN rtl_kernel k ON k.id = o.kernel_id"
      " WHERE o.process_id = " +
          p + " ORDER BY o.id",
      "SELECT a.pid, a.start, a.end, n.string, g.string, a.correlation_id, a.result, a.process_id "
      "- " +
          p +
          " FROM rocpd_api a JOIN rocpd_string n ON n.id = a.apiName_id"
          " JOIN rocpd_string g ON g.id = a.args_id WHERE a.process_id = " +
          p + " ORDER BY a.id",
      "SELECT a.correlation_id, o.start, a.process_id - o.process_id FROM rocpd_api_ops l"
      " JOIN rocpd_api a ON a.id = l.api_id JOIN rocpd_op o ON o.id = l.op_id"
      " WHERE o.process_id = " +
          p + " ORDER BY o.id",
      "SELECT k.gridX, k.workgroupX, n.string FROM rocpd_kernelapi k JOIN rocpd_api a ON a.id = "
      "k.api_id"
      " JOIN rocpd_string n ON n.id = k.kernelName_id WHERE a.process_id = " +
          p + " ORDER BY a.id",
      "SELECT n.string, m.string, k.kernel, k.vgprs FROM rtl_kernel k JOIN rocpd_string n ON n.id "
      "= k.name_id"
      " JOIN rocpd_string m ON m.id = k.mangled_id WHERE k.process_id = " +
          p + " ORDER BY k.id",
      "SELECT dispatch, name, value FROM rtl_counter WHERE process_id = " + p,
      "SELECT queue, hsa_id, submitted, recorded FROM rtl_queue WHERE process_id = " + p +
          " ORDER BY id",
      "SELECT kind, counter, value FROM rtl_process_counter WHERE process_id = " + p +
          " ORDER BY kind, counter",
      "SELECT start_ticks, host, boot_id, started, ended FROM rtl_process WHERE id = " + p,
      "SELECT agent, name, uuid FROM rtl_agent WHERE process_id = " + p + " ORDER BY id",
      "SELECT f.pid, n.string, k.kernel, a.correlation_id FROM rtl_in_flight f"
      " JOIN rocpd_string n ON n.id = f.name_id JOIN rtl_kernel k ON k.id = f.kernel_id"
      " JOIN rocpd_api a ON a.id = f.api_id AND a.process_id = f.process_id WHERE f.process_id = " +
          p,
      "SELECT time, address FROM rtl_fault WHERE process_id = " + p};
  Rows all;
  for (const std::string& sql : queries) {
    const Rows rows = Ask(path, sql);
    EXPECT_FALSE(rows.empty()) << sql;
    all.insert(all.end(), rows.begin(), rows.end());
  }
  return all;
}

class MergeTest : public testing::Test {
 protected:
  MergeTest() {
    WriteTrace(a_, 1, 0);
    WriteTrace(b_, 2, 50);
  }

  std::string Merge(std::vector<std::string> files, const std::atomic<bool>* cancel = nullptr) {
    const Status merged = MergeTraces(
        {.files = std::move(files), .output = out_, .tool_version = "9.9"}, [](uint64_t) {}, cancel,
        &notes_);
    return merged.ok() ? "" : merged.message();
  }
  std::string Metadata(const std::string& tag) {
    std::unique_ptr<query::TraceReader> trace;
    const Status opened = query::TraceReader::Open(out_, &trace);
    EXPECT_TRUE(opened.ok()) << opened.message();
    const auto found = trace->metadata().find(tag);
    return found == trace->metadata().end() ? "" : found->second;
  }

  TempDir directory_;
  const std::string a_ = directory_.File("a.db"), b_ = directory_.File("b.db");
  const std::string out_ = directory_.File("all.db");
  Rows notes_;
};

TEST_F(MergeTest, KeepsEveryRowOfEachTraceUnderItsOwnProcess) {
  ASSERT_EQ(Merge({a_, b_}), "");
  EXPECT_EQ(notes_, Rows());
  EXPECT_EQ(Everything(out_, 1), Everything(a_, 1));
  EXPECT_EQ(Everything(out_, 2), Everything(b_, 1));
  EXPECT_EQ(Ask(out_, "PRAGMA integrity_check"), Rows{"ok|"});
  EXPECT_EQ(Ask(out_, "PRAGMA foreign_key_check"), Rows());
  EXPECT_EQ(Ask(out_, "SELECT count(*), count(DISTINCT id) FROM rocpd_op"), Rows{"10|10|"});
  EXPECT_EQ(Ask(out_, "SELECT string FROM rocpd_string GROUP BY string HAVING count(*) > 1"),
            Rows());
}

TEST_F(MergeTest, AddsUpTheCountsAndDescribesTheParts) {
  (void)Ask(a_, "UPDATE rocpd_metadata SET value = '5' WHERE tag = 'loss.kKilled.kernels'");
  (void)Ask(
      b_,
      "INSERT INTO rocpd_metadata (tag, value) VALUES ('exit_code', '3'), ('warning.1', 'slow')");
  ASSERT_EQ(Merge({a_, b_}), "");
  EXPECT_EQ(Metadata("recorded.kernels"), "6");
  EXPECT_EQ(Metadata("recorded.markers"), "4");
  EXPECT_EQ(Metadata("loss.kKilled.kernels"), "5");
  EXPECT_EQ(Metadata("exit_code"), "3");
  EXPECT_EQ(Metadata("warning.2"), "slow");
  EXPECT_EQ(Metadata("rtl_version"), "9.9");
  EXPECT_EQ(Metadata("part.2.file"), b_);
  EXPECT_EQ(Metadata("part.2.first_process"), "2");

  const std::string both = directory_.File("both.db");
  std::filesystem::rename(out_, both);
  const std::string c = directory_.File("c.db");
  WriteTrace(c, 3, 0);
  ASSERT_EQ(Merge({c, both}), "");
  EXPECT_EQ(Metadata("recorded.kernels"), "9");
  EXPECT_EQ(Metadata("part.3.file"), b_) << "what was merged before is not one part";
  EXPECT_EQ(Metadata("part.3.first_process"), "3");
  EXPECT_EQ(Everything(out_, 3), Everything(b_, 1));
}

// Each count has an alias in the database, which is not one more.
TEST_F(MergeTest, AddsUpCountsOnceUnderBothNames) {
  const std::string counts =
      "SELECT sum(value) FROM rocpd_metadata WHERE tag IN ('submitted.kernels', "
      "'submitted.markers')";
  const std::string aliases =
      "SELECT sum(value) FROM rocpd_metadata WHERE tag IN ('seen.kernels', 'seen.markers')";
  const std::string queues = "SELECT sum(submitted), sum(seen) FROM rtl_queue";
  const std::string processes =
      "SELECT counter, sum(value), count(*) FROM rtl_process_counter WHERE counter IN ('seen', "
      "'submitted') GROUP BY 1 ORDER BY 1";
  Rows first;
  for (const char* change : {"", test::kMakeEarlierNamesSql}) {
    for (const std::string& path : {a_, b_}) (void)Ask(path, change);
    ASSERT_EQ(Merge({a_, b_}), "");
    EXPECT_EQ(Metadata("submitted.kernels"), "6");
    EXPECT_EQ(Ask(out_, counts), Rows{"10|"});
    EXPECT_EQ(Ask(out_, aliases), Rows{"10|"});
    EXPECT_EQ(Ask(out_, "SELECT tag FROM rocpd_metadata GROUP BY tag HAVING count(*) > 1"), Rows());
    EXPECT_EQ(Ask(out_, "SELECT count(*) FROM rtl_process WHERE door = loaded_by"), Rows{"2|"});
    Rows both = Ask(out_, processes);
    const Rows of_queues = Ask(out_, queues);
    both.insert(both.end(), of_queues.begin(), of_queues.end());
    ASSERT_EQ(both.size(), 3u);
    if (first.empty()) first = both;
    EXPECT_EQ(both, first) << change;
  }
  EXPECT_EQ(first[1], "submitted" + first[0].substr(strlen("seen")));
}

TEST_F(MergeTest, DoesNotAlignTheClocksOfDifferentBootsAndReportsIt) {
  (void)Ask(b_, "UPDATE rtl_process SET boot_id = 'another', host = 'node-b'");
  ASSERT_EQ(Merge({a_, b_}), "");
  ASSERT_EQ(notes_.size(), 1u);
  EXPECT_NE(notes_[0].find("2 clocks"), std::string::npos) << notes_[0];
  EXPECT_NE(notes_[0].find("node-b"), std::string::npos) << notes_[0];
  EXPECT_EQ(Metadata("warning.1"), notes_[0]);
}

// Spans stay as long as they are, and what followed still follows.
TEST_F(MergeTest, MovesEveryTimeOntoAnotherClock) {
  const std::string later = directory_.File("later.db");
  WriteTrace(later, 2, 1050);
  for (const char* sql :
       {"UPDATE rtl_fault SET time = time + 1000",
        "UPDATE rtl_in_flight SET submitted = submitted + 1000, until = until + 1000",
        "UPDATE rtl_process SET started = started + 1000, ended = ended + 1000"}) {
    (void)Ask(later, sql);
  }
  MergeRequest request{.files = {a_, b_}, .output = out_, .tool_version = "9.9"};
  request.clocks = {nullptr, [](int64_t time) { return time + 1000; }};
  request.about_clocks = {"moved by 1000"};
  ASSERT_TRUE(MergeTraces(
                  request, [](uint64_t) {}, nullptr, &notes_)
                  .ok());
  EXPECT_EQ(Everything(out_, 1), Everything(a_, 1));
  EXPECT_EQ(Everything(out_, 2), Everything(later, 1));
  const std::string in_flight = "SELECT submitted, looked, until FROM rtl_in_flight";
  EXPECT_EQ(Ask(out_, in_flight + " WHERE process_id = 2"), Ask(later, in_flight));
  EXPECT_EQ(notes_, Rows{"moved by 1000"});
  EXPECT_EQ(Metadata("warning.1"), "moved by 1000");
  request.clocks[1] = [](int64_t time) { return 2 * time; };
  ASSERT_TRUE(MergeTraces(
                  request, [](uint64_t) {}, nullptr, &notes_)
                  .ok());
  const std::string spans = " FROM rocpd_op WHERE process_id = ";
  EXPECT_EQ(Ask(out_, "SELECT start, end" + spans + "2"),
            Ask(b_, "SELECT 2 * start, 2 * end" + spans + "1"));
}

TEST_F(MergeTest, RefusesTracesOfDifferentSchemasAndNamesBoth) {
  (void)Ask(b_, test::kMakeEarlierNamesSql);
  (void)Ask(b_, test::kMakeLinkTableSql);
  EXPECT_EQ(Merge({a_, b_}), b_ + ": has schema 10 and " + a_ +
                                 " has schema 13; rtl convert --to db gives both this version's");
  EXPECT_EQ(directory_.Count(), 2u);

  const std::string converted = directory_.File("converted.db");
  ASSERT_TRUE(WriteDatabase(
                  b_, converted, [](uint64_t) {}, nullptr, &notes_)
                  .ok());
  EXPECT_EQ(Merge({a_, converted}), "") << "the advice is good";
}

TEST_F(MergeTest, RefusesAProcessThatOccursTwice) {
  const std::string twice = " has as well; its rows would occur twice";
  EXPECT_EQ(Merge({b_, a_, a_}), a_ + ": has process 1000 of testhost, which " + a_ + twice);
  ASSERT_EQ(Merge({a_, b_}), "");
  const std::string both = directory_.File("both.db");
  std::filesystem::rename(out_, both);
  EXPECT_EQ(Merge({both, b_}), b_ + ": has process 1000 of testhost, which " + both + twice);
  EXPECT_EQ(directory_.Count(), 3u);
}

TEST_F(MergeTest, LeavesNoFileWhenItIsInterrupted) {
  const std::string large = directory_.File("large.db");
  TraceBuilder marks;
  for (uint64_t i = 0; i < 10'000; ++i) marks.Mark(7, 100 + i, "mark");
  ASSERT_TRUE(marks.WriteDatabase(large).ok());
  (void)Ask(large, "UPDATE rtl_process SET start_ticks = 9");
  const std::atomic<bool> cancel = true;
  EXPECT_EQ(Merge({a_, large}, &cancel), "interrupted");
  EXPECT_EQ(directory_.Count(), 3u);
}

TEST_F(MergeTest, SurvivesImpossibleIds) {
  (void)Ask(b_, "UPDATE rocpd_string SET id = 9000000000 WHERE string = 'mark'");
  EXPECT_EQ(Merge({a_, b_}), b_ + ": the texts are broken: impossible numbers");
  (void)Ask(b_,
            "DELETE FROM rocpd_string WHERE id = 9000000000;"
            "UPDATE rtl_agent SET id = 9223372036854775807");
  EXPECT_EQ(Merge({a_, b_}), "") << "sums wrap";
  EXPECT_EQ(Merge({b_, a_}), "");
}

}  // namespace
}  // namespace rtl::exporting
