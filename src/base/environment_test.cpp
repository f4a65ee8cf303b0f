// SPDX-License-Identifier: MIT
#include "base/environment.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <set>
#include <string>

namespace rtl {
namespace {

TEST(Environment, ReadsAVariable) {
  ASSERT_EQ(setenv("RTL_TEST_VARIABLE", "value", 1), 0);
  EXPECT_STREQ(EnvironmentValue("RTL_TEST_VARIABLE"), "value");
  ASSERT_EQ(unsetenv("RTL_TEST_VARIABLE"), 0);
  EXPECT_EQ(EnvironmentValue("RTL_TEST_VARIABLE"), nullptr);
}

TEST(Environment, SetsAVariableAndSetsItAgain) {
  ASSERT_TRUE(SetEnvironmentValue("RTL_TEST_VARIABLE", "first"));
  ASSERT_TRUE(SetEnvironmentValue("RTL_TEST_VARIABLE", "second"));
  EXPECT_STREQ(getenv("RTL_TEST_VARIABLE"), "second");
  ASSERT_EQ(unsetenv("RTL_TEST_VARIABLE"), 0);
}

TEST(Environment, CopyLeavesOutTheNamedVariablesAndOnlyThose) {
  ASSERT_EQ(setenv("RTL_TEST_SECRET", "1", 1), 0);
  ASSERT_EQ(setenv("RTL_TEST_SECRETARY", "2", 1), 0);
  const char* const left_out[] = {"RTL_TEST_SECRET", nullptr};
  const EnvironmentCopy copy(left_out);
  std::set<std::string> entries;
  for (char* const* entry = copy.entries(); *entry != nullptr; ++entry) entries.insert(*entry);
  EXPECT_EQ(entries.count("RTL_TEST_SECRET=1"), 0u);
  EXPECT_EQ(entries.count("RTL_TEST_SECRETARY=2"), 1u);
  EXPECT_EQ(entries.count(std::string("PATH=") + getenv("PATH")), 1u);
}

}  // namespace
}  // namespace rtl
