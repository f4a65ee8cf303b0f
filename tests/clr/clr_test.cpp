// SPDX-License-Identifier: MIT
// Programs traced in mode clr, from `rtl trace` to the database, over a fake HIP in each form of
// HIP's built-in profiler.
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

#include <string>

#include "tests/support/temp_dir.h"

namespace {

// The counts of clr_program: per round, and the last kernel.
constexpr int kRounds = 10;
constexpr int kCalls = 7 * kRounds + 1;
constexpr int kLaunched = 2 * kRounds + 1;
const std::string kProgram = PROGRAM " " + std::to_string(kRounds);

class ClrTest : public ::testing::TestWithParam<const char*> {
 protected:
  // Runs `program` under `rtl trace --mode clr`; its output is in output_. However busy the machine
  // is, the profiler has time to finish, unless `environment` sets another budget.
  int Trace(const std::string& form, const std::string& fake = "", const std::string& options = "",
            const std::string& program = kProgram, const std::string& environment = "") {
    database_ = directory_.path() + "/trace.db";
    const std::string libraries = form.empty() ? "" : "LD_LIBRARY_PATH=" LIBRARIES "/" + form + " ";
    const std::string line = "env RTL_EXIT_BUDGET_MS=120000 " + libraries + environment +
                             " FAKE_CLR='" + fake + "' " RTL_PROGRAM " trace --no-summary -o " +
                             database_ + " --mode clr " + options + " -- " + program + " 2>&1";
    FILE* const pipe = popen(line.c_str(), "r");
    output_.clear();
    char text[4096];
    while (size_t bytes = fread(text, 1, sizeof text, pipe)) output_.append(text, bytes);
    const int status = pclose(pipe);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  // All rows, "a|b" each, one a line.
  std::string Query(const std::string& sql) {
    sqlite3* database = nullptr;
    std::string rows;
    EXPECT_EQ(sqlite3_open_v2(database_.c_str(), &database, SQLITE_OPEN_READONLY, nullptr),
              SQLITE_OK);
    char* error = nullptr;
    sqlite3_exec(
        database, sql.c_str(),
        [](void* out, int columns, char** values, char**) {
          auto& text = *static_cast<std::string*>(out);
          if (!text.empty()) text += '\n';
          for (int i = 0; i < columns; ++i) {
            text += (i == 0 ? "" : "|") + std::string(values[i] == nullptr ? "NULL" : values[i]);
          }
          return 0;
        },
        &rows, &error);
    EXPECT_EQ(error, nullptr) << error;
    sqlite3_close(database);
    return rows;
  }
  int Count(const std::string& sql) { return atoi(Query(sql).c_str()); }
  int Calls() { return Count("SELECT count(*) FROM rocpd_api"); }
  int Ops(const std::string& type) {
    return Count(
        "SELECT count(*) FROM rocpd_op o JOIN rocpd_string s ON s.id = o.opType_id "
        "WHERE s.string LIKE '" +
        type + "%'");
  }
  int Counter(const std::string& kind, const std::string& counter) {
    return Count("SELECT coalesce(sum(value), 0) FROM rtl_process_counter WHERE kind = '" + kind +
                 "' AND counter = '" + counter + "'");
  }
  // submitted == recorded + losses, for each kind.
  void ExpectBooksClosed() {
    for (const std::string kind : {"hip_calls", "kernels", "copies"}) {
      const int lost =
          Count("SELECT coalesce(sum(value), 0) FROM rtl_process_counter WHERE kind = '" + kind +
                "' AND counter LIKE 'loss.%'");
      EXPECT_EQ(Counter(kind, "submitted"), Counter(kind, "recorded") + lost) << kind;
    }
    EXPECT_EQ(Calls(), Counter("hip_calls", "recorded"));
  }

  rtl::test::TempDir directory_;
  std::string database_, output_;
};

using EachForm = ClrTest;
INSTANTIATE_TEST_SUITE_P(Forms, EachForm,
                         ::testing::Values("flat", "flat_wide", "chunks", "list", "streaming"),
                         [](const auto& form) { return std::string(form.param); });

TEST_P(EachForm, StoresEveryCallKernelAndCopyOnce) {
  const bool flat = std::string(GetParam()).starts_with("flat");
  ASSERT_EQ(Trace(GetParam()), 0) << output_;
  EXPECT_NE(output_.find("done\n"), std::string::npos) << output_;
  EXPECT_EQ(Calls(), kCalls) << output_;
  // A flat record has room for one operation: of a graph it holds the first node.
  EXPECT_EQ(Ops("KernelExecution"), kLaunched + kRounds * (flat ? 1 : 3));
  EXPECT_EQ(Ops("Copy"), 2 * kRounds);
  EXPECT_EQ(Query("SELECT s.string, count(*) FROM rocpd_api a JOIN rocpd_string s ON s.id = "
                  "a.apiName_id GROUP BY 1 ORDER BY 1"),
            "hipDeviceSynchronize|10\nhipGraphLaunch|10\nhipLaunchKernel|21\nhipMalloc|10\n"
            "hipMemcpy|20");
  ExpectBooksClosed();
  EXPECT_EQ(Count("SELECT count(*) FROM rocpd_op WHERE start > end"), 0);
  EXPECT_EQ(Query("SELECT count(DISTINCT tid), count(DISTINCT correlation_id) = count(*), min(pid) "
                  "= min(tid) FROM rocpd_api"),
            "1|1|1");
}

TEST_P(EachForm, CopiesAndDemanglesNamesBeforeTheyGo) {
  ASSERT_EQ(Trace(GetParam()), 0) << output_;
  EXPECT_EQ(Query("SELECT s.string, count(*) FROM rocpd_op o JOIN rocpd_string s ON s.id = "
                  "o.description_id WHERE s.string NOT LIKE 'node%' AND s.string NOT LIKE 'Copy%' "
                  "GROUP BY 1 ORDER BY 1"),
            "add(float*, float*)|10\nlast()|1\ntriton_red_0d1d2|10")
      << Query("SELECT string FROM rocpd_string");
}

TEST_P(EachForm, LinksEachKernelAndCopyToItsCall) {
  ASSERT_EQ(Trace(GetParam()), 0) << output_;
  EXPECT_EQ(Query("SELECT name.string, count(DISTINCT a.id), sum(o.start < a.start) FROM "
                  "rocpd_api_ops l JOIN rocpd_api a ON a.id = l.api_id JOIN rocpd_op o ON o.id = "
                  "l.op_id JOIN rocpd_string name ON name.id = a.apiName_id GROUP BY 1 ORDER BY 1"),
            "hipGraphLaunch|10|0\nhipLaunchKernel|21|0\nhipMemcpy|20|0");
}

TEST_P(EachForm, RecordsBytesAndDirectionOfCopies) {
  ASSERT_EQ(Trace(GetParam()), 0) << output_;
  const bool flat = std::string(GetParam()).starts_with("flat");  // flat records have no direction
  EXPECT_EQ(Query("SELECT bytes, kind, count(*) FROM rtl_copy GROUP BY 1, 2 ORDER BY 1"),
            flat ? "1000|0|10\n4096|0|10" : "1000|3|10\n4096|2|10");
}

TEST_P(EachForm, ConvertsTimesOfAnotherClock) {
  ASSERT_EQ(Trace(GetParam(), "raw"), 0) << output_;
  EXPECT_EQ(Calls(), kCalls);
  EXPECT_EQ(Count("SELECT count(*) FROM rocpd_api a JOIN rtl_process p ON p.id = a.process_id "
                  "WHERE a.start < p.started OR a.end > p.ended"),
            0);
  EXPECT_EQ(Query("SELECT loaded_by FROM rtl_process").find("REALTIME"), std::string::npos)
      << Query("SELECT loaded_by FROM rtl_process");
}

TEST_P(EachForm, CountsTimesOfUnknownClocksAsLosses) {
  ASSERT_NE(Trace(GetParam(), "mars"), 0) << "none of the kernels is in the trace";
  EXPECT_EQ(Calls(), 0);
  EXPECT_GE(Counter("hip_calls", "loss.kBadTimestamps"), kCalls);
  ExpectBooksClosed();
  EXPECT_NE(output_.find("of an unknown clock"), std::string::npos) << output_;
}

TEST_P(EachForm, CallsKernelsWithUnreadableNamesUnknown) {
  for (const char* fake : {"dangling", "nameless"}) {
    ASSERT_EQ(Trace(GetParam(), fake), 0) << output_;
    EXPECT_EQ(Calls(), kCalls);
    EXPECT_EQ(Count("SELECT count(DISTINCT description_id) FROM rocpd_op o JOIN rocpd_string s ON "
                    "s.id = o.opType_id WHERE s.string = 'KernelExecution'"),
              1);
    ExpectBooksClosed();
  }
}

TEST_P(EachForm, CallsACallWithoutAKnownNameUnknown) {
  ASSERT_EQ(Trace(GetParam(), "bad_id"), 0) << output_;
  EXPECT_EQ(Calls(), kCalls);
  const bool flat = std::string(GetParam()).starts_with("flat");
  EXPECT_EQ(Query("SELECT s.string, count(*) FROM rocpd_api a JOIN rocpd_string s ON s.id = "
                  "a.apiName_id WHERE s.string LIKE '(%' GROUP BY 1"),
            flat ? "(unknown call 4000)|10" : "(unknown call)|10");
}

TEST_P(EachForm, DoesNotHoldTheProgramWhenTheProfilerHangs) {
  ASSERT_EQ(Trace(GetParam(), "hang", "", kProgram, "RTL_EXIT_BUDGET_MS=100"), 0) << output_;
  EXPECT_NE(output_.find("done\n"), std::string::npos);
  EXPECT_NE(output_.find("did not come to an end in time"), std::string::npos) << output_;
  // Records that could not be read are named losses: the preloaded library saw each of the
  // program's calls.
  if (std::string(GetParam()) != "streaming") {
    EXPECT_EQ(Calls() + Counter("hip_calls", "loss.kProfilerOff"), kCalls);
    EXPECT_EQ(Counter("hip_calls", "submitted"), kCalls);
  }
  ExpectBooksClosed();
}

TEST_F(ClrTest, WarnsThatAHashedThreadIsNoThreadId) {
  ASSERT_EQ(Trace("streaming", "hashed"), 0) << output_;
  EXPECT_EQ(Query("SELECT count(DISTINCT tid), min(tid) >= 2147483648 FROM rocpd_api"), "1|1");
  EXPECT_NE(output_.find("numbers threads in its own way"), std::string::npos) << output_;
}

TEST_F(ClrTest, CountsANullSlabAsALoss) {
  for (const char* form : {"chunks", "list"}) {
    ASSERT_EQ(Trace(form, "null_slab"), 0) << output_;
    EXPECT_EQ(Counter("hip_calls", "loss.kProfilerLost"), 16) << form;
    EXPECT_EQ(Calls(), kCalls - 16);
    ExpectBooksClosed();
  }
}

TEST_F(ClrTest, CountsRecordsThatHipNeverDeliversAsLosses) {
  ASSERT_EQ(Trace("streaming", "lost"), 0) << output_;
  // The first slab, which also holds the call that was made to read the clock.
  EXPECT_EQ(Counter("hip_calls", "loss.kProfilerLost"), 16);
  ExpectBooksClosed();
}

TEST_F(ClrTest, CountsMissingOperationsAsLosses) {
  for (const char* form : {"list", "streaming"}) {
    ASSERT_EQ(Trace(form, "endless"), 0) << output_;
    EXPECT_EQ(Ops("KernelExecution"), kLaunched + 3 * kRounds) << form;
    EXPECT_EQ(Counter("kernels", "loss.kProfilerLost"), 1000 * (kLaunched + 2 * kRounds + kRounds));
    ExpectBooksClosed();
  }
}

TEST_F(ClrTest, RecordsTheDimensionsOfKernels) {
  ASSERT_EQ(Trace("streaming"), 0) << output_;
  EXPECT_EQ(Query("SELECT DISTINCT gridX, gridY, gridZ, workgroupX, workgroupY, workgroupZ, gpuId "
                  "FROM rocpd_op WHERE gridX <> 0"),
            "16|18|16|8|6|4|1");
}

TEST_F(ClrTest, FindsAHipWithoutNamesUnderAnotherName) {
  ASSERT_EQ(Trace("", "", "", RENAMED " 10"), 0) << output_;
  EXPECT_EQ(Calls(), kCalls + 1)
      << "without names the call made to read the clock looks like any other";
  EXPECT_NE(Query("SELECT group_concat(string) FROM rocpd_string").find("(unknown call 1)"),
            std::string::npos);
}

TEST_F(ClrTest, RefusesAndExplainsWithoutAProfiler) {
  EXPECT_EQ(Trace("", "", "", PLAIN_PROGRAM), 1);
  EXPECT_NE(output_.find("has no built-in profiler"), std::string::npos) << output_;
  EXPECT_NE(output_.find("--allow-fallback"), std::string::npos) << output_;
}

TEST_F(ClrTest, FallsBackToModeHipWhenAllowed) {
  EXPECT_EQ(Trace("", "", "--allow-fallback", PLAIN_PROGRAM), 0) << output_;
  EXPECT_NE(output_.find("mode hip is used"), std::string::npos) << output_;
  EXPECT_GT(Calls(), 0);
}

TEST_F(ClrTest, RefusesBesideAnotherTool) {
  EXPECT_EQ(Trace("streaming", "", "", PROGRAM " 10", "LD_PRELOAD=" OTHER_TOOL), 1) << output_;
  EXPECT_NE(output_.find("HIP reports its activities to one tool only"), std::string::npos)
      << output_;
}

TEST_F(ClrTest, RefusesWhenTheProfilerCannotBeEnabled) {
  EXPECT_EQ(Trace("streaming", "refuse"), 1);
  EXPECT_NE(output_.find("cannot be switched on (error 999)"), std::string::npos) << output_;
}

// The number of records depends on the machine: reading at the end has a time limit.
TEST_F(ClrTest, EmptiesAProfilerThatKeepsItsRecordsWhileTheProgramRuns) {
  for (const char* form : {"flat", "chunks"}) {
    const int rounds = 40'000;
    ASSERT_EQ(Trace(form, "", "", PROGRAM " " + std::to_string(rounds)), 0) << output_;
    EXPECT_GT(Calls(), 0) << form;
    EXPECT_EQ(Counter("hip_calls", "submitted"), 7 * rounds + 1) << form;
    ExpectBooksClosed();
  }
}

TEST_F(ClrTest, DoesNotTraceAForkedChild) {
  ASSERT_EQ(Trace("streaming", "", "", PROGRAM " 10 fork"), 0) << output_;
  EXPECT_EQ(Calls(), kCalls);
  ExpectBooksClosed();
}

}  // namespace
