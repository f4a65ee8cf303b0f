// SPDX-License-Identifier: MIT
#include "trace/write/output_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>

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

std::string ContentOf(const std::string& path) {
  std::ifstream file(path);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

// In a child that is no superuser: true when `test` holds there.
bool AsAnotherUser(const std::function<bool()>& test) {
  const pid_t child = fork();
  if (child == 0) {
    constexpr uid_t kNobody = 65534;
    const bool ready = geteuid() != 0 || (setgid(kNobody) == 0 && setuid(kNobody) == 0);
    _exit(ready && test() ? 0 : 1);
  }
  int status = 0;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST(OutputFileTest, RefusesAFileThatOnlyItsOwnerMayReplace) {
  if (geteuid() != 0) GTEST_SKIP() << "needs files of two users";
  const test::TempDir folder;
  ASSERT_EQ(chmod(folder.path().c_str(), 01777), 0);
  const std::string output = folder.File("trace.db");
  std::ofstream(output) << "root's";
  EXPECT_TRUE(AsAnotherUser([&] {
    OutputFile file;
    const Status made = file.Make(output);
    return !made.ok() && std::string(made.message()).find("sticky bit") != std::string::npos;
  }));
  EXPECT_EQ(folder.Count(), 1u);
}

TEST(OutputFileTest, StaysWhereItIsWhenItsFolderHasBecomeUnwritable) {
  const test::TempDir parent;
  const std::string folder = parent.File("out");
  ASSERT_EQ(mkdir(folder.c_str(), 0777), 0);
  ASSERT_EQ(chmod(parent.path().c_str(), 0755), 0);
  if (geteuid() == 0) {
    ASSERT_EQ(chown(folder.c_str(), 65534, 65534), 0);
  }
  const std::string output = folder + "/trace.db";
  EXPECT_TRUE(AsAnotherUser([&] {
    OutputFile file;
    if (!file.Make(output).ok()) return false;
    const std::string temporary = file.temporary();
    std::ofstream(temporary) << "complete";
    if (chmod(folder.c_str(), 0555) != 0) return false;
    std::string written, note;
    return file.Publish(&written, &note).ok() && written == temporary &&
           note == "cannot write " + output + ": Permission denied; this one is in " + written &&
           ContentOf(written) == "complete";
  }));
}

TEST(OutputFileTest, IsInTheFolderForTemporaryFilesWhenItsOwnWasRemoved) {
  const test::TempDir parent;
  const std::string folder = parent.File("out");
  ASSERT_EQ(mkdir(folder.c_str(), 0777), 0);
  OutputFile file;
  ASSERT_TRUE(file.Make(folder + "/trace.db").ok());
  std::ofstream(file.temporary()) << "complete";
  std::filesystem::remove_all(folder);
  std::string written, note;
  ASSERT_TRUE(file.Publish(&written, &note).ok());
  EXPECT_EQ(ContentOf(written), "complete") << written;
  EXPECT_NE(note.find("this one is in " + written), std::string::npos) << note;
  std::filesystem::remove(written);
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
