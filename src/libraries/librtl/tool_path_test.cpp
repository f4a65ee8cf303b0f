// SPDX-License-Identifier: MIT
#include "libraries/librtl/tool_path.h"

#include <gtest/gtest.h>
#include <limits.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/support/temp_dir.h"

namespace rtl {
namespace {

namespace fs = std::filesystem;

class ToolPathTest : public testing::Test {
 protected:
  std::string Program(const std::string& path) {
    const fs::path full = fs::path(directory_.path()) / path;
    fs::create_directories(full.parent_path());
    std::ofstream(full) << "#!/bin/sh\n";
    fs::permissions(full, fs::perms::owner_all);
    return fs::canonical(full);
  }
  std::string Find(const std::string& wish, const std::string& library, const std::string& path) {
    char out[PATH_MAX];
    const Status found = FindTool(wish.c_str(), library.c_str(), path.c_str(), out, sizeof out);
    return found.ok() ? out : found.message();
  }
  std::string In(const std::string& path) { return std::string(directory_.path()) + "/" + path; }

  test::TempDir directory_;
};

TEST_F(ToolPathTest, PrefersTheProgramThatTheUserNames) {
  const std::string wish = Program("mine/collector");
  Program("bin/rtl");
  const std::ofstream library(Program("lib/librtl.so"));
  EXPECT_EQ(Find(wish, In("lib/librtl.so"), ""), wish);
}

TEST_F(ToolPathTest, RejectsAWishThatIsNotAProgram) {
  EXPECT_EQ(Find("/nonexistent", "", ""), "RTL_TOOL=/nonexistent is not a program");
  EXPECT_EQ(Find("/", "", ""), "RTL_TOOL=/ is not a program");
}

TEST_F(ToolPathTest, FindsTheProgramBesideTheLibrary) {
  const std::string tool = Program("bin/rtl");
  Program("elsewhere/rtl");
  Program("lib/librtl.so");
  EXPECT_EQ(Find("", In("lib/librtl.so"), In("elsewhere")), tool);
}

TEST_F(ToolPathTest, FollowsALinkToTheLibrary) {
  const std::string tool = Program("bin/rtl");
  Program("lib/librtl.so");
  fs::create_directory(In("other"));
  fs::create_symlink(In("lib/librtl.so"), In("other/librtl.so"));
  EXPECT_EQ(Find("", In("other/librtl.so"), ""), tool);
}

TEST_F(ToolPathTest, SearchesPathLast) {
  const std::string tool = Program("second/rtl");
  fs::create_directories(In("first/rtl"));  // a directory with that name is not a program
  EXPECT_EQ(Find("", "", In("first") + "::" + In("second")), tool);
}

TEST_F(ToolPathTest, ReportsWhereItSearched) {
  EXPECT_EQ(Find("", In("lib/librtl.so"), In("nowhere")),
            "there is no program `rtl` in ../bin beside the library, nor in PATH");
}

}  // namespace
}  // namespace rtl
