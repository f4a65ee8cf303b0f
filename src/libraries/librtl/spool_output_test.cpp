// SPDX-License-Identifier: MIT
#include "libraries/librtl/spool_output.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "base/text.h"
#include "spool/directory.h"
#include "spool/reader.h"
#include "tests/support/temp_dir.h"

namespace rtl {
namespace {

namespace fs = std::filesystem;

// The collector is a shell script that writes down its arguments and ends.
class SpoolOutputTest : public testing::Test {
 protected:
  Config Asking(const std::string& output) {
    Config config;
    CopyText(config.output, sizeof config.output, output.c_str());
    CopyText(config.tool, sizeof config.tool, Collector().c_str());
    return config;
  }
  std::string Collector() {
    const std::string path = directory_.File("collector");
    std::ofstream(path) << "#!/bin/sh\necho \"$@\" > " << directory_.File("arguments.part")
                        << "\nmv " << directory_.File("arguments.part") << " "
                        << directory_.File("arguments") << "\n";
    EXPECT_EQ(chmod(path.c_str(), 0700), 0);
    return path;
  }
  std::string Read(const std::string& name) {
    std::stringstream text;
    text << std::ifstream(directory_.File(name)).rdbuf();
    return text.str();
  }
  // The directories with names that begin like this.
  std::vector<std::string> Spools(const std::string& prefix) {
    std::vector<std::string> found;
    const fs::path start = directory_.File(prefix);
    if (!fs::exists(start.parent_path())) return found;
    for (const auto& entry : fs::directory_iterator(start.parent_path())) {
      if (entry.is_directory() && entry.path().string().rfind(start.string(), 0) == 0)
        found.push_back(entry.path());
    }
    return found;
  }

