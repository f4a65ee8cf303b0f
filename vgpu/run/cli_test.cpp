// SPDX-License-Identifier: MIT
// cli_test.cpp: the built launcher and the built library, on programs that need no runtime.
//
// Tests named Inside.* run on the virtual machine: the others start this same program again under
// `vgpu run`.
#include <dirent.h>
#include <dlfcn.h>
#include <drm/drm.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/kfd_ioctl.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace vgpu {
namespace {

const bool kInside = std::getenv("VGPU_TEST_INSIDE") != nullptr;

struct Outcome {
  int status = -1;
  std::string out;
  std::string error;
};

std::string ReadFile(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

size_t LinesIn(const std::string& text) { return std::count(text.begin(), text.end(), '\n'); }

class Launcher : public ::testing::Test {
 protected:
  void SetUp() override {
    if (kInside) GTEST_SKIP() << "starts the launcher";
#ifdef VGPU_TEST_SANITIZED
    GTEST_SKIP() << "a library with a sanitizer cannot be preloaded";
#endif
    char name[] = "/tmp/vgpu-test-XXXXXX";
    directory_ = mkdtemp(name);
    report_ = directory_ + "/report";
  }
  void TearDown() override {
    if (!directory_.empty()) std::filesystem::remove_all(directory_);
  }

  // Runs a shell command line in which $V is the launcher.
  Outcome Shell(const std::string& line) {
    const std::string out = directory_ + "/out";
    const std::string error = directory_ + "/error";
    const std::string command =
        "V='" VGPU_LAUNCHER "'; cd " + directory_ + "; { " + line + "\n} >" + out + " 2>" + error;
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, ReadFile(out), ReadFile(error)};
  }

  // Runs a test of this program on the virtual machine; its exit code says whether it passed.
  Outcome RunInside(const std::string& test, const std::string& options = "") {
    char self[PATH_MAX] = {};
    EXPECT_GT(readlink("/proc/self/exe", self, sizeof(self) - 1), 0);
    return Shell("VGPU_TEST_INSIDE=1 $V run --report " + report_ + " " + options + " -- '" + self +
                 "' --gtest_filter=Inside." + test);
  }

  std::string directory_;
  std::string report_;
};

TEST_F(Launcher, PassesTheExitCodeOn) {
  EXPECT_EQ(Shell("$V run sh -c 'exit 7'").status, 7);
  EXPECT_EQ(Shell("$V run -- true").status, 0);
  EXPECT_EQ(Shell("$V run sh -c 'kill -TERM $$'; test $? = 143").status, 0);
}

TEST_F(Launcher, PassesInputAndOutputThrough) {
  const Outcome outcome = Shell("echo hello | $V run cat");
  EXPECT_EQ(outcome.out, "hello\n");
  EXPECT_EQ(outcome.error, "");
}

TEST_F(Launcher, LeavesTheCommandsOptionsAlone) {
  EXPECT_EQ(Shell("$V run echo --gpus 2").out, "--gpus 2\n");
  EXPECT_EQ(Shell("$V run -- echo -- --help").out, "-- --help\n");
  EXPECT_EQ(Shell("$V run echo a -- b").out, "a -- b\n");
}

TEST_F(Launcher, PassesItsConfigurationToTheCommand) {
  const Outcome outcome = Shell(
      "$V run --gpus 2 --no-execute --clock-ppm -5 --report r -- sh -c "
      "'echo $VGPU_NUM_GPUS $VGPU_EXECUTE $VGPU_CLOCK_PPM $VGPU_REPORT'");
  EXPECT_EQ(outcome.out, "2 0 -5 " + directory_ + "/r\n");
}

TEST_F(Launcher, PutsItsLibraryBeforeOthers) {
  const Outcome outcome = Shell("LD_PRELOAD=libm.so.6 $V run sh -c 'echo $LD_PRELOAD'");
  const size_t ours = outcome.out.find("/lib/libvgpu.so:libm.so.6");
  ASSERT_NE(ours, std::string::npos) << outcome.out;
  const std::string folder = outcome.out.substr(0, ours);
  const std::string rest =
      outcome.out.substr(ours + std::string("/lib/libvgpu.so:libm.so.6").size());
  EXPECT_TRUE(rest == "\n" || rest == ":" + folder + "/lib/libroctx64.so.4\n") << outcome.out;
  EXPECT_TRUE(outcome.out.starts_with("/")) << outcome.out;
}

// AMD's rocprofiler-register looks for the library by name, and ends the program without it.
TEST_F(Launcher, NamesTheLibraryOfToolsForRuntimesThatRegister) {
  const auto named = [this](const std::string& variables) {
    return Shell(variables + " $V run -- sh -c 'echo \"$ROCPROFILER_REGISTER_LIBRARY\"'").out;
  };
  const std::string tools = "ROCP_TOOL_LIBRARIES=tool.so ";
  const std::string library = "HSA_TOOLS_LIB='other.so /x/librocprofiler-sdk.so.1' ";
  EXPECT_EQ(named(tools + library), "/x/librocprofiler-sdk.so.1\n");
  EXPECT_EQ(named(tools + library + "ROCPROFILER_REGISTER_LIBRARY=theirs.so"), "theirs.so\n");
  EXPECT_EQ(named(library), "\n");
  // Otherwise the one beside the virtual GPU, where it is installed.
  const std::filesystem::path beside =
      std::filesystem::path(VGPU_LAUNCHER).parent_path().parent_path() / "lib" /
      "librocprofiler-sdk.so.1";
  EXPECT_EQ(named(tools + "HSA_TOOLS_LIB=other.so"),
            std::filesystem::exists(beside) ? beside.string() + "\n" : "\n");
}

TEST_F(Launcher, ReachesTheCommandsChildren) {
  EXPECT_EQ(Shell("$V run sh -c 'cat /proc/modules | cut -c1-6'").out, "amdgpu\n");
}

TEST_F(Launcher, NamesACommandThatDoesNotExist) {
  const Outcome outcome = Shell("$V run no-such-command");
  EXPECT_EQ(outcome.status, 127);
  EXPECT_EQ(outcome.error, "vgpu: cannot run no-such-command: No such file or directory\n");
}

TEST_F(Launcher, GivesTheTerminalNoCommand) {
  EXPECT_EQ(Shell("$V run \"$(printf 'no\\033[31m\\nsuch')\"").error,
            "vgpu: cannot run no?[31m?such: No such file or directory\n");
}

TEST_F(Launcher, NamesACommandThatCannotBeRun) {
  const Outcome outcome = Shell("touch file; $V run ./file");
  EXPECT_EQ(outcome.status, 126);
  EXPECT_EQ(outcome.error, "vgpu: cannot run ./file: Permission denied\n");
}

TEST_F(Launcher, RefusesWrongArgumentsInOneLine) {
  for (const std::string arguments :
       {"", "fly", "run", "run --gpus", "run --gpus 0 true", "run --gfx 1030 true",
        "run --gpus two true", "run --no-such-option true", "info extra", "run --"}) {
    const Outcome outcome = Shell("$V " + arguments);
    EXPECT_EQ(outcome.status, 2) << arguments;
    EXPECT_EQ(LinesIn(outcome.error), 1u) << arguments << ": " << outcome.error;
    EXPECT_TRUE(outcome.error.starts_with("vgpu: ")) << outcome.error;
    EXPECT_EQ(outcome.out, "") << arguments;
  }
}

TEST_F(Launcher, NamesUnknownAndMissingArguments) {
  EXPECT_EQ(Shell("$V fly").error, "vgpu: unknown verb fly (see vgpu --help)\n");
  EXPECT_EQ(Shell("$V --fly").error, "vgpu: unknown verb --fly (see vgpu --help)\n");
  EXPECT_EQ(Shell("$V").error, "vgpu: run, info or check is missing (see vgpu --help)\n");
  EXPECT_EQ(Shell("$V check").error, "vgpu: check: no file given (see vgpu check --help)\n");
  EXPECT_EQ(Shell("$V check /dev/null").error, "vgpu: check: /dev/null: Invalid argument\n");
  EXPECT_EQ(Shell("$V check $V").error,
            "vgpu: check: " + std::string(VGPU_LAUNCHER) + ": it contains no code object\n");
}

TEST_F(Launcher, ReportsThatItsOutputCannotBeWritten) {
  for (const std::string arguments : {"info", "--help", "run --help"}) {
    const Outcome outcome = Shell("$V " + arguments + " >/dev/full");
    EXPECT_EQ(outcome.status, 1) << arguments;
    EXPECT_EQ(outcome.error, "vgpu: standard output: writing failed: No space left on device\n");
  }
}

TEST_F(Launcher, PrintsItsHelp) {
  for (const std::string arguments : {"--help", "run --help", "info --help"}) {
    const Outcome outcome = Shell("$V " + arguments);
    EXPECT_EQ(outcome.status, 0) << arguments;
    EXPECT_EQ(outcome.error, "") << arguments;
  }
  const std::string help = Shell("$V run --help").out;
  for (const std::string word : {"--gpus", "VGPU_NUM_GPUS", "--report", "COMMAND"}) {
    EXPECT_NE(help.find(word), std::string::npos) << word;
  }
}

TEST_F(Launcher, PrintsItsVersion) {
  const Outcome outcome = Shell("$V --version");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.out, "vgpu " RTL_VERSION "\n");
}

