// SPDX-License-Identifier: MIT
#include "parquet/writer.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "parquet/footer.h"
#include "tests/support/temp_dir.h"

namespace rtl::parquet {
namespace {

// tests/parquet compares the values with what other readers read; here is what they cannot see.
class ParquetWriterTest : public testing::Test {
 protected:
  std::unique_ptr<Writer> Open(std::vector<Column> columns) {
    std::unique_ptr<Writer> writer;
    const Status status = Writer::Create(path_, std::move(columns), &writer);
    EXPECT_TRUE(status.ok()) << status.message();
    return writer;
  }
  std::string Complaint() {
    Footer footer;
    return ReadFooter(path_, &footer).message();
  }
  void Cut(uintmax_t bytes) { std::filesystem::resize_file(path_, bytes); }

  test::TempDir dir_;
  const std::string path_ = dir_.File("rows.parquet");
};

TEST_F(ParquetWriterTest, SaysInTheFooterWhatIsInTheFile) {
  const auto writer = Open({{"start", Type::kInt64}, {"name", Type::kText}});
  const std::string_view texts[] = {"gemm", "copy"};
  const std::vector<int64_t> first = {7, -3, 9};
  const std::vector<int64_t> second = {20, 10, 15};
  const std::vector<int64_t> names = {0, 1, 0};
  const Values one[] = {{first, {}, {}}, {names, {}, texts}};
  const Values other[] = {{second, {}, {}}, {names, {}, texts}};
  ASSERT_TRUE(writer->WriteGroup(3, one).ok());
  ASSERT_TRUE(writer->WriteGroup(3, other).ok());
  writer->Describe("rank", "17");
  ASSERT_TRUE(writer->Commit().ok());
  Footer footer;
  ASSERT_TRUE(ReadFooter(path_, &footer).ok());
  EXPECT_EQ(footer.rows, 6);
  EXPECT_EQ(footer.columns, (std::vector<std::string>{"start", "name"}));
  EXPECT_EQ(footer.pairs["rank"], "17");
  ASSERT_EQ(footer.extremes.size(), 1U);
  EXPECT_EQ(footer.extremes["start"].least, -3);
  EXPECT_EQ(footer.extremes["start"].most, 20);
}

TEST_F(ParquetWriterTest, TheNameAppearsWithTheCompleteFile) {
  {
    const auto writer = Open({{"a"}});
    const std::vector<int64_t> values = {1};
    const Values group[] = {{values, {}, {}}};
    ASSERT_TRUE(writer->WriteGroup(1, group).ok());
    EXPECT_FALSE(std::filesystem::exists(path_));
    for (const auto& entry : std::filesystem::directory_iterator(dir_.path())) {
      EXPECT_EQ(entry.path().filename().string()[0], '.');
    }
    EXPECT_EQ(dir_.Count(), 1U);
  }
  EXPECT_EQ(dir_.Count(), 0U) << "a file that is not completed leaves nothing";
  const auto writer = Open({{"a"}});
  ASSERT_TRUE(writer->Commit().ok());
  EXPECT_EQ(Complaint(), "");
  EXPECT_EQ(dir_.Count(), 1U);
}

TEST_F(ParquetWriterTest, NamesTheFileThatItCannotCreate) {
  std::unique_ptr<Writer> writer;
  const Status status = Writer::Create(dir_.File("none/rows.parquet"), {{"a"}}, &writer);
  EXPECT_NE(std::string(status.message()).find("none/rows.parquet: No such file"),
            std::string::npos)
      << status.message();
}

TEST_F(ParquetWriterTest, RefusesATextWithoutAPlace) {
  const auto writer = Open({{"name", Type::kText}});
  const std::string_view texts[] = {"gemm"};
  const std::vector<int64_t> names = {1};
  const Values group[] = {{names, {}, texts}};
  EXPECT_FALSE(writer->WriteGroup(1, group).ok());
}

TEST_F(ParquetWriterTest, ManyRowsTakeFewBytes) {
  const auto writer = Open({{"start"}, {"queue"}, {"flags"}});
  std::vector<int64_t> start(kGroupRows);
  std::iota(start.begin(), start.end(), int64_t{1} << 60);
  std::vector<int64_t> queue(kGroupRows, 3);
  const std::vector<uint8_t> none(kGroupRows, 0);
  const Values group[] = {{start, {}, {}}, {queue, {}, {}}, {queue, none, {}}};
  ASSERT_TRUE(writer->WriteGroup(kGroupRows, group).ok());
  ASSERT_TRUE(writer->Commit().ok());
  EXPECT_LT(writer->bytes(), 3000);
}

TEST_F(ParquetWriterTest, ReaderTellsWhatIsWrongWithAFile) {
  EXPECT_EQ(Complaint(), "it cannot be opened: No such file or directory");
  std::ofstream(path_).close();
  EXPECT_EQ(Complaint(), "it is empty");
  std::ofstream(path_) << "something else entirely";
  EXPECT_EQ(Complaint(), "it is no Parquet file");
  const auto writer = Open({{"a"}});
  const std::vector<int64_t> values = {1, 2, 3};
  const Values group[] = {{values, {}, {}}};
  ASSERT_TRUE(writer->WriteGroup(3, group).ok());
  ASSERT_TRUE(writer->Commit().ok());
  ASSERT_EQ(Complaint(), "");
  std::ifstream in(path_, std::ios::binary);
  std::string bytes(std::istreambuf_iterator<char>(in), {});
  for (size_t size = bytes.size() - 1; size > 4; --size) {
    Cut(size);
    EXPECT_NE(Complaint(), "") << size;
  }
  // Any byte of the footer may be wrong: reading it ends with an answer.
  Footer footer;
  for (size_t at = 4; at < bytes.size(); ++at) {
    std::string wrong = bytes.substr(4);
    wrong[at - 4] = static_cast<char>(wrong[at - 4] ^ 0x55);
    (void)ParseFooter(wrong, &footer);
  }
  (void)std::filesystem::remove(path_);
  std::filesystem::create_directory(path_);
  EXPECT_EQ(Complaint(), "it is no regular file");
}

}  // namespace
}  // namespace rtl::parquet
