// SPDX-License-Identifier: MIT
// Links exist under the names that the writer is going to use.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "spool/process_stat.h"
#include "spool/writer.h"
#include "tests/support/temp_dir.h"

namespace rtl::spool {
namespace {

class WriterLinks : public testing::Test {
 protected:
  WriterLinks() {
    std::ofstream(victim_) << kText;
    ProcessInfo info;
    DescribeThisProcess(&info);
    stem_ = std::to_string(info.pid) + "-" + std::to_string(info.start_ticks);
  }
  Status Open() {
    WriterOptions options;
    options.directory = dir_.path().c_str();
    return writer_.Open(options);
  }
  void ExpectTheVictimUntouched() const {
    std::ifstream file(victim_);
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), kText);
  }

  static constexpr char kText[] = "somebody's letter";
  test::TempDir dir_;
  test::TempDir elsewhere_;
  const std::string victim_ = elsewhere_.File("letter");
  std::string stem_;
  Writer writer_;
};

TEST_F(WriterLinks, AreNotFollowedByTheControlPage) {
  const std::string link = dir_.File(stem_ + ".ctl");
  ASSERT_EQ(symlink(victim_.c_str(), link.c_str()), 0);
  ASSERT_TRUE(Open().ok());
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  EXPECT_TRUE(std::filesystem::is_regular_file(dir_.File(stem_ + "-1.ctl"))) << "the next name";
  ExpectTheVictimUntouched();
}

TEST_F(WriterLinks, AreNotFollowedBySegments) {
  ASSERT_EQ(symlink(victim_.c_str(), dir_.File(stem_ + ".000001.seg").c_str()), 0);
  EXPECT_FALSE(Open().ok());
  ExpectTheVictimUntouched();
}

TEST_F(WriterLinks, OfTheHardKindAreNotWrittenThrough) {
  ASSERT_EQ(link(victim_.c_str(), dir_.File(stem_ + ".000001.seg").c_str()), 0);
  EXPECT_FALSE(Open().ok());
  ExpectTheVictimUntouched();
}

TEST_F(WriterLinks, ThatDangleMakeNoFileElsewhere) {
  const std::string nowhere = elsewhere_.File("new");
  ASSERT_EQ(symlink(nowhere.c_str(), dir_.File(stem_ + ".ctl").c_str()), 0);
  ASSERT_EQ(symlink(nowhere.c_str(), dir_.File(stem_ + "-1.000001.seg").c_str()), 0);
  EXPECT_FALSE(Open().ok());
  EXPECT_FALSE(std::filesystem::exists(nowhere));
}

}  // namespace
}  // namespace rtl::spool
