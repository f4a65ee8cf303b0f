// SPDX-License-Identifier: MIT
#include "trace/collect/spare_processor.h"

#include <gtest/gtest.h>

namespace rtl::store {
namespace {

TEST(SpareProcessor, CountsEveryRunningThreadExceptTheCaller) {
  EXPECT_TRUE(ProcessorToSpare("0.00 0.01 0.05 1/345 678\n", 1));
  EXPECT_FALSE(ProcessorToSpare("0.00 0.01 0.05 2/345 678\n", 1));
  EXPECT_TRUE(ProcessorToSpare("9.00 9.01 9.05 2/345 678\n", 2));
  EXPECT_FALSE(ProcessorToSpare("9.00 9.01 9.05 3/345 678\n", 2));
  EXPECT_FALSE(ProcessorToSpare("9.00 9.01 9.05 40/345 678\n", 8));
}

TEST(SpareProcessor, AssumesASpareProcessorWithoutAnAnswer) {
  EXPECT_TRUE(ProcessorToSpare("", 1));
  EXPECT_TRUE(ProcessorToSpare("no figures here", 1));
  EXPECT_TRUE(ProcessorToSpare("0.00 0.01 0.05 x/345 678", 1));
}

}  // namespace
}  // namespace rtl::store
