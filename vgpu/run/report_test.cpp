// SPDX-License-Identifier: MIT
#include "vgpu/run/report.h"

#include <gtest/gtest.h>

namespace vgpu {
namespace {

TEST(Report, IsOneLineOfJson) {
  ProcessCounts counts;
  counts.pid = 12;
  counts.command = "app --x";
  counts.numbers = {{"queues", 1}, {"fds_opened", 14}};
  EXPECT_EQ(FormatReport(counts),
            "{\"pid\":12,\"command\":\"app --x\",\"queues\":1,\"fds_opened\":14}\n");
}

TEST(Report, EscapesTheCommand) {
  ProcessCounts counts;
  counts.command = "say \"a\\b\"\n";
  const std::string line = FormatReport(counts);
  EXPECT_NE(line.find("\"command\":\"say \\\"a\\\\b\\\"\\u000a\""), std::string::npos) << line;
}

}  // namespace
}  // namespace vgpu
