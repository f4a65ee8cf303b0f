// SPDX-License-Identifier: MIT
#include "libraries/librtl/helper.h"

#include <errno.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <sstream>
#include <string>

namespace rtl {
namespace {

std::atomic<int> child_signals{0};

// A helper that runs a shell script and writes into a FIFO, so that the test can wait for it.
class HelperTest : public testing::Test {
 protected:
  void SetUp() override {
    directory_ = testing::TempDir() + "helperXXXXXX";
    ASSERT_NE(mkdtemp(directory_.data()), nullptr);
    fifo_ = directory_ + "/fifo";
    ASSERT_EQ(mkfifo(fifo_.c_str(), 0600), 0);
  }
  void TearDown() override {
    EXPECT_EQ(unlink(fifo_.c_str()), 0);
    EXPECT_EQ(rmdir(directory_.c_str()), 0);
  }

  // The output of `script`, read until the helper closes its end.
  std::string Run(const std::string& script, Helper* helper) {
    const std::string command = "exec > " + fifo_ + "; " + script;
    const char* const arguments[] = {"sh", "-c", command.c_str(), nullptr};
    char path[] = "PATH=/usr/bin:/bin";
    char marker[] = "HELPER_MARK=7";
    char* const environment[] = {path, marker, nullptr};
    const Status started = StartHelper("/bin/sh", arguments, environment, helper);
    EXPECT_TRUE(started.ok()) << started.message();
    std::stringstream text;
    text << std::ifstream(fifo_).rdbuf();
    return text.str();
  }

  std::string directory_, fifo_;
};

TEST_F(HelperTest, RunsWithTheGivenArgumentsAndEnvironment) {
  Helper helper;
  EXPECT_EQ(Run("echo $HELPER_MARK $HOME", &helper), "7\n");
  EXPECT_GT(helper.pid, 0u);
}

TEST_F(HelperTest, IsNotAChildThatTheApplicationCanNotice) {
  child_signals = 0;
  struct sigaction action = {};
  action.sa_handler = [](int) { ++child_signals; };
  struct sigaction before = {};
  ASSERT_EQ(sigaction(SIGCHLD, &action, &before), 0);
  Helper helper;
  EXPECT_EQ(Run("echo here", &helper), "here\n");
  errno = 0;
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
  errno = 0;
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG | __WALL), -1);
  EXPECT_EQ(errno, ECHILD);
  EXPECT_EQ(child_signals, 0);
  ASSERT_EQ(sigaction(SIGCHLD, &before, nullptr), 0);
}

TEST_F(HelperTest, HoldsNoneOfOurFiles) {
  const int leaked = open("/dev/zero", O_RDONLY);  // would survive exec
  ASSERT_GE(leaked, 3);
  Helper helper;
  // 0 and 2 are /dev/null, 1 the FIFO; ls itself opens one for the directory.
  const std::string files = Run("readlink /proc/$$/fd/0 /proc/$$/fd/2; ls /proc/$$/fd", &helper);
  EXPECT_EQ(files.substr(0, 20), "/dev/null\n/dev/null\n");
  EXPECT_EQ(files.find("\n" + std::to_string(leaked) + "\n"), std::string::npos) << files;
  close(leaked);
}

TEST_F(HelperTest, HasASessionOfItsOwnAndIgnoresTheTerminal) {
  Helper helper;
  // Session id (field 6) and the ignored signals of the shell. The shell blocks its own signals
  // while it waits, so the mask is read from a program that it starts.
  const std::string text =
      Run("cut -d' ' -f6 /proc/$$/stat; grep SigIgn /proc/$$/status; grep SigBlk /proc/self/status",
          &helper);
  std::istringstream lines(text);
  uint32_t session = 0;
  std::string word, ignored, blocked;
  lines >> session >> word >> ignored >> word >> blocked;
  EXPECT_EQ(session, helper.pid);
  const uint64_t mask = std::stoull(ignored, nullptr, 16);
  EXPECT_NE(mask & 1u << (SIGINT - 1), 0u);
  EXPECT_NE(mask & 1u << (SIGHUP - 1), 0u);
  EXPECT_EQ(mask & 1u << (SIGTERM - 1), 0u);
  EXPECT_EQ(std::stoull(blocked, nullptr, 16), 0u);
}

TEST_F(HelperTest, KeepsTheCallersSignalMaskAndErrno) {
  sigset_t before, after;
  ASSERT_EQ(pthread_sigmask(SIG_SETMASK, nullptr, &before), 0);
  errno = EXDEV;
  Helper helper;
  EXPECT_EQ(Run("echo x", &helper), "x\n");
  ASSERT_EQ(pthread_sigmask(SIG_SETMASK, nullptr, &after), 0);
  for (int number = 1; number < 32; ++number) {
    EXPECT_EQ(sigismember(&before, number), sigismember(&after, number));
  }
}

TEST_F(HelperTest, ReportsWhyAProgramCannotBeStarted) {
  const char* const arguments[] = {"x", nullptr};
  char* const environment[] = {nullptr};
  Helper helper;
  const Status started = StartHelper("/nonexistent/rtl", arguments, environment, &helper);
  EXPECT_STREQ(started.message(), "cannot start /nonexistent/rtl: No such file or directory");
  EXPECT_EQ(helper.pid, 0u);
  EXPECT_FALSE(spool::Alive(helper));
}

TEST_F(HelperTest, KnowsWhetherTheHelperLives) {
  // The helper waits until the test opens its standard input.
  const std::string gate = directory_ + "/gate";
  ASSERT_EQ(mkfifo(gate.c_str(), 0600), 0);
  const std::string command = "read line < " + gate;
  const char* const arguments[] = {"sh", "-c", command.c_str(), nullptr};
  char* const environment[] = {nullptr};
  Helper helper;
  ASSERT_TRUE(StartHelper("/bin/sh", arguments, environment, &helper).ok());
  EXPECT_TRUE(spool::Alive(helper));
  const int process = static_cast<int>(syscall(SYS_pidfd_open, helper.pid, 0));
  ASSERT_GE(process, 0);
  std::ofstream(gate) << "go\n";
  pollfd ended{process, POLLIN, 0};
  ASSERT_EQ(poll(&ended, 1, 10'000), 1) << "the helper did not end";
  EXPECT_FALSE(spool::Alive(helper));
  close(process);
  EXPECT_EQ(unlink(gate.c_str()), 0);
}

}  // namespace
}  // namespace rtl