TEST_F(Launcher, DescribesTheMachine) {
  const Outcome outcome = Shell("VGPU_VRAM_MB=512 $V info --gpus 2 --gfx 900");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_TRUE(
      outcome.out.starts_with("2 x gfx900 (vega10): 64 compute units at 1500 MHz, 512 MB\n"))
      << outcome.out;
}

TEST_F(Launcher, WritesNoReportForProcessesWithoutADevice) {
  EXPECT_EQ(Shell("$V run --report report true; test ! -e report").status, 0);
}

TEST_F(Launcher, ShowsTheDevices) {
  const Outcome outcome = RunInside("SeesTheDevices", "--gpus 2");
  EXPECT_EQ(outcome.status, 0) << outcome.out;
}

TEST_F(Launcher, ReportsWhatAProcessLeftBehind) {
  const Outcome outcome = RunInside("LeavesAnEventAndADescriptor");
  EXPECT_EQ(outcome.status, 0) << outcome.out << outcome.error;
  const std::string report = ReadFile(report_);
  EXPECT_EQ(LinesIn(report), 1u) << report;
  EXPECT_NE(report.find("\"queues\":0,\"events\":1,\"signal_events\":1,\"objects\":0,"
                        "\"mappings\":0,\"fds\":1,"),
            std::string::npos)
      << report;
  EXPECT_NE(report.find("\"events_created\":2,"), std::string::npos) << report;
  EXPECT_NE(report.find("\"fds_opened\":1,"), std::string::npos) << report;
}

