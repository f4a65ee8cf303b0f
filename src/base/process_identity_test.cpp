// SPDX-License-Identifier: MIT
#include "base/process_identity.h"

#include <gtest/gtest.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <sstream>
#include <string>

namespace rtl {
namespace {

TEST(ProcessIdentity, NamesThisProcess) {
  const ProcessIdentity self = ReadProcessIdentity();
  EXPECT_EQ(self.pid, static_cast<uint32_t>(getpid()));
  EXPECT_EQ(self.parent_pid, static_cast<uint32_t>(getppid()));
  char executable[PATH_MAX];
  ASSERT_NE(realpath("/proc/self/exe", executable), nullptr);
  EXPECT_EQ(std::string(self.executable), std::string(executable).substr(0, 255));
  std::string boot_id;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> boot_id;
  EXPECT_EQ(self.boot_id, boot_id);
}

TEST(ProcessIdentity, JoinsTheArgumentsByBlanks) {
  std::stringstream raw;
  raw << std::ifstream("/proc/self/cmdline").rdbuf();
  std::string expected = raw.str();
  ASSERT_FALSE(expected.empty());
  expected.pop_back();
  for (char& c : expected) {
    if (c == '\0') c = ' ';
  }
  EXPECT_EQ(std::string(ReadProcessIdentity().command), expected.substr(0, 1023));
}

// The start time lies in the future of the machine's boot and not in the future of now.
TEST(ProcessIdentity, StartTimeIsInClockTicksSinceBoot) {
  double uptime = 0;
  std::ifstream("/proc/uptime") >> uptime;
  const auto ticks = static_cast<uint64_t>(uptime * static_cast<double>(sysconf(_SC_CLK_TCK)));
  const ProcessIdentity self = ReadProcessIdentity();
  EXPECT_GT(self.start_ticks, 0u);
  EXPECT_LE(self.start_ticks, ticks + 1);
}

TEST(ProcessIdentity, StartTimeSurvivesBracketsInTheProgramName) {
  const uint64_t expected = ReadProcessIdentity().start_ticks;
  ASSERT_EQ(prctl(PR_SET_NAME, "a) R (b 1 2"), 0);
  EXPECT_EQ(ReadProcessIdentity().start_ticks, expected);
  ASSERT_EQ(prctl(PR_SET_NAME, "test"), 0);
}

TEST(ProcessIdentity, SaysNoForAProcessThatIsGone) {
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) _exit(0);
  ASSERT_EQ(waitpid(child, nullptr, 0), child);
  uint64_t ticks = 0;
  EXPECT_FALSE(ReadStartTicks(static_cast<uint32_t>(child), &ticks));
}

}  // namespace
}  // namespace rtl
