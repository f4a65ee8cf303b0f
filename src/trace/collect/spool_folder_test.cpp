// SPDX-License-Identifier: MIT
#include "trace/collect/spool_folder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <vector>

#include "tests/support/temp_dir.h"

namespace rtl::store {
namespace {

namespace fs = std::filesystem;

class SpoolFolderTest : public ::testing::Test {
 protected:
  void SetUp() override { fs::create_directory(name_); }
  void Remove() {
    folder_.Remove([](const std::string&) { return false; },
                   [this](const std::string& sentence) { warnings_.push_back(sentence); });
  }

  test::TempDir temp_;
  const std::string name_ = temp_.path() + "/spool";
  SpoolFolder folder_;
  std::vector<std::string> warnings_;
};

TEST_F(SpoolFolderTest, RefusesWhatIsNoFolder) {
  EXPECT_FALSE(folder_.Open(temp_.path() + "/none").ok());
  std::ofstream(temp_.path() + "/file") << "x";
  const Status opened = folder_.Open(temp_.path() + "/file");
  EXPECT_NE(std::string(opened.message()).find("is not a directory"), std::string::npos);
}

TEST_F(SpoolFolderTest, BelongsToOneCollectorUntilItIsReleased) {
  ASSERT_TRUE(folder_.Open(name_).ok());
  SpoolFolder other;
  EXPECT_FALSE(other.Open(name_).ok());
  folder_.Release();
  EXPECT_TRUE(other.Open(name_).ok());
}

TEST_F(SpoolFolderTest, IsReadAndRemovedAfterAFolderAboveItWasRenamed) {
  ASSERT_TRUE(folder_.Open(name_).ok());
  EXPECT_TRUE(folder_.HasItsName());
  fs::rename(name_, temp_.path() + "/moved");
  std::ofstream(temp_.path() + "/moved/here") << "x";
  EXPECT_FALSE(folder_.HasItsName());
  EXPECT_TRUE(fs::exists(folder_.path() + "/here"));
  fs::remove(temp_.path() + "/moved/here");
  Remove();
  EXPECT_TRUE(warnings_.empty());
  EXPECT_FALSE(fs::exists(temp_.path() + "/moved"));
}

TEST_F(SpoolFolderTest, SaysThatAFolderWithAForeignFileStays) {
  ASSERT_TRUE(folder_.Open(name_).ok());
  std::ofstream(name_ + "/foreign") << "x";
  Remove();
  ASSERT_EQ(warnings_.size(), 1u);
  EXPECT_EQ(warnings_[0], "the spool directory " + name_ + " could not be removed");
}

TEST_F(SpoolFolderTest, NamesTheFolderInSentencesThatHaveItsPath) {
  ASSERT_TRUE(folder_.Open(name_).ok());
  EXPECT_EQ(folder_.Readable("cannot read " + folder_.path() + "/7.control"),
            "cannot read " + name_ + "/7.control");
  EXPECT_EQ(folder_.Readable("no room"), "no room");
}

}  // namespace
}  // namespace rtl::store
