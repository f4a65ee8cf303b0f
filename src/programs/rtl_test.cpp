// SPDX-License-Identifier: MIT
// The program from the user's side: exit codes, output streams, files left on disk. tests/scenario
// has the tests that need a GPU.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <rapidjson/document.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "tests/support/database_rows.h"
#include "tests/support/temp_dir.h"
#include "tests/support/trace_builder.h"

namespace rtl {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

std::string Slurp(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

void Spill(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

struct Outcome {
  int code = 0;
  std::string out;
  std::string err;
};

class Rtl : public testing::Test {
 protected:
  // Starts `rtl` with these arguments, with standard output to `out`.
  pid_t Start(const Words& arguments, const std::string& out) {
    const pid_t child = fork();
    if (child != 0) return child;
    const int in = open(Path("stdin").c_str(), O_RDONLY | O_CREAT, 0600);
    const int to = open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    const int err = open(Path("stderr").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (dup2(in, 0) < 0 || dup2(to, 1) < 0 || dup2(err, 2) < 0) _exit(99);
    if (chdir(work_.path().c_str()) != 0) _exit(98);
    if (file_limit_ != 0) {
      const rlimit limit = {file_limit_, file_limit_};
      if (setrlimit(RLIMIT_FSIZE, &limit) != 0) _exit(96);
    }
    std::vector<char*> words = {const_cast<char*>("rtl")};
    for (const std::string& word : arguments) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    execv(RTL_PROGRAM, words.data());
    _exit(97);
  }
  Outcome Finish(pid_t child) {
    Outcome outcome;
    int status = 0;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    outcome.out = Slurp(Path("stdout"));
    outcome.err = Slurp(Path("stderr"));
    return outcome;
  }
  Outcome Run(const Words& arguments) { return Finish(Start(arguments, Path("stdout"))); }

  // A file outside the working directory.
  std::string Path(const std::string& name) const { return aside_.File(name); }
  std::string WorkPath(const std::string& name) const { return work_.File(name); }
  // Names in the working directory, sorted, each followed by a blank.
  std::string Listing() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(work_.path())) {
      names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    std::string list;
    for (const std::string& name : names) list += name + " ";
    return list;
  }
  void WriteTrace(const std::string& name) {
    const Status written =
        test::TraceBuilder::ThreeKernelsOnTwoQueues().WriteDatabase(WorkPath(name));
    ASSERT_TRUE(written.ok()) << written.message();
  }

  uint64_t file_limit_ = 0;  // of the next started program; 0: none

 private:
  test::TempDir work_;
  test::TempDir aside_;
};

TEST_F(Rtl, TraceLeavesTheStandardStreamsToTheProgram) {
  std::string bytes;
  for (int i = 0; i < 300'000; ++i) bytes += static_cast<char>(i * 31 % 251);
  Spill(Path("stdin"), bytes);
  const Outcome outcome = Run({"trace", "--", "sh", "-c", "cat; echo to stderr >&2"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(outcome.out == bytes);
  EXPECT_NE(outcome.err.find("to stderr\n"), std::string::npos);
  EXPECT_NE(outcome.err.find("rtl: no HSA runtime in sh loaded the tracer"), std::string::npos);
  EXPECT_EQ(Listing(), "trace.db ");
}

// Nothing shows that all kernels are in the trace when no runtime is.
TEST_F(Rtl, TraceWithoutARuntimeFailsWhereCoverageWasRequested) {
  const Outcome outcome = Run({"trace", "--min-coverage", "90", "--", "true"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.err.find("rtl: the share of the kernels that are in the trace is not known"),
            std::string::npos);
}

TEST_F(Rtl, TraceReturnsTheProgramsOwnExitCode) {
  EXPECT_EQ(Run({"trace", "--", "sh", "-c", "exit 5"}).code, 5);
  EXPECT_EQ(Run({"trace", "--", "sh", "-c", "kill -TERM $$"}).code, 128 + SIGTERM);
}

TEST_F(Rtl, TraceOfAProgramThatCannotRunLeavesTheOldTraceAlone) {
  WriteTrace("trace.db");
  const std::string old = Slurp(WorkPath("trace.db"));
  Outcome outcome = Run({"trace", "--", "no-such-program"});
  EXPECT_EQ(outcome.code, 127);
  EXPECT_NE(outcome.err.find("rtl: no-such-program: command not found\n"), std::string::npos);
  outcome = Run({"trace", "--", "./trace.db"});
  EXPECT_EQ(outcome.code, 126);
  EXPECT_TRUE(Slurp(WorkPath("trace.db")) == old);
  EXPECT_EQ(Listing(), "trace.db ");
}

TEST_F(Rtl, TraceReportsInOneLineWhyAProgramCannotRun) {
  const std::string long_name(400, 'n');
  Spill(WorkPath("script"), "#!/no/such/interpreter\n");
  ASSERT_EQ(chmod(WorkPath("script").c_str(), 0755), 0);
  const std::tuple<std::string, int, std::string> cases[] = {
      {"", 127, "rtl: '': command not found\n"},
      {"no\nsuch\033", 127, "rtl: no?such?: command not found\n"},
      {"./script", 127, "rtl: ./script: cannot be run: its interpreter is missing\n"},
      {long_name, 126, ": cannot be run: File name too long\n"}};
  for (const auto& [program, code, line] : cases) {
    const Outcome outcome = Run({"trace", "--", program});
    EXPECT_EQ(outcome.code, code) << program;
    EXPECT_TRUE(outcome.err.ends_with(line)) << outcome.err;
  }
  EXPECT_EQ(Listing(), "script ");
}

TEST_F(Rtl, CollectRefusesAFolderThatIsNoSpool) {
  fs::create_directory(WorkPath("folder"));
  const Outcome empty = Run({"collect", "--spool", "folder", "--output", "x.db"});
  EXPECT_EQ(empty.code, 1);
  EXPECT_EQ(empty.err, "rtl: folder: no traced process has left anything in this directory\n");
  const Outcome missing = Run({"collect", "--spool", "none", "--output", "x.db"});
  EXPECT_EQ(missing.code, 1);
  EXPECT_NE(missing.err.find("none"), std::string::npos) << missing.err;
  EXPECT_EQ(Listing(), "folder ");
}

TEST_F(Rtl, CountersListsCountersAndNamesUnknownOnes) {
  const Outcome list = Run({"counters", "list", "--gpu", "gfx90a", "^sq_waves$"});
  EXPECT_EQ(list.code, 0) << list.err;
  EXPECT_EQ(list.out, "  counter   what it counts\n  SQ_WAVES  Waves that were started\n");
  const Outcome info = Run({"counters", "info", "--gpu", "gfx90a", "SQ_INSTS_SALU"});
  EXPECT_EQ(info.out, "SQ_INSTS_SALU: Scalar instructions, by wave\n  SQ:56\n    on gfx90a\n");
  const Outcome json = Run({"counters", "info", "--json", "--gpu", "gfx906", "VALUInsts"});
  EXPECT_NE(json.out.find("\"expression\": \"reduce(SQ_INSTS_VALU,sum)/reduce(SQ_WAVES,sum)\""),
            std::string::npos)
      << json.out;
  EXPECT_EQ(Run({"counters"}).err,
            "rtl: counters takes list, info or check (try: rtl counters --help)\n");
  EXPECT_EQ(Run({"counters", "info", "NOPE"}).err, "rtl: unknown counter NOPE\n");
  EXPECT_EQ(Run({"counters", "list", "--gpu", "gfx1"}).err,
            "rtl: no counters are defined for a GPU gfx1\n");
  EXPECT_EQ(Run({"counters", "list", "["}).err,
            "rtl: [ is not a regular expression: Invalid regular expression\n");
  EXPECT_EQ(Run({"trace", "--pmc", "SQ_WAFES", "--", "true"}).code, 2);
  EXPECT_EQ(Run({"trace", "--pmc", "SQ_WAVES", "--pmc-launches", "x", "--", "true"}).code, 2);
}

TEST_F(Rtl, TraceDoesNotRunTheProgramWhenTheOutputCannotBeWritten) {
  const Outcome outcome = Run({"trace", "-o", "no/such/x.db", "--", "touch", "ran"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(outcome.err, "rtl: no/such/x.db: cannot be written: No such file or directory\n");
  fs::create_directory(WorkPath("folder"));
  const Outcome folder = Run({"trace", "-o", "folder", "--", "touch", "ran"});
  EXPECT_EQ(folder.code, 1);
  EXPECT_EQ(folder.err, "rtl: folder: cannot be written: a directory\n");
  const Outcome timeline = Run({"trace", "--pftrace", "no/such/x", "--", "touch", "ran"});
  EXPECT_EQ(timeline.code, 1);
  EXPECT_EQ(timeline.err, "rtl: no/such/x: cannot be written: No such file or directory\n");
  EXPECT_EQ(Listing(), "folder ");
}

TEST_F(Rtl, TracePassesSignalsOnAndStillFinishesTheTrace) {
  const std::string script = "trap 'kill -9 $!; exit 9' TERM; sleep 1000 & : > ready; wait";
  const pid_t child = Start({"trace", "--", "sh", "-c", script}, Path("stdout"));
  const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!fs::exists(WorkPath("ready")) && std::chrono::steady_clock::now() < limit) {
    std::this_thread::yield();
  }
  EXPECT_EQ(kill(child, SIGTERM), 0);
  const Outcome outcome = Finish(child);
  EXPECT_EQ(outcome.code, 9) << outcome.err;
  EXPECT_EQ(Listing(), "ready trace.db ");
}

TEST_F(Rtl, TraceSuggestsTheVirtualGpuWhereThereIsNoOther) {
  const bool has_gpu = access("/dev/kfd", F_OK) == 0;
  const Outcome outcome = Run({"trace", "--", "true"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err.find("--vgpu") == std::string::npos, has_gpu) << outcome.err;
}

TEST_F(Rtl, DoctorReportsThatThereIsNoGpu) {
  if (access("/dev/kfd", F_OK) == 0) GTEST_SKIP() << "there is one";
  const Outcome outcome = Run({"doctor"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.out.find("problem  no AMD GPU (no /dev/kfd): "), std::string::npos)
      << outcome.out;
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(Listing(), "");
}

TEST_F(Rtl, SummaryPrintsTheSameTableForTheSameTrace) {
  WriteTrace("trace.db");
  const Outcome outcome = Run({"summary"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(outcome.out,
            "trace.db: 3 kernels of 2 names, 1.70 us in total\n"
            "GPU 0 (gfx906): 3 kernels on 2 queues, busy 1.50 us of 2.00 us, 75.0 %\n"
            "\n"
            "  calls    total     %  average  median     min      max  kernel\n"
            "      2  1.50 us  88.2   750 ns  500 ns  500 ns  1.00 us  gemm(float*, float*, "
            "float*, int)\n"
            "      1   200 ns  11.8   200 ns  200 ns  200 ns   200 ns  copy(float const*, float*)\n"
            "\n"
            "  ranges  marks    total  average   median      min      max  roctx\n"
            "       1      0  1.20 us  1.20 us  1.20 us  1.20 us  1.20 us  step\n"
            "\n"
            "kernels: 3 submitted, 3 recorded, 0 lost\n"
            "markers: 1 submitted, 1 recorded, 0 lost\n");
}

TEST_F(Rtl, SummaryHasEveryTableAsCsv) {
  WriteTrace("trace.db");
  const auto table = [&](const char* name) {
    return Run({"summary", "--csv", "--table", name}).out;
  };
  EXPECT_EQ(table("kernels"), Run({"summary", "--csv"}).out);
  EXPECT_EQ(table("gpus"),
            "Gpu,Name,Kernels,Queues,BusyNs,WallNs,Place\n0,\"gfx906\",3,2,1500,2000,\"\"\n");
  EXPECT_EQ(table("ranges"),
            "Name,Ranges,Marks,TotalNs,AvgNs,MedianNs,MinNs,MaxNs\n"
            "\"step\",1,0,1200,1200,1200,1200,1200\n");
  EXPECT_TRUE(table("completeness")
                  .starts_with("Kind,Submitted,Recorded,LeftOut,Lost\nkernels,3,3,0,0\nmarkers,1,1,"
                               "0,0\nhip_calls,0,"));
  EXPECT_EQ(table("copies"),
            "Name,SrcGpu,DstGpu,Copies,Bytes,TotalNs,AvgNs,MedianNs,MinNs,MaxNs\n");
}

// Ten calls of one kernel, each of this duration.
void WriteCalls(const std::string& path, uint64_t duration) {
  test::TraceBuilder trace;
  const uint32_t queue = trace.Queue(trace.Gpu("gfx906"));
  const uint32_t kernel = trace.Kernel("_Z4gemmPfS_S_i");
  for (uint64_t i = 0; i < 10; ++i) {
    trace.Dispatch(queue, kernel, {.start = 1000 + 500 * i, .end = 1000 + 500 * i + duration});
  }
  const Status written = trace.WriteDatabase(path);
  ASSERT_TRUE(written.ok()) << written.message();
}

TEST_F(Rtl, DiffFindsNothingBetweenEqualRunsAndFailsBeyondALimit) {
  WriteCalls(WorkPath("a.db"), 200);
  WriteCalls(WorkPath("b.db"), 200);
  WriteCalls(WorkPath("slow.db"), 210);
  Outcome outcome = Run({"diff", "a.db", "b.db", "--fail-if", "kernel>0%"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(outcome.out,
            "a.db to b.db: one run on each side; the spread of equal runs is not known\n\n"
            "kernels: 2.00 us to 2.00 us in total (+0.0 %); 1 same\n");
  outcome = Run({"diff", "a.db", "b.db", "--with", "slow.db", "--fail-if", "kernel>4.9%"});
  EXPECT_EQ(outcome.code, 3);
  EXPECT_EQ(outcome.err,
            "rtl: kernel>4.9%: gemm(float*, float*, float*, int) is slower by 5.0 % (200 ns to 210 "
            "ns)\n");
  EXPECT_EQ(Run({"diff", "a.db", "slow.db", "--fail-if", "kernel>5.1%"}).code, 0);
  outcome = Run({"diff", "a.db", "gone.db", "--fail-if", "kernel>5%"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(outcome.err, "rtl: gone.db: no such file\n");
}

TEST_F(Rtl, SummaryShowsOnlyTheSelection) {
  WriteTrace("trace.db");
  Outcome outcome = Run({"summary", "--kernel", "^copy", "--csv"});
  EXPECT_EQ(outcome.out,
            "Name,Calls,TotalNs,AvgNs,MedianNs,MinNs,MaxNs,Pct\n"
            "\"copy(float const*, float*)\",1,200,200,200,200,200,100.00\n");
  outcome = Run({"summary", "--range", "step"});
  EXPECT_EQ(outcome.out.substr(0, outcome.out.find("GPU 0")),
            "only during ranges step\ntrace.db: 2 kernels of 2 names, 1.20 us in total\n");
  outcome = Run({"summary", "--gpu", "7"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(outcome.err, "rtl: trace.db: the trace has no GPU 7\n");
}

TEST_F(Rtl, SummaryIsCsvAndJsonForPrograms) {
  WriteTrace("a.db");
  EXPECT_EQ(Run({"summary", "a.db", "--csv", "--sort", "avg"}).out,
            "Name,Calls,TotalNs,AvgNs,MedianNs,MinNs,MaxNs,Pct\n"
            "\"gemm(float*, float*, float*, int)\",2,1500,750,500,500,1000,88.24\n"
            "\"copy(float const*, float*)\",1,200,200,200,200,200,11.76\n");
  const std::string json = Run({"summary", "a.db", "--json", "-n", "1"}).out;
  EXPECT_NE(json.find("\"calls\": 3"), std::string::npos) << json;
  EXPECT_NE(json.find("\"busy_ns\": 1500"), std::string::npos) << json;
  EXPECT_EQ(json.find("copy(float"), std::string::npos) << json;
}

TEST_F(Rtl, InfoNamesEveryLossInWords) {
  auto trace = test::TraceBuilder::ThreeKernelsOnTwoQueues();
  trace.Mode("standard", "asked for")
      .Lose(EventKind::kKernel, Loss::kBatch, 20)
      .Warning("something to know");
  ASSERT_TRUE(trace.WriteDatabase(WorkPath("trace.db")).ok());
  const std::string text = Run({"info"}).out;
  for (const char* part :
       {"trace.db: written by rtl test, schema 13\n", "  mode     standard: asked for\n",
        "  loaded   HSA_TOOLS_LIB\n", ", exit code 0\n", "app --steps 3", "gfx906",
        "kernels: 23 submitted, 3 recorded, 20 left out on purpose (kBatch: 20), 0 lost\n",
        "  20 submitted in a batch, which this mode passes through untouched (kBatch)\n",
        "warning: something to know\n"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
  EXPECT_EQ(text.find("barriers:"), std::string::npos) << "there was none: " << text;
}

TEST_F(Rtl, InfoShowsALossOfUncountedEvents) {
  WriteTrace("trace.db");
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(WorkPath("trace.db").c_str(), &database), SQLITE_OK);
  EXPECT_EQ(
      sqlite3_exec(database,
                   "UPDATE rocpd_metadata SET value = 3 WHERE tag = 'loss.kSpoolFull.barriers'",
                   nullptr, nullptr, nullptr),
      SQLITE_OK);
  EXPECT_EQ(sqlite3_changes(database), 1);
  EXPECT_EQ(sqlite3_close(database), SQLITE_OK);
  EXPECT_NE(Run({"info"}).out.find("barriers: 0 submitted"), std::string::npos);
}

TEST_F(Rtl, ConvertWritesBesideTheTraceOrToTheGivenFile) {
  WriteTrace("trace.db");
  EXPECT_EQ(Run({"convert"}).code, 0);
  EXPECT_EQ(Run({"convert", "--to", "chrome", "-o", "x.json.gz"}).code, 0);
  EXPECT_EQ(Listing(), "trace.db trace.pftrace x.json.gz ");
  EXPECT_EQ(Run({"convert", "-o", "-"}).out, Slurp(WorkPath("trace.pftrace")));
}

TEST_F(Rtl, InfoAsJsonHasTheFactsOfTheText) {
  WriteTrace("trace.db");
  const Outcome outcome = Run({"info", "--json"});
  EXPECT_EQ(outcome.code, 0);
  rapidjson::Document json;
  json.Parse(outcome.out.c_str());
  ASSERT_FALSE(json.HasParseError()) << outcome.out;
  EXPECT_STREQ(json["trace"].GetString(), "trace.db");
  EXPECT_STREQ(json["metadata"]["host"].GetString(), "testhost");
  ASSERT_GE(json["processes"].Size(), 1u);
  EXPECT_STREQ(json["processes"][0]["executable"].GetString(), "/usr/bin/app");
  ASSERT_GE(json["gpus"].Size(), 1u);
  ASSERT_GE(json["queues"].Size(), 1u);
  EXPECT_EQ(json["events"]["kernels"]["recorded"].GetUint64(), 3u);
}

TEST_F(Rtl, ConvertRefusesAFileOfAnotherKind) {
  WriteTrace("trace.db");
  const Outcome outcome = Run({"convert", "-o", "x.csv"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.err,
            "rtl: rtl summary --csv prints one table; --to csv writes the files of rocprofv3 (try: "
            "rtl convert --help)\n");
  EXPECT_EQ(Listing(), "trace.db ");
}

TEST_F(Rtl, ConvertWritesADatabaseThatRpdReads) {
  WriteTrace("trace.db");
  EXPECT_EQ(Run({"convert", "-o", "x.rpd"}).code, 0);
  EXPECT_EQ(Listing(), "trace.db x.rpd ");
  const Outcome outcome = Run({"summary", "x.rpd"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("x.rpd: 3 kernels"), std::string::npos) << outcome.out;
}

TEST_F(Rtl, ConvertWritesADatabaseWithTheSameRows) {
  WriteTrace("trace.db");
  EXPECT_EQ(Run({"convert", "--to", "db"}).code, 0);
  EXPECT_EQ(Listing(), "trace.db trace.new.db ");
  EXPECT_EQ(test::AllRowsOf(WorkPath("trace.new.db")), test::AllRowsOf(WorkPath("trace.db")));
  EXPECT_EQ(Run({"summary", "trace.new.db", "--csv"}).out, Run({"summary", "--csv"}).out);
}

TEST_F(Rtl, ConvertReportsForeignTables) {
  WriteTrace("trace.db");
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(WorkPath("trace.db").c_str(), &database), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(database, "CREATE TABLE notes (a, b)", nullptr, nullptr, nullptr),
            SQLITE_OK);
  EXPECT_EQ(sqlite3_close(database), SQLITE_OK);
  const Outcome outcome = Run({"convert", "--to", "db"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err, "rtl: trace.db: the table notes is not rtl's and is not taken over\n");
}

TEST_F(Rtl, OpensTheTraceInADirectory) {
  const Outcome empty = Run({"info", "."});
  EXPECT_EQ(empty.code, 1);
  EXPECT_EQ(empty.err, "rtl: .: a directory without a trace\n");
  WriteTrace("trace.db");
  EXPECT_EQ(Run({"info", "."}).code, 0);
}

TEST_F(Rtl, FailsWithOneLineThatNamesFileAndCause) {
  WriteTrace("trace.db");
  Spill(WorkPath("text"), "no database at all");
  const std::pair<Words, std::string> cases[] = {
      {{"summary", "gone.db"}, "gone.db: no such file"},
      {{"summary", ""}, "'': no such file"},
      {{"summary", "two\nlines\033[31m"}, "two?lines?[31m: no such file"},
      {{"convert", "text", "-o", "x"},
       "text: not a trace (of rtl, torch.profiler, jax.profiler, rocprofv3 or RPD)"},
      {{"convert", "-o", "no/x"}, "no/x: cannot be written: No such file or directory"},
      {{"convert", "-o", "/dev/full"}, "/dev/full: writing failed: No space left on device"},
      {{"convert", "--to", "db", "-o", "no/x.db"},
       "cannot write no/x.db: No such file or directory"},
      {{"convert", "--to", "db", "-o", "/dev/full"},
       "cannot write /dev/full: it is not a regular file"}};
  for (const auto& [words, message] : cases) {
    const Outcome outcome = Run(words);
    EXPECT_EQ(outcome.code, 1);
    EXPECT_EQ(outcome.err, "rtl: " + message + "\n");
    EXPECT_EQ(outcome.out, "");
  }
  EXPECT_EQ(Listing(), "text trace.db ");
}

TEST_F(Rtl, ReportsLostStandardOutput) {
  WriteTrace("trace.db");
  const Outcome outcome = Finish(Start({"summary"}, "/dev/full"));
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(outcome.err, "rtl: standard output: writing failed: No space left on device\n");
  const Outcome converted = Finish(Start({"convert", "-o", "-"}, "/dev/full"));
  EXPECT_EQ(converted.code, 1);
  EXPECT_EQ(converted.err, "rtl: standard output: writing failed: No space left on device\n");
}

TEST_F(Rtl, ConvertLeavesTheTraceAlone) {
  WriteTrace("trace.db");
  fs::create_symlink("trace.db", WorkPath("link.db"));
  const std::string before = Slurp(WorkPath("trace.db"));
  for (const char* output : {"./trace.db", "link.db"}) {
    const Outcome outcome = Run({"convert", "--to", "pftrace", "-o", output});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(outcome.err, "rtl: the output would replace the trace (try: rtl convert --help)\n");
  }
  EXPECT_TRUE(Slurp(WorkPath("trace.db")) == before);
}

TEST_F(Rtl, AFileSizeLimitIsAnErrorAndDoesNotKill) {
  WriteTrace("trace.db");
  file_limit_ = 256;
  const Outcome outcome = Run({"convert", "-o", "x.pftrace"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(outcome.err, "rtl: x.pftrace: writing failed: File too large\n");
  EXPECT_EQ(Listing(), "trace.db ");
}

TEST_F(Rtl, TheProgramKeepsItsOwnFileSizeLimits) {
  EXPECT_EQ(Run({"trace", "--", "grep", "SigIgn", "/proc/self/status"}).out,
            "SigIgn:\t0000000000000000\n");
}

TEST_F(Rtl, TraceReportsThatTracingWasSwitchedOff) {
  setenv("RTL_DISABLE", "1", 1);
  const Outcome outcome = Run({"trace", "--", "true"});
  unsetenv("RTL_DISABLE");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_NE(outcome.err.find("rtl: RTL_DISABLE is set, so nothing was traced\n"), std::string::npos)
      << outcome.err;
}

TEST_F(Rtl, TraceReportsWhyAProgramWithOtherRightsIsNotTraced) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can make such a program";
  constexpr uid_t kNobody = 65534;
  const std::string program = WorkPath("privileged");
  fs::copy_file("/bin/true", program);
  ASSERT_EQ(chown(program.c_str(), kNobody, kNobody), 0);
  ASSERT_EQ(chmod(program.c_str(), 04755), 0);
  const Outcome outcome = Run({"trace", "--", "./privileged"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_NE(outcome.err.find("rtl: ./privileged runs with the rights of another user "
                             "(set-user-id) and is not traced\n"),
            std::string::npos)
      << outcome.err;
}

TEST_F(Rtl, RefusesWrongArgumentsWithCodeTwo) {
  const Outcome outcome = Run({"summary", "--sort", "name"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.err,
            "rtl: --sort takes total, calls or avg, not name (try: rtl summary --help)\n");
  EXPECT_EQ(Run({"--version"}).code, 0);
}

}  // namespace
}  // namespace rtl
