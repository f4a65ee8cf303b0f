// SPDX-License-Identifier: MIT
#include "cli/trace/untraced_watch.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tests/support/temp_dir.h"

namespace rtl::cli {
namespace {

namespace fs = std::filesystem;
using testing::Test;

constexpr char kOurs[] = "/opt/rtl/lib/librtl.so";
constexpr char kSpool[] = "/data/t.db.spool-1";

// A folder as /proc, with the program as process 100.
class UntracedWatchTest : public Test {
 protected:
  struct Process {
    pid_t pid = 100;
    pid_t parent = 1;
    std::string name = "prog";
    std::string tools = kOurs;  // "-": the variable is missing
    std::string spool = kSpool;
    bool runtime = false;
    bool device = false;
    uint64_t stack = 0x7ffe1000;  // another one after exec
    uid_t user = geteuid();
    pid_t own_pid = 0;  // in a PID namespace of its own; zero: there is none
    char state = 'S';
  };

  void Run(const Process& process) {
    const std::string folder = proc_.File(std::to_string(process.pid));
    fs::create_directories(folder + "/fd");
    std::ofstream(folder + "/stat")
        << process.pid << " (" << process.name << ") " << process.state << " " << process.parent
        << " 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 700 0 0 0 0 0 " << process.stack << " 0 0\n";
    std::ofstream(folder + "/status")
        << "Name:\t" << process.name << "\nUid:\t0\t" << process.user << "\t0\t0\nNSpid:\t"
        << process.pid << "\t" << (process.own_pid == 0 ? process.pid : process.own_pid)
        << "\nThreads:\t1\n";
    std::ofstream(folder + "/maps")
        << "7f00-7f10 r--p 00000000 08:01 99 /usr/lib/libc.so.6\n"
        << (process.runtime ? "7f20-7f30 r-xp 00000000 08:01 9 /w/libhsa-runtime64-9a.so.1\n" : "");
    std::ofstream environment(folder + "/environ");
    environment << "HOME=/root" << '\0';
    if (process.tools != "-") environment << "HSA_TOOLS_LIB=" << process.tools << '\0';
    if (!process.spool.empty()) environment << "RTL_SPOOL=" << process.spool << '\0';
    std::error_code there;  // since an earlier look
    fs::create_symlink("/dev/null", folder + "/fd/0", there);
    if (process.device) fs::create_symlink("/dev/kfd", folder + "/fd/7", there);
  }

  std::string Told(const std::vector<store::ProcessResult>& traced = {}) {
    watch_.Look(100);
    std::string text;
    for (const std::string& sentence : watch_.Untraced(traced)) text += sentence + "\n";
    return text;
  }

