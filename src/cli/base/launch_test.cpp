// SPDX-License-Identifier: MIT
#include "cli/base/launch.h"

#include <gtest/gtest.h>
#include <pty.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <string>
#include <thread>

#include "tests/support/temp_dir.h"

namespace rtl::cli {
namespace {

using Words = std::vector<std::string>;

Ending RunProgram(const Words& command, const Words& environment = {"PATH=/usr/bin:/bin"}) {
  Launch launch;
  int exit_code = 0;
  const Status started = launch.Start(command, environment, &exit_code);
  EXPECT_TRUE(started.ok()) << started.message();
  Ending ending;
  EXPECT_TRUE(launch.Wait(&ending).ok());
  return ending;
}

std::string StartError(const Words& command, int* exit_code) {
  Launch launch;
  return launch.Start(command, {"PATH=/usr/bin:/bin"}, exit_code).message();
}

std::string Slurp(const std::string& path) {
  std::string text;
  std::getline(std::ifstream(path), text);
  return text;
}

bool WaitForFile(const std::string& path) {
  const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (access(path.c_str(), F_OK) != 0) {
    if (std::chrono::steady_clock::now() > limit) return false;
    std::this_thread::yield();
  }
  return true;
}

TEST(Launch, ReturnsTheExitCode) {
  EXPECT_EQ(RunProgram({"true"}).ExitCode(), 0);
  EXPECT_EQ(RunProgram({"sh", "-c", "exit 7"}).ExitCode(), 7);
}

TEST(Launch, ReportsTheSignalThatEndedTheProgram) {
  const Ending ending = RunProgram({"sh", "-c", "kill -SEGV $$"});
  EXPECT_TRUE(ending.signalled);
  EXPECT_EQ(ending.number, SIGSEGV);
  EXPECT_EQ(ending.ExitCode(), 128 + SIGSEGV);
}

TEST(Launch, DistinguishesAMissingProgramFromOneThatCannotRun) {
  test::TempDir directory;
  int exit_code = 0;
  EXPECT_EQ(StartError({"no-such-program"}, &exit_code), "no-such-program: command not found");
  EXPECT_EQ(exit_code, 127);
  EXPECT_EQ(StartError({directory.File("x")}, &exit_code),
            directory.File("x") + ": cannot be run: No such file or directory");
  EXPECT_EQ(exit_code, 127);
  std::ofstream(directory.File("data")) << "text";
  EXPECT_EQ(StartError({directory.File("data")}, &exit_code),
            directory.File("data") + ": cannot be run: it is not executable (chmod +x)");
  EXPECT_EQ(exit_code, 126);
  EXPECT_EQ(StartError({directory.path()}, &exit_code),
            directory.path() + ": cannot be run: it is a folder");
  EXPECT_EQ(exit_code, 126);
}

TEST(Launch, GivesTheProgramExactlyTheEnvironment) {
  test::TempDir directory;
  const std::string out = directory.File("out");
  const Ending ending =
      RunProgram({"sh", "-c", "echo \"$MARK\" > " + out}, {"PATH=/usr/bin:/bin", "MARK=42"});
  EXPECT_EQ(ending.ExitCode(), 0);
  EXPECT_EQ(Slurp(out), "42");
}

TEST(Launch, KeepsTheProgramsSignalDispositions) {
  test::TempDir directory;
  const std::string out = directory.File("out");
  const auto before = signal(SIGHUP, SIG_IGN);  // as nohup does
  EXPECT_EQ(RunProgram({"sh", "-c", "grep SigIgn /proc/self/status > " + out}).ExitCode(), 0);
  (void)signal(SIGHUP, before);
  EXPECT_EQ(Slurp(out).substr(0, 7), "SigIgn:");
  const uint64_t ignored = std::stoull(Slurp(out).substr(8), nullptr, 16);
  EXPECT_EQ(ignored & 1u, 1u);  // SIGHUP
  EXPECT_EQ(ignored & (1u << (SIGTERM - 1)), 0u);
}

TEST(Launch, PassesOnASignalToRtl) {
  test::TempDir directory;
  const std::string ready = directory.File("ready");
  Launch launch;
  int exit_code = 0;
  const std::string script = "trap 'kill -9 $!; exit 9' USR1; sleep 1000 & : > " + ready + "; wait";
  ASSERT_TRUE(launch.Start({"sh", "-c", script}, {"PATH=/usr/bin:/bin"}, &exit_code).ok());
  ASSERT_TRUE(WaitForFile(ready));
  ASSERT_EQ(kill(getpid(), SIGUSR1), 0);
  Ending ending;
  ASSERT_TRUE(launch.Wait(&ending).ok());
  EXPECT_EQ(ending.ExitCode(), 9);
}

TEST(Launch, DoesNotSendBackTheProgramsSignalToItsGroup) {
  test::TempDir directory;
  ASSERT_EQ(setpgid(0, 0), 0);  // a group of its own
  // Counts the signals it gets: its own, once.
  const std::string script = "n=0; trap 'n=$((n+1))' USR2; kill -USR2 0; echo $n > " +
                             directory.File("count") + "; exit $n";
  EXPECT_EQ(RunProgram({"sh", "-c", script}).ExitCode(), 1);
  EXPECT_EQ(Slurp(directory.File("count")), "1");
}

// Reads from `fd` until `text` has come, or its end.
bool WaitForText(int fd, const std::string& text, std::string* seen) {
  char chunk[256];
  while (seen->find(text) == std::string::npos) {
    const ssize_t got = read(fd, chunk, sizeof(chunk));
    if (got <= 0) return false;
    seen->append(chunk, static_cast<size_t>(got));
  }
  return true;
}

TEST(Launch, LeavesControlCToTheTerminal) {
  int terminal = -1;
  const pid_t leader = forkpty(&terminal, nullptr, nullptr, nullptr);
  ASSERT_GE(leader, 0);
  if (leader == 0) {
    // Exits with the number of SIGINTs when its input ends.
    const std::string script =
        "n=0; trap 'n=$((n+1)); echo got $n' INT; echo ready; while read line; do :; done;"
        " read line; exit $n";
    Launch launch;
    int exit_code = 0;
    if (!launch.Start({"sh", "-c", script}, {"PATH=/usr/bin:/bin"}, &exit_code).ok()) _exit(99);
    Ending ending;
    if (!launch.Wait(&ending).ok()) _exit(98);
    _exit(ending.ExitCode());
  }
  std::string seen;
  EXPECT_TRUE(WaitForText(terminal, "ready", &seen)) << seen;
  EXPECT_EQ(write(terminal, "\x03", 1), 1);  // Ctrl-C
  EXPECT_TRUE(WaitForText(terminal, "got 1", &seen)) << seen;
  EXPECT_EQ(write(terminal, "\x04\x04", 2), 2);  // Ctrl-D: end of input
  int status = 0;
  EXPECT_EQ(waitpid(leader, &status, 0), leader);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 1) << seen;
  close(terminal);
}

}  // namespace
}  // namespace rtl::cli
