// SPDX-License-Identifier: MIT
// Runs real programs with markers against libroctx64.so.4 and reads the spool that they leave.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "spool/directory.h"
#include "spool/reader.h"
#include "tests/support/temp_dir.h"

namespace rtl {
namespace {

constexpr char kAnswers[] = "0 1 1 0 -1\n1\n";

// Command lines for a shell, with these variables before them.
class RoctxShimTest : public testing::Test {
 protected:
  // Returns the program's output; its exit code must be zero.
  std::string Run(const std::string& variables, const std::string& program) {
    const std::string output = directory_.File("output");
    // Sanitizers must be preloaded first; they are in the program already.
    const std::string command = "ASAN_OPTIONS=verify_asan_link_order=0 " + variables + " exec " +
                                program + " > " + output + " 2>" + directory_.File("errors");
    EXPECT_EQ(system(command.c_str()), 0) << command << "\n" << Read("errors");
    EXPECT_EQ(Read("errors"), "");
    return Read("output");
  }
  std::string Read(const std::string& name) {
    std::stringstream text;
    text << std::ifstream(directory_.File(name)).rdbuf();
    return text.str();
  }

  // The records of all processes in the spool: type and text, or the range that they end.
  std::vector<std::string> Records() {
    std::vector<std::string> stems, records;
    EXPECT_TRUE(spool::ListProcesses(spool_, &stems).ok());
    for (const std::string& stem : stems) {
      std::unique_ptr<spool::ProcessReader> reader;
      const Status opened = spool::ProcessReader::Open(spool_, stem, true, &reader);
      EXPECT_TRUE(opened.ok()) << opened.message();
      if (!opened.ok()) continue;
      uint64_t count = 0;
      const auto keep = [&](const spool::RecordView& view) { records.push_back(Describe(view)); };
      EXPECT_TRUE(reader->Poll(keep, &count).ok());
      // A launcher reads until the process is gone, so the process does not close its spool.
      EXPECT_EQ(reader->control().writer_state.load(), spool::WriterState::kRunning);
      EXPECT_NE(reader->control().finished.load(), 0u);
      const size_t kind = static_cast<size_t>(EventKind::kMarker);
      EXPECT_EQ(reader->control().submitted[kind].load(), 5u);
      EXPECT_EQ(reader->control().recorded[kind].load(), 5u);
    }
    return records;
  }

  static std::string Describe(const spool::RecordView& view) {
    const std::string text(view.text);
    switch (view.head->type) {
      case RecordType::kMark:
        return "mark " + text;
      case RecordType::kRangePush:
        return "push " + text;
      case RecordType::kRangePop:
        return "pop";
      case RecordType::kRangeStart:
        return "start " + text;
      case RecordType::kRangeStop:
        return "stop";
      default:
        return "type " + std::to_string(static_cast<int>(view.head->type));
    }
  }

  void ExpectAllMarkers() {
    std::map<std::string, int> counts;
    for (const std::string& record : Records()) ++counts[record];
    const std::map<std::string, int> expected = {
        {"mark mark", 1},   {"push outer", 1},   {"push inner", 1}, {"pop", 2},
        {"start first", 1}, {"start second", 1}, {"stop", 2}};
    EXPECT_EQ(counts, expected);
  }

  void SetUp() override { ASSERT_EQ(mkdir(spool_.c_str(), 0700), 0); }

