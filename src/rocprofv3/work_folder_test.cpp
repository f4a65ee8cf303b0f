// SPDX-License-Identifier: MIT
#include "rocprofv3/work_folder.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "gtest/gtest.h"

namespace rtl::v3 {
namespace {

namespace fs = std::filesystem;

class WorkFolderTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "/work-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }

  // Another process makes a folder, traces `stem` in it, and is killed.
  void LeaveOne(const std::string& stem) const {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      WorkFolder work;
      std::vector<std::string> left;
      if (!work.Make(folder_, &left).ok() || !left.empty()) _exit(1);
      if (!stem.empty()) std::ofstream(work.File("spool") + "/" + stem + ".ctl").flush();
      (void)raise(SIGKILL);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status));
    ASSERT_EQ(Left().size(), 1U);
  }
  std::vector<fs::path> Left() const {
    std::vector<fs::path> left;
    for (const auto& entry : fs::directory_iterator(folder_)) left.push_back(entry.path());
    return left;
  }
  // The sentences of the next run.
  std::vector<std::string> MakeAnother() const {
    WorkFolder work;
    std::vector<std::string> left;
    EXPECT_TRUE(work.Make(folder_, &left).ok());
    return left;
  }

  std::string folder_;
};

TEST_F(WorkFolderTest, TheNextRunRemovesAFolderWithoutRecords) {
  LeaveOne("");
  EXPECT_TRUE(MakeAnother().empty());
  EXPECT_TRUE(Left().empty());
}

TEST_F(WorkFolderTest, EveryNextRunNamesTheRecordsOfAKilledRun) {
  LeaveOne("1-1");
  const std::string left = Left()[0];
  const std::vector<std::string> sentence = {
      "an earlier run was killed and left its records in " + left +
      "; this makes the database of them: rtl collect --spool " + left + "/spool --output FILE.db"};
  EXPECT_EQ(MakeAnother(), sentence);
  EXPECT_EQ(MakeAnother(), sentence);
  EXPECT_EQ(Left().size(), 1U);
}

TEST_F(WorkFolderTest, IsNotNamedWhileATracedProcessRuns) {
  LeaveOne(std::to_string(getpid()) + "-0");
  const fs::path left = Left()[0];
  EXPECT_TRUE(MakeAnother().empty());
  ASSERT_TRUE(fs::exists(left));
  fs::rename(left / "spool" / (std::to_string(getpid()) + "-0.ctl"), left / "spool" / "1-1.ctl");
  EXPECT_EQ(MakeAnother().size(), 1U);  // another process has the number now
}

TEST_F(WorkFolderTest, WithoutAnOwnerStays) {
  LeaveOne("");
  fs::remove(Left()[0] / "owner");
  EXPECT_TRUE(MakeAnother().empty());
  EXPECT_EQ(Left().size(), 1U);
}

TEST_F(WorkFolderTest, StaysWhileItIsInUse) {
  WorkFolder work;
  std::vector<std::string> left;
  ASSERT_TRUE(work.Make(folder_, &left).ok());
  EXPECT_TRUE(MakeAnother().empty());
  EXPECT_TRUE(fs::exists(work.File("spool")));
}

}  // namespace
}  // namespace rtl::v3
