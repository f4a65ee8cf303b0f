// SPDX-License-Identifier: MIT
#include "export/output_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <fstream>
#include <sstream>

#include "tests/support/temp_dir.h"

namespace {

int g_umask_calls = 0;

}  // namespace

// Replaces the C library's function and adds only the count.
extern "C" mode_t umask(mode_t mask) noexcept {
  ++g_umask_calls;
  return static_cast<mode_t>(syscall(SYS_umask, mask));
}

namespace rtl::exporting {
namespace {

std::string Slurp(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// Compressible, but longer than every buffer on the way.
std::string LongText() {
  std::string text;
  for (int i = 0; text.size() < 3'000'000; ++i) text += "line " + std::to_string(i * 7919) + "\n";
  return text;
}

void WriteFile(const std::string& path, const std::string& text) {
  std::unique_ptr<OutputFile> file;
  const Status opened = OutputFile::Open(path, &file);
  ASSERT_TRUE(opened.ok()) << opened.message();
  for (size_t at = 0; at < text.size(); at += 1000) file->Append(text.substr(at, 1000));
  const Status committed = file->Commit();
  ASSERT_TRUE(committed.ok()) << committed.message();
}

std::string OpenError(const std::string& path) {
  std::unique_ptr<OutputFile> file;
  return OutputFile::Open(path, &file).message();
}

TEST(OutputFile, AppearsOnlyWhenCommitted) {
  test::TempDir directory;
  const std::string path = directory.File("out.txt");
  std::unique_ptr<OutputFile> file;
  ASSERT_TRUE(OutputFile::Open(path, &file).ok());
  file->Append("hello");
  EXPECT_NE(access(path.c_str(), F_OK), 0);
  ASSERT_TRUE(file->Commit().ok());
  EXPECT_EQ(Slurp(path), "hello");
  EXPECT_EQ(directory.Count(), 1u);
}

TEST(OutputFile, TakesPermissionsFromTheUmaskAndNeverChangesIt) {
  test::TempDir directory;
  const mode_t before = umask(027);
  const int calls = g_umask_calls;
  WriteFile(directory.File("out.txt"), "for the group");
  EXPECT_EQ(g_umask_calls, calls) << "it belongs to every thread of the process";
  (void)umask(before);
  struct stat info;
  ASSERT_EQ(stat(directory.File("out.txt").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0640u);
}

TEST(OutputFile, LeavesNoFileWhenItIsDropped) {
  test::TempDir directory;
  {
    std::unique_ptr<OutputFile> file;
    ASSERT_TRUE(OutputFile::Open(directory.File("out.txt"), &file).ok());
    file->Append(LongText());
  }
  EXPECT_EQ(directory.Count(), 0u);
}

TEST(OutputFile, KeepsTheOldFileUntilTheNewOneIsComplete) {
  test::TempDir directory;
  const std::string path = directory.File("out.txt");
  WriteFile(path, "old");
  {
    std::unique_ptr<OutputFile> file;
    ASSERT_TRUE(OutputFile::Open(path, &file).ok());
    file->Append("new");
  }
  EXPECT_EQ(Slurp(path), "old");
  WriteFile(path, "new");
  EXPECT_EQ(Slurp(path), "new");
}

TEST(OutputFile, HasThePermissionsThatOpenWouldGive) {
  test::TempDir directory;
  const mode_t mask = umask(027);
  WriteFile(directory.File("out.txt"), "x");
  (void)umask(mask);
  struct stat info;
  ASSERT_EQ(stat(directory.File("out.txt").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0640u);
}

TEST(OutputFile, CompressesByName) {
  test::TempDir directory;
  const std::string text = LongText();
  WriteFile(directory.File("a.gz"), text);
  const gzFile gz = gzopen(directory.File("a.gz").c_str(), "rb");
  std::string unpacked(text.size() + 1, '\0');
  const int got = gzread(gz, unpacked.data(), static_cast<unsigned>(unpacked.size()));
  EXPECT_EQ(gzclose(gz), Z_OK);
  ASSERT_EQ(got, static_cast<int>(text.size()));
  unpacked.resize(text.size());
  EXPECT_TRUE(unpacked == text);

  WriteFile(directory.File("a.zst"), text);
  const std::string packed = Slurp(directory.File("a.zst"));
  EXPECT_LT(packed.size(), text.size() / 2);
  std::string again;
  ZSTD_DStream* stream = ZSTD_createDStream();
  ZSTD_inBuffer in = {packed.data(), packed.size(), 0};
  std::string chunk(1 << 16, '\0');
  size_t left = 1;
  while (left != 0 && !ZSTD_isError(left)) {
    ZSTD_outBuffer out = {chunk.data(), chunk.size(), 0};
    left = ZSTD_decompressStream(stream, &out, &in);
    again.append(chunk, 0, out.pos);
  }
  ZSTD_freeDStream(stream);
  EXPECT_EQ(left, 0u);
  EXPECT_TRUE(again == text);
}

TEST(OutputFile, WritesDirectlyToOtherThanRegularFiles) {
  std::unique_ptr<OutputFile> file;
  ASSERT_TRUE(OutputFile::Open("/dev/null", &file).ok());
  file->Append("gone");
  EXPECT_TRUE(file->Commit().ok());
}

TEST(OutputFile, NamesTheFileAndTheCauseWhenItCannotBeMade) {
  test::TempDir directory;
  WriteFile(directory.File("file"), "x");
  EXPECT_EQ(OpenError(directory.path()), directory.path() + ": cannot be written: a directory");
  EXPECT_EQ(OpenError(directory.File("no/such/out")),
            directory.File("no/such/out") + ": cannot be written: No such file or directory");
  EXPECT_EQ(OpenError(directory.File("file/out")),
            directory.File("file/out") + ": cannot be written: Not a directory");
  EXPECT_EQ(OpenError(directory.File("new/")),
            directory.File("new/") + ": cannot be written: no file name");
}

TEST(OutputFile, ReportsAFullDiskOnce) {
  std::unique_ptr<OutputFile> file;
  ASSERT_TRUE(OutputFile::Open("/dev/full", &file).ok());
  for (int i = 0; i < 10 && file->status().ok(); ++i) file->Append(LongText());
  EXPECT_STREQ(file->status().message(), "/dev/full: writing failed: No space left on device");
  file->Append("more");
  EXPECT_STREQ(file->Commit().message(), "/dev/full: writing failed: No space left on device");
}

}  // namespace
}  // namespace rtl::exporting
