// SPDX-License-Identifier: MIT
#include "store/output_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/support/temp_dir.h"

namespace rtl::store {
namespace {

TEST(OutputFileTest, RemovesTheLeftoversOfAKilledWriter) {
  const test::TempDir folder;
  const std::string output = folder.File("trace.db");
  const std::string leftover = output + ".tmp-4711-0";
  for (const char* suffix : {"", "-journal"}) std::ofstream(leftover + suffix) << "half of a trace";
  std::ofstream(output + ".tmp-notes") << "somebody's";
  std::ofstream(folder.File("other.db.tmp-4711-0")) << "of another trace";
  OutputFile file;
  ASSERT_TRUE(file.Make(output).ok());
  EXPECT_FALSE(std::filesystem::exists(leftover));
  EXPECT_FALSE(std::filesystem::exists(leftover + "-journal"));
  EXPECT_TRUE(std::filesystem::exists(output + ".tmp-notes"));
  EXPECT_TRUE(std::filesystem::exists(folder.File("other.db.tmp-4711-0")));
}

TEST(OutputFileTest, LeavesTheFileOfALivingWriter) {
  const test::TempDir folder;
  const std::string output = folder.File("trace.db");
  OutputFile first;
  ASSERT_TRUE(first.Make(output).ok());
  OutputFile second;
  ASSERT_TRUE(second.Make(output).ok());
  EXPECT_TRUE(std::filesystem::exists(first.temporary()));
  EXPECT_NE(first.temporary(), second.temporary());
  first.Drop();
  EXPECT_TRUE(std::filesystem::exists(second.temporary()));
}

}  // namespace
}  // namespace rtl::store