TEST_F(Launcher, InjectsTheRequestedFaults) {
  const Outcome outcome = RunInside("LeavesAnEventAndADescriptor", "--faults ioctl:call=1:nth=999");
  EXPECT_EQ(outcome.status, 0) << outcome.out;
  EXPECT_EQ(outcome.error.find("VGPU_FAULTS"), std::string::npos) << outcome.error;
  RunInside("LeavesAnEventAndADescriptor", "--faults ioctl:call=8:nth=1");  // CREATE_EVENT
  EXPECT_NE(ReadFile(report_).find("\"injected_call_failures\":1}"), std::string::npos);
}

TEST_F(Launcher, KeepsDevicesEmpty) {
  const Outcome outcome = RunInside("KeepsItsDevicesEmpty");
  EXPECT_EQ(outcome.status, 0) << outcome.out;
}

TEST_F(Launcher, ReportsAlsoWhenAProcessLeavesAbruptly) {
  RunInside("LeavesAbruptly");
  EXPECT_EQ(LinesIn(ReadFile(report_)), 1u);
}

TEST_F(Launcher, ReportsEveryForkedChildThatOpenedADevice) {
  const Outcome outcome = RunInside("Forks");
  EXPECT_EQ(outcome.status, 0) << outcome.out;
  const std::string report = ReadFile(report_);
  EXPECT_EQ(LinesIn(report), 2u) << report;
}

