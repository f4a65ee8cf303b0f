// SPDX-License-Identifier: MIT
// The segment that is ready before the current one is full: it is written under another name, and
// gets its number when it is.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "spool/spool_test_support.h"

namespace rtl::spool {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kToFillTheFirst =
    (kChunkBytes - sizeof(ChunkHeader)) / kLongDispatchBytes * ChunksIn(1);

class WriterSpareTest : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(OpenWriter(writer_, dir_).ok()); }
  void FillTheFirst() {
    for (uint64_t i = 1; i <= kToFillTheFirst; ++i) ASSERT_TRUE(WriteLongDispatch(writer_, 1, i));
  }
  uint32_t Segments() const { return writer_.control()->segments_created.load(); }
  std::vector<fs::path> Files(std::string_view extension) const {
    std::vector<fs::path> found;
    for (const auto& file : fs::directory_iterator(dir_.path())) {
      if (file.path().extension() == extension) found.push_back(file.path());
    }
    return found;
  }
  fs::path SparePath() const { return Files(".ctl").at(0).replace_extension(".spare"); }

  test::TempDir dir_;
  Writer writer_;
};

TEST_F(WriterSpareTest, IsReadyNearTheEndOfTheSegment) {
  writer_.Maintain();
  EXPECT_EQ(Segments(), 1u) << "far from the end of the first";
  FillTheFirst();
  writer_.Maintain();
  EXPECT_EQ(Segments(), 2u);
  EXPECT_EQ(Files(".seg").size(), 2u);
  EXPECT_TRUE(Files(".spare").empty());
  ASSERT_TRUE(WriteLongDispatch(writer_, 1, 1));
  EXPECT_EQ(Segments(), 2u) << "the spare was used";
}

TEST_F(WriterSpareTest, TakesThePlaceOfAFileThatAFailureHasLeft) {
  Collected collected(dir_);
  FillTheFirst();
  std::ofstream(SparePath()) << std::string(2 * kSegmentBytes, 'x');
  writer_.Maintain();
  EXPECT_TRUE(Files(".spare").empty());
  ASSERT_TRUE(WriteLongDispatch(writer_, 1, kToFillTheFirst + 1));
  collected.Poll();
  EXPECT_EQ(collected.dispatches().at(1), UpTo(kToFillTheFirst + 1));
}

TEST_F(WriterSpareTest, IsMissedByNoThreadWhereItCannotBeMade) {
  FillTheFirst();
  fs::create_symlink("elsewhere", SparePath());
  writer_.Maintain();
  EXPECT_EQ(Segments(), 1u);
  EXPECT_FALSE(fs::exists(dir_.File("elsewhere")));
  const uint64_t deadline = BootTimeNs() + 10'000'000'000;
  while (!WriteLongDispatch(writer_, 1, 1)) ASSERT_LT(BootTimeNs(), deadline);
  EXPECT_EQ(Segments(), 2u) << "the thread's own";
}

TEST_F(WriterSpareTest, LeavesNoFileWithoutRoom) {
  test::TempDir dir;
  Writer writer;
  ASSERT_TRUE(OpenWriter(writer, dir, 2).ok());
  uint64_t written = 0;
  while (WriteLongDispatch(writer, 1, written + 1)) ++written;
  writer.Maintain();
  for (const auto& file : fs::directory_iterator(dir.path()))
    EXPECT_NE(file.path().extension(), ".spare");
}

}  // namespace
}  // namespace rtl::spool