  test::TempDir directory_;
};

TEST_F(SpoolOutputTest, WritesIntoAGivenSpoolWithoutStartingACollector) {
  Config config = Asking(directory_.File("x.db"));
  CopyText(config.spool, sizeof config.spool, directory_.path().c_str());
  auto output = std::make_unique<SpoolOutput>();
  const Status opened = output->Open(config);
  ASSERT_TRUE(opened.ok()) << opened.message();
  MarkRecord mark;
  mark.head.type = RecordType::kMark;
  mark.text_bytes = 2;
  EXPECT_TRUE(output->sink()->Write(&mark, sizeof mark, "hi", 2));
  output->Describe({"HSA_TOOLS_LIB", "tables 1.0", "full", "it can"});
  output->Maintain();
  output->Finish();
  EXPECT_TRUE(Spools("x.db").empty());

  std::vector<std::string> stems;
  ASSERT_TRUE(spool::ListProcesses(directory_.path(), &stems).ok());
  ASSERT_EQ(stems.size(), 1u);
  std::unique_ptr<spool::ProcessReader> reader;
  ASSERT_TRUE(spool::ProcessReader::Open(directory_.path(), stems[0], true, &reader).ok());
  const spool::ProcessInfo& process = reader->control().process;
  EXPECT_EQ(process.pid, static_cast<uint32_t>(getpid()));
  EXPECT_STREQ(process.mode, "full");
  EXPECT_STREQ(process.mode_reason, "it can");
  EXPECT_STREQ(process.loaded_by, "HSA_TOOLS_LIB");
  EXPECT_STREQ(process.runtime, "tables 1.0");
  // The launcher waits for the end of the process: it may go on.
  EXPECT_NE(reader->control().finished.load(), 0u);
  EXPECT_EQ(reader->control().writer_state.load(), spool::WriterState::kRunning);
  EXPECT_TRUE(output->sink()->Write(&mark, sizeof mark, "on", 2));
}

// Writes marks of 4 KB until one is refused; returns their number.
uint64_t FillWithMarks(RecordSink* sink, uint64_t most) {
  const std::string text(4000, 'x');
  MarkRecord mark;
  mark.head.type = RecordType::kMark;
  mark.text_bytes = static_cast<uint32_t>(text.size());
  uint64_t marks = 0;
  while (marks < most && sink->Write(&mark, sizeof mark, text.data(), text.size())) ++marks;
  return marks;
}
constexpr uint64_t kSegments = 4;
constexpr uint64_t kMarksInThem =  // 16 marks fit a chunk
    spool::ChunksIn(kSegments) * 16;

TEST_F(SpoolOutputTest, BoundsTheSpoolAsConfigured) {
  Config config = Asking(directory_.File("x.db"));
  CopyText(config.spool, sizeof config.spool, directory_.path().c_str());
  config.spool_limit_bytes = kSegments * spool::kSegmentBytes;
  auto output = std::make_unique<SpoolOutput>();
  ASSERT_TRUE(output->Open(config).ok());
  EXPECT_EQ(FillWithMarks(output->sink(), 2 * kMarksInThem), kMarksInThem);
  output->Finish();
}

TEST_F(SpoolOutputTest, WaitsForRoomAsConfigured) {
  Config config = Asking(directory_.File("x.db"));
  CopyText(config.spool, sizeof config.spool, directory_.path().c_str());
  config.spool_limit_bytes = kSegments * spool::kSegmentBytes;
  config.room_wait_ns = 600'000'000'000;
  auto output = std::make_unique<SpoolOutput>();
  ASSERT_TRUE(output->Open(config).ok());
  std::vector<std::string> stems;
  ASSERT_TRUE(spool::ListProcesses(directory_.path(), &stems).ok());
  ASSERT_EQ(stems.size(), 1u);
  std::unique_ptr<spool::ProcessReader> reader;
  ASSERT_TRUE(spool::ProcessReader::Open(directory_.path(), stems[0], false, &reader).ok());
  std::atomic<uint64_t> written{0};
  std::atomic<bool> done{false};
  std::thread writing([&] {
    written = FillWithMarks(output->sink(), kMarksInThem);
    written += FillWithMarks(output->sink(), kMarksInThem);
    done = true;
  });
  while (written < kMarksInThem) std::this_thread::yield();  // then it has to wait
  uint64_t read = 0;
  while (!done) {
    uint64_t records = 0;
    ASSERT_TRUE(reader->Poll([&](const spool::RecordView&) { ++read; }, &records).ok());
    std::this_thread::yield();
  }
  writing.join();
  EXPECT_EQ(written, 2 * kMarksInThem);
  output->Finish();
}

TEST_F(SpoolOutputTest, RejectsAMissingSpool) {
  Config config;
  CopyText(config.spool, sizeof config.spool, "/nonexistent/spool");
  auto output = std::make_unique<SpoolOutput>();
  const Status opened = output->Open(config);
  EXPECT_NE(std::string(opened.message()).find("/nonexistent/spool"), std::string::npos)
      << opened.message();
}

TEST_F(SpoolOutputTest, StartsTheCollectorWithAPrivateSpoolBesideTheDatabase) {
  auto output = std::make_unique<SpoolOutput>();
  const Status opened = output->Open(Asking(directory_.File("new/deep/trace-%p.db")));
  ASSERT_TRUE(opened.ok()) << opened.message();
  const std::string pid = std::to_string(getpid());
  const std::string database = "new/deep/trace-" + pid + ".db";
  const std::vector<std::string> spools = Spools(database + ".spool-");
  ASSERT_EQ(spools.size(), 1u);
  EXPECT_EQ(fs::status(spools[0]).permissions(), fs::perms::owner_all);
  // The collector ends without having collected: Finish notices and does not wait for its limit.
  testing::internal::CaptureStderr();
  output->Finish();
  const std::string said = testing::internal::GetCapturedStderr();
  const std::string command =
      "rtl collect --spool " + spools[0] + " --output " + directory_.File(database);
  EXPECT_EQ(said, "rtl: the collector ended too early; make the database with: " + command + "\n");
  EXPECT_EQ(Read("arguments"), "collect --spool " + spools[0] + " --output " +
                                   directory_.File(database) + " --pid " + pid + "\n");
}

TEST_F(SpoolOutputTest, KeepsTheSpoolAndPrintsTheNextStepWithoutACollector) {
  Config config = Asking(directory_.File("t.db"));
  CopyText(config.tool, sizeof config.tool, "/nonexistent/rtl");
  auto output = std::make_unique<SpoolOutput>();
  testing::internal::CaptureStderr();
  const Status opened = output->Open(config);
  ASSERT_TRUE(opened.ok()) << opened.message();
  output->Finish();
  const std::string said = testing::internal::GetCapturedStderr();
  const std::vector<std::string> spools = Spools("t.db.spool-");
  ASSERT_EQ(spools.size(), 1u);
  EXPECT_EQ(said,
            "rtl: no collector: RTL_TOOL=/nonexistent/rtl is not a program; the trace stays "
            "in " +
                spools[0] + ", make the database with: rtl collect --spool " + spools[0] +
                " --output " + directory_.File("t.db") + "\n");
}

// The collector refuses a file that is no trace, and so would the command.
TEST_F(SpoolOutputTest, NamesNoCommandThatWouldBeRefused) {
  std::ofstream(directory_.File("script.py")) << "print()";
  auto output = std::make_unique<SpoolOutput>();
  ASSERT_TRUE(output->Open(Asking(directory_.File("script.py"))).ok());
  testing::internal::CaptureStderr();
  output->Finish();
  EXPECT_TRUE(testing::internal::GetCapturedStderr().ends_with(" --output FILE.db\n"));
}

TEST_F(SpoolOutputTest, ReportsWhyADatabaseCannotBeCreated) {
  std::ofstream(directory_.File("file")) << "x";
  auto output = std::make_unique<SpoolOutput>();
  const Status opened = output->Open(Asking(directory_.File("file/t.db")));
  EXPECT_EQ(std::string(opened.message()),
            "cannot create a spool beside " + directory_.File("file/t.db") + ": Not a directory");
  fs::create_directory(directory_.File("folder"));
  output = std::make_unique<SpoolOutput>();
  const Status over_folder = output->Open(Asking(directory_.File("folder")));
  EXPECT_EQ(
      std::string(over_folder.message()),
      directory_.File("folder") + " is not a regular file, a database cannot be written there");
  EXPECT_TRUE(Spools("folder.spool-").empty());
}

TEST_F(SpoolOutputTest, ResolvesARelativeNameInTheStartDirectory) {
  const fs::path before = fs::current_path();
  fs::current_path(directory_.path());
  auto output = std::make_unique<SpoolOutput>();
  EXPECT_TRUE(output->Open(Asking("rel.db")).ok());
  fs::current_path(before);
  testing::internal::CaptureStderr();
  output->Finish();
  (void)testing::internal::GetCapturedStderr();  // checked above
  EXPECT_EQ(Read("arguments").find("collect --spool " + directory_.File("rel.db.spool-")), 0u);
}

}  // namespace
}  // namespace rtl
