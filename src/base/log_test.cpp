// SPDX-License-Identifier: MIT
#include "base/log.h"

#include <errno.h>
#include <gtest/gtest.h>

#include <string>

namespace rtl {
namespace {

std::string Captured(void (*say)()) {
  testing::internal::CaptureStderr();
  say();
  return testing::internal::GetCapturedStderr();
}

TEST(Log, WritesOneLineWithThePrefix) {
  EXPECT_EQ(Captured([] { Warn("%d kernels in %s", 3, "x.db"); }), "rtl: 3 kernels in x.db\n");
}

TEST(Log, CutsALongLineAndStillEndsIt) {
  const std::string line = Captured([] {
    const std::string text(5000, 'x');
    Warn("%s", text.c_str());
  });
  EXPECT_LE(line.size(), 1024u);
  EXPECT_GT(line.size(), 1000u);
  EXPECT_EQ(line.find('\n'), line.size() - 1);
  EXPECT_EQ(line.substr(0, 6), "rtl: x");
}

TEST(Log, LeavesErrnoAlone) {
  errno = EAGAIN;
  EXPECT_EQ(Captured([] { Warn("x"); }), "rtl: x\n");
  EXPECT_EQ(errno, EAGAIN);
}

TEST(Log, ReportsABrokenInvariantOnce) {
  EXPECT_EQ(Captured([] {
              BrokenInvariant("first %d", 1);
              BrokenInvariant("second");
            }),
            "rtl: first 1\n");
}

TEST(LogDeathTest, StrictModeAbortsOnABrokenInvariant) {
  EXPECT_DEATH(
      {
        SetStrict(true);
        BrokenInvariant("rule %d", 7);
      },
      "rtl: rule 7");
}

}  // namespace
}  // namespace rtl