TEST_F(Launcher, KnowsADescriptorAsTheKernelDoes) {
  for (const std::string test :
       {"ClosesInChildren", "SharesDescriptorsWithAChild", "InheritsDescriptorsByExec"}) {
    const Outcome outcome = RunInside(test);
    EXPECT_EQ(outcome.status, 0) << outcome.out << outcome.error;
  }
}

TEST_F(Launcher, RefusesAMappingPastTheLibrary) {
  const Outcome outcome = RunInside("MapsByTheCLibrary");
  EXPECT_EQ(outcome.status, 0) << outcome.out << outcome.error;
}

TEST_F(Launcher, KeepsManyProcessesApart) {
  char self[PATH_MAX] = {};
  ASSERT_GT(readlink("/proc/self/exe", self, sizeof(self) - 1), 0);
  const std::string one = "VGPU_TEST_INSIDE=1 $V run --dir d --report r '" + std::string(self) +
                          "' --gtest_filter=Inside.LeavesAnEventAndADescriptor & ";
  const Outcome outcome = Shell(one + one + one + one + "wait; test $(wc -l <r) = 4");
  EXPECT_EQ(outcome.status, 0) << outcome.error;
  size_t trees = 0;
  for ([[maybe_unused]] const auto& entry :
       std::filesystem::directory_iterator(directory_ + "/d")) {
    ++trees;
  }
  EXPECT_EQ(trees, 1u);
}

TEST_F(Launcher, SaysWhyThereAreNoDeviceFiles) {
  const Outcome outcome = Shell("touch file; $V run --dir file/x ls /dev/dri");
  EXPECT_NE(outcome.status, 0);
  EXPECT_NE(outcome.error.find("no device files: cannot create"), std::string::npos)
      << outcome.error;
}

TEST_F(Launcher, SaysWhatALimitOnAddressesForbids) {
#ifndef VGPU_TEST_SANITIZED  // sanitizers need more addresses themselves
  const Outcome outcome = Shell("ulimit -v 33554432; VGPU_TEST_INSIDE=1 $V run -- " +
                                std::filesystem::read_symlink("/proc/self/exe").string() +
                                " --gtest_filter=Inside.LeavesAbruptly");
  EXPECT_NE(outcome.error.find("cannot reserve 96 GB of addresses"), std::string::npos)
      << outcome.error;
  EXPECT_EQ(LinesIn(outcome.error), 1u) << outcome.error;
#endif
}

class Inside : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!kInside) GTEST_SKIP() << "runs on the virtual machine only";
  }

  static bool HasVersion(int fd) {
    kfd_ioctl_get_version_args args{};
    return ioctl(fd, AMDKFD_IOC_GET_VERSION, &args) == 0 && args.major_version == 1;
  }
  static uint32_t NewEvent(int fd) {
    kfd_ioctl_create_event_args args{};
    args.event_type = KFD_IOC_EVENT_SIGNAL;
    EXPECT_EQ(ioctl(fd, AMDKFD_IOC_CREATE_EVENT, &args), 0);
    return args.event_id;
  }
};

