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
      std::vector<std::string> removed;
      if (!work.Make(folder_, &removed).ok() || !removed.empty()) _exit(1);
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
  std::vector<std::string> MakeAnother() const {
    WorkFolder work;
    std::vector<std::string> removed;
    EXPECT_TRUE(work.Make(folder_, &removed).ok());
    return removed;
  }

  std::string folder_;
};

TEST_F(WorkFolderTest, TheNextRunRemovesTheLeftoversOfAKilledRun) {
  LeaveOne("");
  const std::string name = Left()[0].filename();
  EXPECT_EQ(MakeAnother(), std::vector<std::string>{name});
  EXPECT_TRUE(Left().empty());
}

TEST_F(WorkFolderTest, StaysWhileATracedProcessRuns) {
  LeaveOne(std::to_string(getpid()) + "-0");
  const fs::path left = Left()[0];
  EXPECT_TRUE(MakeAnother().empty());
  ASSERT_TRUE(fs::exists(left));
  fs::rename(left / "spool" / (std::to_string(getpid()) + "-0.ctl"), left / "spool" / "1-1.ctl");
  EXPECT_EQ(MakeAnother().size(), 1U);  // another process has the number now
  EXPECT_TRUE(Left().empty());
}

TEST_F(WorkFolderTest, OfAnotherMachineOrWithoutAnOwnerStays) {
  LeaveOne("");
  const fs::path owner = Left()[0] / "owner";
  std::string place, numbers;
  std::ifstream file(owner);
  std::getline(file, place);
  std::getline(file, numbers);
  for (const std::string& text :
       {"x" + place + "\n" + numbers + "\n", place + "\n", std::string()}) {
    std::ofstream(owner) << text;
    EXPECT_TRUE(MakeAnother().empty()) << text;
    EXPECT_EQ(Left().size(), 1U);
  }
}

TEST_F(WorkFolderTest, StaysWhileItIsInUse) {
  WorkFolder work;
  std::vector<std::string> removed;
  ASSERT_TRUE(work.Make(folder_, &removed).ok());
  EXPECT_TRUE(MakeAnother().empty());
  EXPECT_TRUE(fs::exists(work.File("spool")));
}

}  // namespace
}  // namespace rtl::v3
