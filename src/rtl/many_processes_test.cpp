// SPDX-License-Identifier: MIT
// Trees of real processes without a GPU: programs with roctx markers, traced with and without a
// launcher. Nothing may be lost, and everything ends up in one database.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "store/store_test_support.h"
#include "tests/support/temp_dir.h"

namespace rtl {
namespace {

namespace fs = std::filesystem;
using store::Rows;

constexpr auto kLimit = std::chrono::seconds(60);

std::string Slurp(const std::string& path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

class ManyProcesses : public testing::Test {
 protected:
  // Runs a shell script in a process group of its own, whose processes are traced without a
  // launcher, and returns when their collectors have gone.
  void RunTraced(const std::string& script) {
    Run("export RTL_OUTPUT=" + database_ + " RTL_TOOL=" RTL_PROGRAM "\n" + script);
    const auto deadline = std::chrono::steady_clock::now() + kLimit;
    while (dir_.Count() > files_ && std::chrono::steady_clock::now() < deadline) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }
  void Run(const std::string& script) {
    const pid_t child = fork();
    if (child == 0) {
      (void)setpgid(0, 0);
      setenv("ASAN_OPTIONS", "verify_asan_link_order=0:detect_leaks=0", 1);
      const int err = open(errors_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
      const int null = open("/dev/null", O_WRONLY);
      if (dup2(null, 1) < 0 || dup2(err, 2) < 0) _exit(98);
      execl("/bin/sh", "sh", "-c", script.c_str(), nullptr);
      _exit(99);
    }
    int status = 0;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    exit_code_ = WEXITSTATUS(status);
  }
  std::string Errors() const { return Slurp(errors_); }
  Rows Ask(const std::string& sql) const { return store::Ask(database_, sql); }
  std::string Tag(const std::string& tag) const {
    const Rows rows = Ask("SELECT value FROM rocpd_metadata WHERE tag = '" + tag + "'");
    return rows.size() == 1 ? rows[0] : "rows: " + std::to_string(rows.size());
  }

  void ExpectComplete(size_t processes, size_t markers) {
    const std::string all = std::to_string(markers);
    const std::string n = std::to_string(processes);
    EXPECT_EQ(Ask("SELECT count(*), count(DISTINCT id) FROM rtl_process"), Rows{n + "|" + n});
    EXPECT_EQ(Ask("SELECT count(*), count(DISTINCT id) FROM rocpd_op"), Rows{all + "|" + all});
    EXPECT_EQ(Ask("SELECT count(DISTINCT process_id) FROM rocpd_op"), Rows{n});
    EXPECT_EQ(Tag("seen.markers"), all);
    EXPECT_EQ(Tag("recorded.markers"), all);
    EXPECT_EQ(Ask("SELECT count(*) FROM rocpd_metadata WHERE tag LIKE 'loss.%' AND value <> '0'"),
              Rows{"0"});
    EXPECT_EQ(
        Ask("SELECT count(*), count(DISTINCT tag) FROM rocpd_metadata WHERE tag LIKE 'loss%'"),
        Ask("SELECT count(DISTINCT tag), count(*) FROM rocpd_metadata WHERE tag LIKE 'loss%'"));
  }

  test::TempDir dir_;
  test::TempDir aside_;
  const std::string database_ = dir_.File("trace.db");
  const std::string errors_ = aside_.File("errors");
  size_t files_ = 1;  // in `dir_` when all collectors have gone
  int exit_code_ = -1;
};

TEST_F(ManyProcesses, OfOneOutputShareOneDatabase) {
  RunTraced("for i in 1 2 3 4 5 6 7 8; do " MARKER_PROGRAM " & done; wait");
  EXPECT_EQ(Errors(), "");
  ExpectComplete(8, 40);
}

TEST_F(ManyProcesses, OneAfterTheOtherGoOnInTheSameDatabase) {
  RunTraced("for i in 1 2 3; do " MARKER_PROGRAM "; done");
  EXPECT_EQ(Errors(), "");
  ExpectComplete(3, 15);
  EXPECT_EQ(Ask("SELECT count(*) FROM rocpd_string WHERE string = 'outer'"), Rows{"1"});
  EXPECT_EQ(Tag("pid"), Ask("SELECT pid FROM rtl_process WHERE id = 1").at(0));
}

TEST_F(ManyProcesses, OfAnotherJobReplaceTheDatabase) {
  RunTraced(MARKER_PROGRAM);
  RunTraced(MARKER_PROGRAM);
  EXPECT_EQ(Errors(), "");
  ExpectComplete(1, 5);
}

TEST_F(ManyProcesses, BecomeOtherProgramsAndAreTracedFurther) {
  RunTraced("exec " CHAIN_PROGRAM " " CHAIN_PROGRAM " " CHAIN_PROGRAM);
  EXPECT_EQ(Errors(), "");
  ExpectComplete(3, 3);
  EXPECT_EQ(Ask("SELECT count(DISTINCT pid) FROM rtl_process"), Rows{"1"});
}

// As torchrun starts workers: each in a session of its own, told by variables who it is.
constexpr char kTree[] =
    "export WORLD_SIZE=4 TORCHELASTIC_RUN_ID=job-7; for rank in 0 1 2 3; do"
    " RANK=$rank LOCAL_RANK=$rank setsid sh -c '" MARKER_PROGRAM "; " MARKER_PROGRAM
    " & wait' & done; wait";
constexpr char kByRank[] =
    "SELECT rank, count(DISTINCT process_id), count(*) FROM rocpd_op GROUP BY rank ORDER BY rank";

TEST_F(ManyProcesses, OfAJobCarryTheirRankUnderALauncher) {
  const std::string tree = aside_.File("tree");
  std::ofstream(tree) << kTree << "\n";
  Run(RTL_PROGRAM " trace -o " + database_ + " --no-summary -- sh " + tree);
  EXPECT_EQ(exit_code_, 0) << Errors();
  ExpectComplete(8, 40);
  EXPECT_EQ(Ask(kByRank), (Rows{"0|2|10", "1|2|10", "2|2|10", "3|2|10"}));
  EXPECT_EQ(Ask("SELECT DISTINCT world, job FROM rtl_process"), Rows{"4|job-7"});
}

TEST_F(ManyProcesses, OfAJobCarryTheirRankWithoutOne) {
  RunTraced(kTree);
  EXPECT_EQ(Errors(), "");
  ExpectComplete(8, 40);
  EXPECT_EQ(Ask(kByRank), (Rows{"0|2|10", "1|2|10", "2|2|10", "3|2|10"}));
}

TEST_F(ManyProcesses, ThatCannotOpenTheirTraceSayWhy) {
  // The control page fits, a segment does not.
  Run(RTL_PROGRAM " trace -o " + database_ + " -- sh -c 'ulimit -f 2000; exec " MARKER_PROGRAM "'");
  EXPECT_EQ(exit_code_, 1);
  EXPECT_NE(Errors().find("rtl: sh was not traced: cannot reserve 4194304 bytes"),
            std::string::npos)
      << Errors();
  EXPECT_EQ(Errors().find("no HSA runtime"), std::string::npos) << Errors();
}

}  // namespace
}  // namespace rtl