TEST_F(Inside, SeesTheDevices) {
  struct stat status;
  ASSERT_EQ(stat("/dev/dri/renderD129", &status), 0);
  EXPECT_TRUE(S_ISCHR(status.st_mode));
  EXPECT_EQ(status.st_rdev, makedev(226, 129));
  EXPECT_EQ(stat("/dev/dri/renderD130", &status), -1);
  EXPECT_EQ(errno, ENOENT);
  EXPECT_EQ(access("/dev/kfd", R_OK | W_OK), 0);
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/kfd"));

  const int fd = open("/dev/dri/renderD129", O_RDWR | O_CLOEXEC);
  ASSERT_GE(fd, 0);
  ASSERT_EQ(fstat(fd, &status), 0);
  EXPECT_EQ(status.st_rdev, makedev(226, 129));
  EXPECT_EQ(fcntl(fd, F_GETFD), FD_CLOEXEC);
  EXPECT_EQ(close(fd), 0);
  EXPECT_EQ(open("/dev/dri/renderD130", O_RDWR), -1);

  DIR* nodes = opendir("/sys/class/kfd/kfd/topology/nodes");
  ASSERT_NE(nodes, nullptr);
  int count = 0;
  while (const dirent* entry = readdir(nodes)) count += entry->d_name[0] != '.';
  closedir(nodes);
  EXPECT_EQ(count, 3);
  EXPECT_EQ(ReadFile("/sys/module/amdgpu/initstate"), "live\n");
}

// A program without standard error writes its messages to whatever has that number.
TEST_F(Inside, KeepsItsDevicesEmpty) {
  const int fd = open("/dev/kfd", O_RDWR);
  ASSERT_TRUE(HasVersion(fd));
  EXPECT_EQ(write(fd, "error", 5), -1);
  ASSERT_TRUE(HasVersion(open("/dev/kfd", O_RDWR)));
  char byte;
  EXPECT_LE(read(fd, &byte, 1), 0);  // does not wait
}

TEST_F(Inside, LeavesAnEventAndADescriptor) {
  const int fd = open("/dev/kfd", O_RDWR);
  ASSERT_TRUE(HasVersion(fd));
  const int copy = dup(fd);
  ASSERT_TRUE(HasVersion(copy));
  const int other = fcntl(fd, F_DUPFD_CLOEXEC, 0);
  ASSERT_TRUE(HasVersion(other));
  NewEvent(fd);
  kfd_ioctl_destroy_event_args destroy{};
  destroy.event_id = NewEvent(copy);
  EXPECT_EQ(ioctl(copy, AMDKFD_IOC_DESTROY_EVENT, &destroy), 0);
  EXPECT_EQ(close(copy), 0);
  EXPECT_EQ(close(other), 0);
  EXPECT_EQ(ioctl(copy, AMDKFD_IOC_GET_VERSION, &destroy), -1);
  EXPECT_EQ(errno, EBADF);
  EXPECT_EQ(dup2(fd, fd), fd);
  EXPECT_EQ(ioctl(fd, _IOWR('K', 0x7f, int), &destroy), -1);
  EXPECT_EQ(errno, EINVAL);
}

TEST_F(Inside, LeavesAbruptly) {
  ASSERT_TRUE(HasVersion(open("/dev/kfd", O_RDWR)));
  _exit(0);
}

