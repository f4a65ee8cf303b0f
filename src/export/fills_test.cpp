// SPDX-License-Identifier: MIT
#include "export/fills.h"

#include <gtest/gtest.h>

namespace rtl::exporting {
namespace {

TEST(FilledBytes, FollowFromTheArgumentsOfTheCall) {
  EXPECT_EQ(FilledBytes("hipMemset", "dst=0x10, value=7, sizeBytes=4096"), 4096u);
  EXPECT_EQ(FilledBytes("hipMemsetAsync", "dst=0x10, value=7, sizeBytes=4096, stream=0x0"), 4096u);
  EXPECT_EQ(FilledBytes("hipMemsetD8", "dest=0x10, value=7, count=10"), 10u);
  EXPECT_EQ(FilledBytes("hipMemsetD16Async", "dest=0x10, value=7, count=10, stream=0x0"), 20u);
  EXPECT_EQ(FilledBytes("hipMemsetD32", "dest=0x10, value=7, count=10"), 40u);
  EXPECT_EQ(FilledBytes("hipMemset2D", "dst=0x10, pitch=64, value=0, width=10, height=3"), 30u);
  EXPECT_EQ(FilledBytes("hipMemset3D", "pitchedDevPtr=0x10"), 0u);
  EXPECT_EQ(FilledBytes("hipMemset", "accountsizeBytes=3"), 0u);
  EXPECT_EQ(FilledBytes("hipMemset", "sizeBytes="), 0u);
  EXPECT_FALSE(IsFill("hipMemcpy"));
}

}  // namespace
}  // namespace rtl::exporting