  test::TempDir directory_;
  const std::string spool_ = directory_.File("spool");
};

TEST_F(RoctxShimTest, RecordsALinkedProgramsMarkers) {
  EXPECT_EQ(Run("RTL_SPOOL=" + spool_, LINKED_PROGRAM), kAnswers);
  ExpectAllMarkers();
}

TEST_F(RoctxShimTest, RunsALinkedProgramWithoutATrace) {
  EXPECT_EQ(Run("", LINKED_PROGRAM), kAnswers);
  EXPECT_TRUE(Records().empty());
}

TEST_F(RoctxShimTest, RunsAProgramWithUndefinedMarkersWhenPreloaded) {
  EXPECT_EQ(Run("LD_PRELOAD=" SHIM " RTL_SPOOL=" + spool_, UNRESOLVED_PROGRAM), kAnswers);
  ExpectAllMarkers();
}

TEST_F(RoctxShimTest, RunsAProgramWithUndefinedMarkersWithTheTracerPreloaded) {
  EXPECT_EQ(Run("LD_PRELOAD=" TRACER " RTL_SPOOL=" + spool_, UNRESOLVED_PROGRAM), kAnswers);
  ExpectAllMarkers();
}

TEST_F(RoctxShimTest, UsesATracerThatIsLoadedAlready) {
  EXPECT_EQ(Run("LD_PRELOAD=" TRACER " RTL_SPOOL=" + spool_, LINKED_PROGRAM), kAnswers);
  ExpectAllMarkers();
}

TEST_F(RoctxShimTest, RecordsNothingWhenDisabled) {
  EXPECT_EQ(Run("RTL_DISABLE=1 RTL_SPOOL=" + spool_, LINKED_PROGRAM), kAnswers);
  EXPECT_TRUE(Records().empty());
}

// The process's records, and its counts of markers.
struct Controlled {
  std::vector<std::string> records;
  uint64_t submitted = 0, recorded = 0, paused = 0;
};

Controlled ReadControlled(const std::string& spool) {
  Controlled result;
  std::vector<std::string> stems;
  EXPECT_TRUE(spool::ListProcesses(spool, &stems).ok());
  for (const std::string& stem : stems) {
    std::unique_ptr<spool::ProcessReader> reader;
    const Status opened = spool::ProcessReader::Open(spool, stem, true, &reader);
    EXPECT_TRUE(opened.ok()) << opened.message();
    if (!opened.ok()) continue;
    const auto keep = [&](const spool::RecordView& view) {
      if (view.head->type == RecordType::kName) {
        const auto& name = view.As<NameRecord>();
        // A thread's number differs from run to run.
        const bool thread = name.what == Named::kThread;
        result.records.push_back("name " + std::to_string(static_cast<int>(name.what)) + " " +
                                 std::to_string(thread ? 0 : name.target) + " " +
                                 std::string(view.text));
      } else if (view.head->type == RecordType::kMark ||
                 view.head->type == RecordType::kRangePush) {
        result.records.emplace_back(view.text);
      } else if (view.head->type == RecordType::kRangeStart) {
        result.records.push_back("part of " + std::string(view.text));
      } else {
        result.records.push_back("type " + std::to_string(static_cast<int>(view.head->type)));
      }
    };
    uint64_t count = 0;
    EXPECT_TRUE(reader->Poll(keep, &count).ok());
    const size_t kind = static_cast<size_t>(EventKind::kMarker);
    result.submitted += reader->control().submitted[kind].load();
    result.recorded += reader->control().recorded[kind].load();
    result.paused += reader->control().losses[kind][static_cast<size_t>(Loss::kPaused)].load();
  }
  return result;
}

constexpr char kControlAnswers[] = "0 1 1\n1 1\n0\n";

TEST_F(RoctxShimTest, OmitsAndCountsPausedMarkersAndRecordsNames) {
  EXPECT_EQ(Run("RTL_SPOOL=" + spool_, CONTROL_PROGRAM), kControlAnswers);
  const Controlled got = ReadControlled(spool_);
  std::multiset<std::string> records(got.records.begin(), got.records.end());
  // Of the two ranges that began in the pause, the part after it is recorded.
  EXPECT_EQ(records, (std::multiset<std::string>{
                         "before", "part of paused", "part of paused", "resumed", "type 11",
                         "type 11", "type 9", "elsewhere", "end", "name 1 0 main thread",
                         "name 2 4660 an agent", "name 3 3 a device", "name 4 80 a stream"}));
  EXPECT_EQ(got.submitted, 9u);
  EXPECT_EQ(got.recorded, 6u);
  EXPECT_EQ(got.paused, 3u);
}

// The first mark finds the tracer, during which signals wait: they must not come before it is
// found. When the handler's mark is the first one, it is the handler that loads the tracer.
TEST_F(RoctxShimTest, RecordsTheMarksOfASignalHandlerFromTheFirstOn) {
  const std::string marks = Run("TSAN_OPTIONS=report_signal_unsafe=0 RTL_SPOOL=" + spool_,
                                "timeout -s KILL 60 " HANDLER_PROGRAM);
  const Controlled got = ReadControlled(spool_);
  EXPECT_EQ(std::to_string(got.submitted) + "\n", marks);
  EXPECT_EQ(got.recorded, got.submitted);
}

// A program that is linked to AMD's deprecated library alone.
TEST_F(RoctxShimTest, StopsStartsAndMarksForProgramsOfTheDeprecatedLibrary) {
  EXPECT_EQ(Run("RTL_SPOOL=" + spool_, ROCTRACER_PROGRAM), "version 4.1\n");
  const Controlled got = ReadControlled(spool_);
  EXPECT_EQ(got.records, (std::vector<std::string>{"one", "three"}));
  EXPECT_EQ(got.submitted, 3u);
  EXPECT_EQ(got.paused, 1u);
  EXPECT_EQ(Run("", ROCTRACER_PROGRAM), "version 4.1\n");
}

TEST_F(RoctxShimTest, ReturnsTheSameFromControlsWithoutATrace) {
  EXPECT_EQ(Run("", CONTROL_PROGRAM), kControlAnswers);
  EXPECT_TRUE(ReadControlled(spool_).records.empty());
}

// exec sets AT_SECURE when the effective user is not the real one.
TEST_F(RoctxShimTest, DoesNotTraceAProgramWithTheRightsOfAnotherUser) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can start such a program";
  constexpr uid_t kNobody = 65534;
  const auto run = [&](uid_t real) {
    const pid_t child = fork();
    if (child == 0) {
      setenv("RTL_SPOOL", spool_.c_str(), 1);
      setenv("ASAN_OPTIONS", "verify_asan_link_order=0", 1);
      const int out = open(directory_.File("output").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
      const int err = open(directory_.File("errors").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
      if (dup2(out, 1) < 0 || dup2(err, 2) < 0 || setresuid(real, 0, 0) != 0) _exit(98);
      execl(LINKED_PROGRAM, LINKED_PROGRAM, nullptr);
      _exit(99);
    }
    int status = 0;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(Read("output"), kAnswers);
    EXPECT_EQ(Read("errors"), "");
  };
  run(kNobody);
  EXPECT_TRUE(Records().empty());
  run(0);
  ExpectAllMarkers();
}

}  // namespace
}  // namespace rtl