TEST_F(Inside, Forks) {
  const int fd = open("/dev/kfd", O_RDWR);
  ASSERT_TRUE(HasVersion(fd));
  NewEvent(fd);
  for (const bool opens : {false, true}) {
    const pid_t child = fork();
    if (child == 0) {
      kfd_ioctl_get_version_args args{};
      const bool refused = ioctl(fd, AMDKFD_IOC_GET_VERSION, &args) == -1 && errno == EBADF;
      if (!opens) _exit(refused ? 0 : 1);
      const bool works = HasVersion(open("/dev/kfd", O_RDWR));
      _exit(refused && works ? 0 : 1);
    }
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  EXPECT_TRUE(HasVersion(fd));
}

// Runs `act` in a child that is made with these flags of clone.
template <class Act>
void InChild(int flags, Act act) {
  std::vector<char> stack(256 * 1024);
  const auto run = [](void* argument) {
    (*static_cast<Act*>(argument))();
    _exit(0);
    return 0;
  };
  const pid_t child = clone(run, stack.data() + stack.size(), flags | SIGCHLD, &act);
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_EQ(status, 0);
}

TEST_F(Inside, ClosesInChildren) {
  const int fd = open("/dev/kfd", O_RDWR);
  ASSERT_TRUE(HasVersion(fd));
  for (const int flags : {0, CLONE_VM, CLONE_VM | CLONE_VFORK}) {
    InChild(flags, [fd] { close(fd); });
    InChild(flags, [fd] { closefrom(fd); });
    InChild(flags, [fd] { close_range(fd, ~0u, 0); });
    InChild(flags, [fd] { dup2(STDERR_FILENO, fd); });
    EXPECT_TRUE(HasVersion(fd)) << flags;
    InChild(flags, [fd] { _exit(HasVersion(fd) ? 1 : 0); });  // it did not open it
  }
  InChild(0, [] { _exit(HasVersion(open("/dev/kfd", O_RDWR)) ? 0 : 1); });
  InChild(CLONE_VM, [] {
    const int own = open("/dev/kfd", O_RDWR);  // of the memory's driver, which is the parent's
    _exit(own >= 0 && !HasVersion(own) ? 0 : 1);
  });
  EXPECT_TRUE(HasVersion(fd));
}

TEST_F(Inside, SharesDescriptorsWithAChild) {
  drm_version version{};
  const int other = open("/dev/null", O_RDWR);
  for (const int flags : {CLONE_FILES, CLONE_FILES | CLONE_VM}) {
    const int fd = open("/dev/kfd", O_RDWR);
    ASSERT_TRUE(HasVersion(fd));
    InChild(flags, [fd] { close(fd); });
    EXPECT_FALSE(HasVersion(fd));
    EXPECT_EQ(errno, EBADF);
    InChild(flags, [fd] { open("/dev/dri/renderD128", O_RDWR) == fd ? _exit(0) : _exit(1); });
    EXPECT_EQ(ioctl(fd, DRM_IOCTL_VERSION, &version), 0);
    EXPECT_EQ(version.version_major, 3);
    InChild(flags, [fd, other] { dup2(other, fd); });
    EXPECT_FALSE(HasVersion(fd));
    EXPECT_EQ(errno, ENOTTY);
    struct stat status;
    EXPECT_EQ(fstat(fd, &status), 0);
    EXPECT_EQ(status.st_rdev, makedev(1, 3));
    EXPECT_EQ(close(fd), 0);
  }
}

TEST_F(Inside, InheritsDescriptorsByExec) {
  const char* inherited = std::getenv("VGPU_TEST_DESCRIPTOR");
  if (inherited != nullptr) {
    drm_version version{};
    _exit(ioctl(std::atoi(inherited), DRM_IOCTL_VERSION, &version) == 0 ? 7 : errno);
  }
  for (const int flags : {0, O_CLOEXEC}) {
    const int fd = open("/dev/dri/renderD128", O_RDWR | flags);
    setenv("VGPU_TEST_DESCRIPTOR", std::to_string(fd).c_str(), 1);
    const pid_t child = vfork();
    if (child == 0) {
      execl("/proc/self/exe", "test", "--gtest_filter=Inside.InheritsDescriptorsByExec", nullptr);
      _exit(1);
    }
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(WEXITSTATUS(status), flags == 0 ? 7 : EBADF);
  }
}

TEST_F(Inside, MapsByTheCLibrary) {
  using Map = void* (*)(void*, size_t, int, int, int, off_t);
  void* library = dlopen("libc.so.6", RTLD_NOW);
  ASSERT_NE(library, nullptr);
  const auto map = reinterpret_cast<Map>(dlsym(library, "mmap"));
  const int fd = open("/dev/dri/renderD128", O_RDWR);
  EXPECT_EQ(map(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0), MAP_FAILED);
  EXPECT_EQ(errno, EACCES);
}

}  // namespace
}  // namespace vgpu
