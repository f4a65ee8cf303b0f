// SPDX-License-Identifier: MIT
#include "cli/base/progress_bar.h"

#include <gtest/gtest.h>

namespace rtl::cli {
namespace {

TEST(RenderBar, FillsWithTheDoneShare) {
  EXPECT_EQ(RenderBar("x", 0, 100, 30), "x  [....................]  0 %");
  EXPECT_EQ(RenderBar("x", 50, 100, 30), "x  [#########..........]  50 %");
  EXPECT_EQ(RenderBar("x", 100, 100, 30), "x  [##################]  100 %");
  EXPECT_EQ(RenderBar("x", 120, 100, 30), "x  [##################]  100 %");
}

TEST(RenderBar, IsNeverWiderThanTheTerminal) {
  for (size_t width = 1; width < 80; ++width) {
    EXPECT_LE(RenderBar("trace.pftrace", 77, 100, width).size(), width);
  }
}

TEST(RenderBar, CountsWhenTheEndIsUnknown) { EXPECT_EQ(RenderBar("x", 12345, 0, 30), "x  12,345"); }

}  // namespace
}  // namespace rtl::cli
