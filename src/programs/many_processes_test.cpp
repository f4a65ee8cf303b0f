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

#include "tests/support/small_disk.h"
#include "tests/support/temp_dir.h"
#include "trace/schema/store_test_support.h"

namespace rtl {
namespace {

namespace fs = std::filesystem;
using store::Rows;

constexpr auto kLimit = std::chrono::seconds(60);

std::string TextOf(const std::string& path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

class ManyProcesses : public testing::Test {
 protected:
  // Runs a shell script in its own process group, whose processes are traced without a launcher.
  // Returns when their collectors have ended.
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
  std::string Errors() const { return TextOf(errors_); }
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
    EXPECT_EQ(Tag("submitted.markers"), all);
    EXPECT_EQ(Tag("recorded.markers"), all);
    EXPECT_EQ(Ask("SELECT count(*) FROM rocpd_metadata WHERE tag LIKE 'loss.%' AND value <> '0'"),
              Rows{"0"});
    EXPECT_EQ(
        Ask("SELECT count(*), count(DISTINCT tag) FROM rocpd_metadata WHERE tag LIKE 'loss%'"),
        Ask("SELECT count(DISTINCT tag), count(*) FROM rocpd_metadata WHERE tag LIKE 'loss%'"));
  }

  test::TempDir dir_;
  test::TempDir aside_;
  std::string database_ = dir_.File("trace.db");
  const std::string errors_ = aside_.File("errors");
  size_t files_ = 1;  // in `dir_` when all collectors have gone
  int exit_code_ = -1;
};

TEST_F(ManyProcesses, WithOneOutputShareOneDatabase) {
  RunTraced("for i in 1 2 3 4 5 6 7 8; do " MARKER_PROGRAM " & done; wait");
  EXPECT_EQ(Errors(), "");
  ExpectComplete(8, 40);
}

TEST_F(ManyProcesses, OneAfterTheOtherContinueTheSameDatabase) {
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

TEST_F(ManyProcesses, BecomeOtherProgramsAndStayTraced) {
  RunTraced("exec " CHAIN_PROGRAM " " CHAIN_PROGRAM " " CHAIN_PROGRAM);
  EXPECT_EQ(Errors(), "");
  ExpectComplete(3, 3);
  EXPECT_EQ(Ask("SELECT count(DISTINCT pid) FROM rtl_process"), Rows{"1"});
}

// As torchrun starts workers: each in its own session, with its rank in variables.
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

TEST_F(ManyProcesses, OfAJobAreKeptApartOnRequest) {
  const std::string tree = aside_.File("tree");
  std::ofstream(tree) << kTree << "\n";
  Run(RTL_PROGRAM " trace --split -o " + database_ + " -- sh " + tree);
  EXPECT_EQ(exit_code_, 0) << Errors();
  const std::string manifest = dir_.File("trace.manifest.json");
  EXPECT_NE(Errors().find("rtl: 8 databases, listed in " + manifest + "\n"), std::string::npos)
      << Errors();
  EXPECT_NE(Errors().find("rtl: markers: 40 submitted, 40 recorded, 0 lost\n"), std::string::npos);
  EXPECT_EQ(dir_.Count(), 9u);
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(dir_.path())) {
    if (entry.path().extension() == ".db") files.push_back(entry.path());
  }
  ASSERT_EQ(files.size(), 8u);
  for (const std::string& file : files) {
    EXPECT_EQ(store::Ask(file,
                         "SELECT count(*), count(DISTINCT process_id), min(id), max(id) FROM"
                         " rocpd_op"),
              Rows{"5|1|1|5"});
    EXPECT_EQ(store::Ask(file, "SELECT world, job FROM rtl_process"), Rows{"4|job-7"});
  }
  // The list repeats each database's own facts.
  const auto list = [&](const std::string& what) {
    return store::Ask(
        files[0], "SELECT " + what + " FROM json_each('" + TextOf(manifest) + "', '$.processes')");
  };
  EXPECT_EQ(list("count(*), count(DISTINCT value ->> 'file'), sum(value ->> 'rows'),"
                 " sum(value ->> '$.events.markers.recorded'), count(DISTINCT value ->> 'pid')"),
            Rows{"8|8|40|40|8"});
  EXPECT_EQ(list("DISTINCT value ->> 'world', value ->> 'job', value ->> 'end'"),
            Rows{"4|job-7|finished"});
  for (const std::string& line :
       list("value ->> 'file' || '|' || (value ->> 'pid') || '|' || (value ->> 'rank') || '|' ||"
            " (value ->> 'boot_id') || '|' || (value ->> 'start_ticks')")) {
    const std::string file = line.substr(0, line.find('|'));
    EXPECT_EQ(
        store::Ask(dir_.File(file), "SELECT pid, rank, boot_id, start_ticks FROM rtl_process"),
        Rows{line.substr(file.size() + 1)});
  }
  EXPECT_EQ(store::Ask(files[0], "SELECT '" + TextOf(manifest) + "' ->> '$.exit.code'"), Rows{"0"});
}

TEST_F(ManyProcesses, ReportAnErrorOnce) {
  Run("export RTL_EXIT_BUDGET_MS=soon; " RTL_PROGRAM " trace -o " + database_ +
      " -- " MARKER_PROGRAM);
  const std::string errors = Errors();
  const size_t first = errors.find("RTL_EXIT_BUDGET_MS=soon");
  ASSERT_NE(first, std::string::npos) << errors;
  EXPECT_EQ(errors.find("RTL_EXIT_BUDGET_MS=soon", first + 1), std::string::npos) << errors;
}

TEST_F(ManyProcesses, NameTheLossesOfAFullDisk) {
  const std::string spool = aside_.File("spool");
  fs::create_directory(spool);
  const test::SmallDisk disk(spool, "size=10m,mode=0700");  // two segments
  if (!disk.mounted()) GTEST_SKIP() << "needs the right to mount a tmpfs";
  Run("MARKS=400000 RTL_SPOOL=" + spool + " " MARKER_PROGRAM);
  EXPECT_EQ(exit_code_, 0) << "a full disk is none of the program's business";
  EXPECT_EQ(Errors(), "");
  Run(RTL_PROGRAM " collect --keep-spool --spool " + spool + " --output " + database_);
  EXPECT_EQ(exit_code_, 0);
  const uint64_t recorded = std::stoull(Tag("recorded.markers"));
  EXPECT_GT(recorded, 100'000u);
  EXPECT_LT(recorded, 400'000u);
  EXPECT_EQ(Tag("submitted.markers"), "400005");
  EXPECT_EQ(Tag("loss.kSpoolFull.markers"), std::to_string(400'005 - recorded));
  EXPECT_EQ(Ask("SELECT count(*) FROM rocpd_op"), Rows{std::to_string(recorded)});
  EXPECT_NE(Errors().find(" events found the spool full: "), std::string::npos) << Errors();
}

TEST_F(ManyProcesses, AreCountedWhenTheyStartOnAFullDisk) {
  const std::string folder = dir_.File("disk");
  fs::create_directory(folder);
  const test::SmallDisk disk(folder, "size=80m,mode=0700");
  if (!disk.mounted()) GTEST_SKIP() << "needs the right to mount a tmpfs";
  Run("MARKS=1000 " RTL_PROGRAM " trace -o " + folder +
      "/trace.db -- sh -c '" MARKER_PROGRAM " && { cat /dev/zero > " + folder +
      "/fill 2>&-; " MARKER_PROGRAM "; rm " + folder + "/fill; }'");
  database_ = folder + "/trace.db";
  EXPECT_EQ(Tag("submitted.markers"), "2010");
  EXPECT_EQ(Tag("recorded.markers"), "1005");
  EXPECT_EQ(Tag("loss.kSpoolFull.markers"), "1005");
  EXPECT_EQ(Ask("SELECT count(*) FROM rtl_process"), Rows{"2"});
  EXPECT_NE(Errors().find(" is not traced, and its events are counted only: cannot reserve "),
            std::string::npos)
      << Errors();
}

TEST_F(ManyProcesses, KeepTheirSpoolWhenTheDatabaseFillsTheDisk) {
  const std::string spool = aside_.File("spool");
  const std::string folder = aside_.File("disk");
  fs::create_directory(spool);
  fs::permissions(spool, fs::perms::owner_all);
  fs::create_directory(folder);
  Run("MARKS=200000 RTL_SPOOL=" + spool + " " MARKER_PROGRAM);
  EXPECT_EQ(exit_code_, 0);
  const std::string collect = RTL_PROGRAM " collect --spool " + spool + " --keep-spool --output ";
  {
    const test::SmallDisk disk(folder, "size=3m,mode=0700");
    if (!disk.mounted()) GTEST_SKIP() << "needs the right to mount a tmpfs";
    Run(collect + folder + "/trace.db");
    EXPECT_EQ(exit_code_, 1);
    EXPECT_EQ(Errors(), "rtl: cannot write " + folder + "/trace.db: the disk is full\n");
    EXPECT_TRUE(fs::is_empty(folder));
  }
  Run(collect + database_);
  EXPECT_EQ(exit_code_, 0) << Errors();
  ExpectComplete(1, 200'005);
}

TEST_F(ManyProcesses, AreNotDisturbedByATraceThatFillsTheDisk) {
  const std::string folder = dir_.File("disk");
  fs::create_directory(folder);
  const test::SmallDisk disk(folder, "size=17m,mode=0700");
  if (!disk.mounted()) GTEST_SKIP() << "needs the right to mount a tmpfs";
  // Every text has a row and an entry of the index: the spool has enough room, the database does
  // not.
  Run("MARKS=600000 DIFFERENT=1 " RTL_PROGRAM " trace -o " + folder +
      "/trace.db -- sh -c '" MARKER_PROGRAM " && echo it ended well >&2'");
  EXPECT_EQ(exit_code_, 1);
  EXPECT_NE(Errors().find("it ended well\n"), std::string::npos) << Errors();
  EXPECT_NE(Errors().find("rtl: cannot write " + folder + "/trace.db: the disk is full\n"),
            std::string::npos)
      << Errors();
  EXPECT_FALSE(fs::exists(folder + "/trace.db"));
  const std::string said = "rtl: the records are in ";
  const size_t at = Errors().find(said);
  ASSERT_NE(at, std::string::npos) << Errors();
  const std::string rest = Errors().substr(at + said.size());
  Run(RTL_PROGRAM " collect --spool " + rest.substr(0, rest.find(';')) + " --output " + database_);
  EXPECT_EQ(exit_code_, 0) << Errors();
  EXPECT_TRUE(fs::is_empty(folder)) << "neither a trace nor a spool";
  EXPECT_GT(std::stoll(Tag("recorded.markers")), 100'000);
  EXPECT_EQ(Tag("submitted.markers"), "600005");
}

TEST_F(ManyProcesses, LeaveTheirRecordsOnRequestWhenTheDatabaseTakesAnotherName) {
  const std::string folder = dir_.File("disk");
  fs::create_directory(folder);
  const test::SmallDisk disk(folder, "size=48m,mode=0700");
  if (!disk.mounted()) GTEST_SKIP() << "needs the right to mount a tmpfs";
  Run("MARKS=1000 " RTL_PROGRAM " trace --keep-spool -o " + folder +
      "/trace.db -- sh -c '" MARKER_PROGRAM "; rm -rf " + folder + "/trace.db; mkdir " + folder +
      "/trace.db'");
  EXPECT_EQ(exit_code_, 0);
  EXPECT_NE(Errors().find("rtl: cannot write " + folder +
                          "/trace.db: Is a directory; this one is in " + folder + "/trace.2.db\n"),
            std::string::npos)
      << Errors();
  const std::string said = "rtl: the raw records are in ";
  const size_t at = Errors().find(said);
  ASSERT_NE(at, std::string::npos) << Errors();
  const std::string rest = Errors().substr(at + said.size());
  Run(RTL_PROGRAM " collect --spool " + rest.substr(0, rest.find('\n')) + " --output " + database_);
  EXPECT_EQ(exit_code_, 0) << Errors();
  ExpectComplete(1, 1005);
}

TEST_F(ManyProcesses, ThatCannotOpenTheirTraceReportWhy) {
  // The control page fits, a segment does not.
  Run(RTL_PROGRAM " trace -o " + database_ + " -- sh -c 'ulimit -f 400; exec " MARKER_PROGRAM "'");
  EXPECT_EQ(exit_code_, 1);
  EXPECT_NE(Errors().find("rtl: the kernels of sh were not traced: cannot reserve 524288 bytes"),
            std::string::npos)
      << Errors();
  EXPECT_EQ(Errors().find("no HSA runtime"), std::string::npos) << Errors();
}

}  // namespace
}  // namespace rtl
