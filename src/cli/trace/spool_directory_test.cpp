// SPDX-License-Identifier: MIT
#include "cli/trace/spool_directory.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/support/temp_dir.h"
#include "tests/support/trace_builder.h"

namespace rtl::cli {
namespace {

class SpoolDirectoryTest : public testing::Test {
 protected:
  test::TempDir dir_;
  const std::string output_ = dir_.File("t.db");
};

TEST_F(SpoolDirectoryTest, IsPrivateAndGoesWithItsObject) {
  {
    SpoolDirectory spool;
    ASSERT_TRUE(spool.Make(output_).ok());
    EXPECT_TRUE(spool.path().starts_with(output_ + ".spool-")) << spool.path();
    struct stat info;
    ASSERT_EQ(stat(spool.path().c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0777, 0700u);
  }
  EXPECT_EQ(dir_.Count(), 0u);
}

TEST_F(SpoolDirectoryTest, StaysWithRecordsThatAreInNoDatabase) {
  for (const bool is_collected : {true, false}) {
    SpoolDirectory spool;
    ASSERT_TRUE(spool.Make(output_).ok());
    ASSERT_TRUE(test::TraceBuilder::ThreeKernelsOnTwoQueues().WriteSpool(spool.path()).ok());
    EXPECT_TRUE(spool.HoldsRecords());
    if (is_collected) spool.SetCollected();
  }
  EXPECT_EQ(dir_.Count(), 1u);
}

TEST_F(SpoolDirectoryTest, RefusesAnOutputThatIsADirectoryOrInNone) {
  SpoolDirectory spool;
  const Status directory = spool.Make(dir_.path());
  EXPECT_TRUE(std::string_view(directory.message()).ends_with("a directory"));
  EXPECT_FALSE(spool.Make(dir_.File("none/t.db")).ok());
  EXPECT_EQ(spool.path(), "");
}

}  // namespace
}  // namespace rtl::cli