  test::TempDir proc_;
  UntracedWatch watch_{kOurs, kSpool, proc_.path()};
};

TEST_F(UntracedWatchTest, SaysNothingOfAProgramWithoutARuntime) {
  Run({.tools = "-"});
  EXPECT_EQ(Told(), "");
}

TEST_F(UntracedWatchTest, NamesAProcessThatLostTheVariable) {
  Run({});
  Run({.pid = 101, .parent = 100, .name = "a (b) c", .tools = "-", .runtime = true});
  Run({.pid = 102, .parent = 1, .tools = "-", .runtime = true});  // another user's program
  EXPECT_EQ(Told(),
            "process 101 (a (b) c) loaded an HSA runtime that is not traced: HSA_TOOLS_LIB is "
            "missing in its environment (env -i, sudo or a script took it away)\n");
}

// As of a process that ends meanwhile: the file opens, and reading it fails.
TEST_F(UntracedWatchTest, SkipsAProcessWhoseFilesCannotBeRead) {
  Run({});
  Run({.pid = 101, .parent = 100, .tools = "-", .runtime = true});
  for (const char* file : {"stat", "maps", "environ"}) {
    const std::string path = proc_.File(std::string("101/") + file);
    fs::remove(path);
    fs::create_symlink("/proc/self/mem", path);
    EXPECT_EQ(Told(), "") << file;
  }
}

TEST_F(UntracedWatchTest, NamesTheLibraryInItsPlace) {
  Run({.tools = "/other/librocprofiler64.so", .runtime = true});
  EXPECT_EQ(Told(),
            "process 100 (prog) loaded an HSA runtime that is not traced: HSA_TOOLS_LIB in its "
            "environment names /other/librocprofiler64.so\n");
}

TEST_F(UntracedWatchTest, NamesAnotherTraceInItsPlace) {
  Run({.spool = "/data/inner.db.spool-2", .runtime = true});
  EXPECT_EQ(Told(),
            "process 100 (prog) loaded an HSA runtime that is not traced: another tracer inside "
            "this one has it\n");
}

// It may be linked to one and never start it.
TEST_F(UntracedWatchTest, SaysNothingOfARuntimeThatWasOnlyLoaded) {
  Run({.runtime = true});
  EXPECT_EQ(Told(), "");
}

TEST_F(UntracedWatchTest, NamesAProcessThatDrivesTheDeviceItself) {
  Run({.name = "python3", .device = true});
  EXPECT_EQ(Told(),
            "process 100 (python3) opened /dev/kfd without ROCm's HSA runtime, as programs with a "
            "GPU driver of their own do; such kernels cannot be traced\n");
}

TEST_F(UntracedWatchTest, SaysNothingOfTracedProcessesAndTheirForks) {
  Run({.runtime = true, .device = true});
  Run({.pid = 101, .parent = 100, .runtime = true, .device = true});
  store::ProcessResult traced;
  traced.pid = 100;
  traced.start_ticks = 700;
  EXPECT_EQ(Told({traced}),
            "process 100 (prog) loaded an HSA runtime that is not traced: the runtime did not load "
            "the tracer\n");
  traced.runtime = "HSA 1.1";
  EXPECT_EQ(Told({traced}), "");
}

TEST_F(UntracedWatchTest, KeepsAProcessWhoseParentHasEnded) {
  Run({});
  Run({.pid = 101, .parent = 100, .name = "sh"});
  Run({.pid = 102, .parent = 101, .tools = "-"});
  EXPECT_EQ(Told(), "");
  fs::remove_all(proc_.File("101"));
  fs::remove_all(proc_.File("102"));
  Run({.pid = 102, .parent = 1, .tools = "-", .runtime = true});
  EXPECT_NE(Told().find("process 102 (prog)"), std::string::npos);
}

// exec with another environment: of the two programs of the process, the first one is traced.
TEST_F(UntracedWatchTest, NamesAProgramThatReplacedATracedOne) {
  Run({.runtime = true, .device = true});
  store::ProcessResult traced;
  traced.pid = 100;
  traced.start_ticks = 700;
  traced.stack = 0x7ffe1000;
  traced.runtime = "HSA 1.1";
  EXPECT_EQ(Told({traced}), "");
  Run({.tools = "-", .runtime = true, .stack = 0x7ffe2000});
  EXPECT_EQ(Told({traced}),
            "process 100 (prog) loaded an HSA runtime that is not traced: HSA_TOOLS_LIB is missing "
            "in its environment (env -i, sudo or a script took it away)\n");
}

TEST_F(UntracedWatchTest, NamesAProcessOfAnotherUser) {
  Run({.runtime = true, .user = geteuid() + 1});
  EXPECT_EQ(Told(),
            "process 100 (prog) loaded an HSA runtime that is not traced: it runs as "
            "another user (uid " +
                std::to_string(geteuid() + 1) +
                "), who cannot write into the folder of the trace\n");
}

TEST_F(UntracedWatchTest, KnowsAProcessByTheNumberOfItsPidNamespace) {
  Run({.runtime = true, .device = true, .own_pid = 2});
  store::ProcessResult traced;
  traced.pid = 2;
  traced.start_ticks = 700;
  traced.runtime = "HSA 1.1";
  EXPECT_EQ(Told({traced}), "");
}

TEST_F(UntracedWatchTest, NamesWhatStillRuns) {
  EXPECT_EQ(watch_.StillRunning({}, 0), "");
  Run({.state = 'Z'});
  Run({.pid = 90, .spool = "/data/t.db.spool-2"});
  EXPECT_EQ(watch_.StillRunning({}, 0), "");
  Run({.pid = 101, .parent = 1, .name = "daemon"});
  EXPECT_EQ(watch_.StillRunning({}, 0),
            "process 101 (daemon) that the program started runs still: what happens there from now "
            "on is not in the trace");
  Run({.pid = 102, .parent = 1, .name = "other"});
  EXPECT_NE(watch_.StillRunning({}, 0).find(" and 1 other that the program started run still"),
            std::string::npos);
  store::ProcessResult traced;
  traced.start_ticks = 700;
  traced.end = store::ProcessEnd::kAbandoned;
  store::ProcessResult other = traced;
  traced.pid = 101;
  other.pid = 102;
  EXPECT_EQ(watch_.StillRunning({traced, other}, 0), "") << "the collector names them";
}

}  // namespace
}  // namespace rtl::cli
