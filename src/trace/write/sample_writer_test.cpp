// SPDX-License-Identifier: MIT
#include "trace/write/sample_writer.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "trace/schema/schema.h"

namespace rtl::store {
namespace {

class SampleWriterTest : public ::testing::Test {
 protected:
  void SetUp() override {
    path_ = ::testing::TempDir() + "samples_" + std::to_string(getpid());
    std::filesystem::remove(path_);
    ASSERT_TRUE(database_.Open(path_, path_).ok());
    ASSERT_TRUE(database_.BeginBuilding(1 << 20).ok());
    ASSERT_TRUE(CreateSchema(&database_).ok());
    writer_.Use(&database_);
    CodeObjectRecord object;
    object.code_object = 1;
    object.content = kContent;
    ASSERT_TRUE(writer_.AddCodeObject(kProcess, object, "memory://1#offset=0&size=4").ok());
  }
  void TearDown() override {
    database_.Close();
    std::filesystem::remove(path_);
  }

  void Sample(uint64_t packet, uint32_t code_object = 1) {
    PcSampleRecord sample;
    sample.packet = packet;
    sample.code_object = code_object;
    ASSERT_TRUE(writer_.AddSample(kProcess, kQueue, sample).ok());
  }
  void Kernel(uint64_t packet, uint64_t dispatch) {
    DispatchRecord record;
    record.packet = packet;
    record.dispatch = dispatch;
    record.correlation = dispatch + 100;
    ASSERT_TRUE(writer_.NoteKernel(kProcess, kQueue, 7, record).ok());
  }
  void Bytes(uint64_t content, uint64_t offset, std::string_view bytes) {
    CodeBytesRecord record;
    record.content = content;
    record.offset = offset;
    ASSERT_TRUE(writer_.AddCodeBytes(record, bytes).ok());
  }
  std::string Ask(const std::string& sql) {
    sqlite3_stmt* query = nullptr;
    EXPECT_EQ(sqlite3_prepare_v2(database_.handle(), sql.c_str(), -1, &query, nullptr), SQLITE_OK);
    std::string rows;
    while (sqlite3_step(query) == SQLITE_ROW) {
      for (int i = 0; i < sqlite3_column_count(query); ++i) {
        const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(query, i));
        rows += std::string(text == nullptr ? "-" : text) + " ";
      }
    }
    sqlite3_finalize(query);
    return rows;
  }

  static constexpr int64_t kProcess = 3, kQueue = 5;
  static constexpr uint64_t kContent = 42;
  std::string path_;
  Database database_;
  SampleWriter writer_;
};

TEST_F(SampleWriterTest, FindsTheKernelInEitherOrderOfReading) {
  Kernel(10, 1);
  Sample(10);
  Sample(11);
  Kernel(11, 2);
  Sample(12);
  EXPECT_EQ(Ask("SELECT packet, dispatch, kernel_id, correlation FROM rtl_pc_sample ORDER BY id"),
            "10 1 7 101 11 2 7 102 12 - - - ");
}

TEST_F(SampleWriterTest, TellsPacketsInAReusedSlotApart) {
  Kernel(1, 1);
  Kernel(1 + SampleWriter::kRecentPackets, 2);
  Sample(1);
  EXPECT_EQ(Ask("SELECT dispatch FROM rtl_pc_sample"), "- ");
}

TEST_F(SampleWriterTest, KeepsOnlyTheBytesOfSampledCode) {
  Bytes(kContent, 2, "cd");
  Bytes(kContent, 0, "ab");
  Bytes(kContent + 1, 0, "never sampled");
  Sample(1);
  ASSERT_TRUE(writer_.Finish().ok());
  EXPECT_EQ(Ask("SELECT content, bytes FROM rtl_code"), "42 abcd ");
}

TEST_F(SampleWriterTest, LeavesOutBytesWithAGap) {
  Bytes(kContent, 0, "ab");
  Bytes(kContent, 4, "ef");
  Sample(1);
  ASSERT_TRUE(writer_.Finish().ok());
  EXPECT_EQ(Ask("SELECT count(*) FROM rtl_code"), "0 ");
}

TEST_F(SampleWriterTest, HasNoTableForAProcessWithoutSamples) {
  DispatchRecord record;
  record.packet = 1;
  ASSERT_TRUE(writer_.NoteKernel(kProcess + 1, kQueue, 7, record).ok());
  Sample(1);
  EXPECT_EQ(Ask("SELECT dispatch FROM rtl_pc_sample"), "- ");
}

TEST(CodeUriTest, ReadsAPartOfAFile) {
  const std::string path = ::testing::TempDir() + "code uri " + std::to_string(getpid());
  std::ofstream(path) << "0123456789";
  std::string escaped = path;
  for (size_t at; (at = escaped.find(' ')) != std::string::npos;) escaped.replace(at, 1, "%20");
  std::string bytes;
  EXPECT_TRUE(ReadCodeUri("file://" + escaped + "#offset=2&size=3", &bytes));
  EXPECT_EQ(bytes, "234");
  EXPECT_TRUE(ReadCodeUri("file://" + escaped + "#offset=0x8&size=100", &bytes));
  EXPECT_EQ(bytes, "89");
  EXPECT_TRUE(ReadCodeUri("file://" + escaped, &bytes));
  EXPECT_EQ(bytes.size(), 10u);
  EXPECT_FALSE(ReadCodeUri("file://" + escaped + "#offset=10", &bytes));
  EXPECT_FALSE(ReadCodeUri("file:///nowhere/at/all", &bytes));
  EXPECT_FALSE(ReadCodeUri("memory://1#offset=0x10&size=8", &bytes));
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace rtl::store
