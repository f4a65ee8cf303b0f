// SPDX-License-Identifier: MIT
#include "dataset/live_dataset.h"

#include <filesystem>
#include <thread>

#include "base/clock.h"
#include "parquet/footer.h"
#include "trace/collect/collector_test_support.h"

namespace rtl::dataset {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kMillisecond = 1'000'000;

// A process that writes marks, and the files that are made of them while it runs.
class LiveDatasetTest : public store::CollectorTest {
 protected:
  LiveDatasetTest() {
    options_.take_part = [this](const store::Part& part) { return dataset_.Add(part); };
    options_.round_end = [this] { return dataset_.Tick(); };
    options_.parts_end = [this](const store::CollectResult& result) {
      return dataset_.Finish(result);
    };
    options_.part_ns = kMillisecond;
  }

  void Open(uint64_t segment_ns) {
    const Status opened = dataset_.Open(
        {.folder = folder_, .segment_ns = segment_ns, .say = [this](const std::string& sentence) {
           said_.push_back(sentence);
         }});
    ASSERT_TRUE(opened.ok()) << opened.message();
    Start();
    spool::WriterOptions options;
    options.directory = options_.spool.c_str();
    ASSERT_TRUE(writer_.Open(options).ok());
  }
  void WriteMarks(size_t marks) {
    for (size_t i = 0; i < marks; ++i) {
      ASSERT_TRUE(store::WriteMark(writer_, BootTimeNs()));
      writer_.Maintain();
    }
  }
  std::vector<std::string> FilesOf(const std::string& table) const {
    std::vector<std::string> files;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(folder_ + "/" + table, none)) {
      const std::string name = entry.path().filename().string();
      if (name[0] != '.') files.push_back(entry.path().string());
    }
    std::sort(files.begin(), files.end());
    return files;
  }
  // Returns when the table has this many complete files.
  void Await(const std::string& table, size_t files) const {
    while (FilesOf(table).size() < files) std::this_thread::yield();
  }
  int64_t RowsOf(const std::string& table) const {
    int64_t rows = 0;
    for (const std::string& file : FilesOf(table)) {
      parquet::Footer footer;
      EXPECT_TRUE(parquet::ReadFooter(file, &footer).ok()) << file;
      rows += footer.rows;
    }
    return rows;
  }

  const std::string folder_ = dir_.File("job");
  std::vector<std::string> said_;
  LiveDataset dataset_;
  spool::Writer writer_;
};

TEST_F(LiveDatasetTest, RowsComeOnABusyMachineAndWhileTheProgramPauses) {
  options_.processor_to_spare = [] { return false; };
  Open(kMillisecond);
  const size_t marks = parquet::kGroupRows + 1000;
  WriteMarks(marks);
  while (RowsOf("ranges") < static_cast<int64_t>(marks)) std::this_thread::yield();
  EXPECT_TRUE(FilesOf("processes").empty());
  // Fewer rows than a row group come as well, only later.
  const size_t files = FilesOf("ranges").size();
  WriteMarks(3);
  Await("ranges", files + 1);
  writer_.Finish();
  Stop();
  EXPECT_EQ(RowsOf("ranges"), static_cast<int64_t>(marks) + 3);
  EXPECT_EQ(FilesOf("processes").size(), 1u);
  EXPECT_GE(RowsOf("clocks"), 2);
  EXPECT_EQ(said_, std::vector<std::string>());
}

TEST_F(LiveDatasetTest, AProcessWithoutARankIsCompleteWhenItHasEnded) {
  Open(60'000 * kMillisecond);
  const pid_t child = store::StartChild(options_.spool, 3, store::Finished);
  EXPECT_EQ(store::Reap(child), 0);
  Await("processes", 1);
  EXPECT_EQ(RowsOf("ranges"), 3);
  writer_.Finish();
  Stop();
  EXPECT_EQ(FilesOf("processes").size(), 2u);
}

TEST_F(LiveDatasetTest, APidThatComesAgainGetsFilesOfItsOwn) {
  Open(kMillisecond);
  WriteMarks(2);
  writer_.Finish();
  Stop();
  const std::vector<std::string> first = dataset_.labels();
  ASSERT_EQ(first.size(), 1u);

  LiveDataset second;
  ASSERT_TRUE(second.Open({.folder = folder_, .say = [](const std::string&) {}}).ok());
  options_.take_part = [&](const store::Part& part) { return second.Add(part); };
  options_.round_end = nullptr;
  options_.parts_end = [&](const store::CollectResult& result) { return second.Finish(result); };
  fs::create_directory(options_.spool);
  fs::permissions(options_.spool, fs::perms::owner_all);
  store::Collector collector;
  ASSERT_TRUE(collector.Start(options_).ok());
  spool::Writer writer;
  spool::WriterOptions options;
  options.directory = options_.spool.c_str();
  ASSERT_TRUE(writer.Open(options).ok());
  ASSERT_TRUE(store::WriteMark(writer, BootTimeNs()));
  writer.Finish();
  store::CollectResult result;
  const Status stopped = collector.Stop({}, &result);
  EXPECT_TRUE(stopped.ok()) << stopped.message();
  EXPECT_EQ(second.labels(), std::vector<std::string>{first.front() + ".2"});
  EXPECT_EQ(RowsOf("ranges"), 3);
}

}  // namespace
}  // namespace rtl::dataset
