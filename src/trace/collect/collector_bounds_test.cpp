// SPDX-License-Identifier: MIT
// The collector's use of processor, disk and memory, and its warnings when that was not enough.
#include <sys/stat.h>

#include <atomic>
#include <fstream>
#include <thread>

#include "model/records.h"
#include "trace/collect/collector_test_support.h"

namespace rtl::store {
namespace {

TEST_F(CollectorTest, LeavesABusyMachineToTheProgramUntilTheSpoolHasGrown) {
  options_.processor_to_spare = [] { return false; };
  Start();
  spool::Writer writer;
  Open(writer, 16 * spool::kSegmentBytes);
  std::unique_ptr<spool::ProcessReader> page;
  const std::vector<std::string> stems = Stems(options_.spool);
  ASSERT_EQ(stems.size(), 1u);
  ASSERT_TRUE(spool::ProcessReader::Open(options_.spool, stems[0], true, &page).ok());
  while (page->control().collector_state.load() != spool::CollectorState::kAttached) {
    std::this_thread::yield();
  }
  uint64_t marks = 0;
  while (page->Backlog() < 0.1) {
    ASSERT_TRUE(WriteMark(writer, ++marks));
    writer.Maintain();
  }
  EXPECT_EQ(collector_.rows(), 0u);
  while (collector_.rows() == 0) {
    ASSERT_TRUE(WriteMark(writer, ++marks));
    writer.Maintain();
  }
  writer.Finish();
  Stop();
  EXPECT_EQ(result_.kind(EventKind::kMarker).recorded, marks);
  ExpectBooksToBalance();
}

TEST_F(CollectorTest, AThreadThatWaitsForAMomentLeavesNoProcessorToSpare) {
  static std::atomic<int> looks;
  static std::atomic<bool> is_idle;
  looks = 0;
  is_idle = false;
  options_.processor_to_spare = [] { return ++looks % 3 != 1 || is_idle; };  // twice in a row
  Start();
  spool::Writer writer;
  Open(writer);
  ASSERT_TRUE(WriteMark(writer, 1));
  const int before = looks;
  while (looks < before + 9) std::this_thread::yield();
  EXPECT_EQ(collector_.rows(), 0u);
  is_idle = true;
  while (collector_.rows() == 0) std::this_thread::yield();
  writer.Finish();
  Stop();
  ExpectBooksToBalance();
}

size_t OpenDescriptors() {
  const std::filesystem::directory_iterator all("/proc/self/fd");
  return static_cast<size_t>(std::distance(begin(all), end(all)));
}

TEST_F(CollectorTest, ManyShortProcessesLeaveNoDescriptorsAndNoSegmentsWhileTheTraceGoesOn) {
  options_.processor_to_spare = [] { return false; };
  options_.kept_bytes = 0;
  Start();
  const size_t before = OpenDescriptors();
  constexpr size_t kProcesses = 60;
  for (size_t i = 0; i < kProcesses; ++i) {
    const pid_t child = StartChild(options_.spool, 10, Finished);
    EXPECT_EQ(Reap(child), 0);
  }
  // The unread part is bounded, whatever the number of processes.
  while (collector_.rows() < 10 * (kProcesses - 16)) std::this_thread::yield();
  size_t segments = 0;
  for (const auto& file : std::filesystem::directory_iterator(options_.spool)) {
    segments += file.path().extension() == ".seg";
  }
  EXPECT_LE(segments, 2 * 16u);
  EXPECT_LE(OpenDescriptors(), before + 3 * 16);
  Stop();
  EXPECT_EQ(result_.processes.size(), kProcesses);
  EXPECT_EQ(result_.kind(EventKind::kMarker).recorded, 10 * kProcesses);
  EXPECT_FALSE(std::filesystem::exists(options_.spool));
  ExpectBooksToBalance();
}

// Segments that are kept have holes behind their records.
TEST_F(CollectorTest, ManyShortProcessesTakeLittleOfTheDisk) {
  Start();
  constexpr size_t kProcesses = 20;
  for (size_t i = 0; i < kProcesses; ++i) {
    const pid_t child = StartChild(options_.spool, 10, Finished);
    EXPECT_EQ(Reap(child), 0);
    collector_.WaitForProcess(static_cast<uint32_t>(child));
  }
  uint64_t bytes = 0;
  size_t segments = 0;
  for (const auto& file : std::filesystem::directory_iterator(options_.spool)) {
    struct stat info;
    if (file.path().extension() != ".seg" || stat(file.path().c_str(), &info) != 0) continue;
    bytes += static_cast<uint64_t>(info.st_blocks) * 512;
    ++segments;
  }
  EXPECT_EQ(segments, kProcesses);
  EXPECT_LE(bytes, kProcesses * spool::kChunkBytes + spool::kChunkBytes);
  Stop();
  EXPECT_EQ(result_.kind(EventKind::kMarker).recorded, 10 * kProcesses);
  ExpectBooksToBalance();
}

TEST_F(CollectorTest, KeepsOnlyTheSumsOfProcessesThatEndedBeforeTheWindow) {
  options_.ring_bytes = 512 << 10;
  Start();
  std::vector<InFlightRow> none;
  ASSERT_TRUE(collector_.InFlight(&none).ok());  // its own files are open by now
  const size_t before = OpenDescriptors();
  constexpr size_t kProcesses = 60;
  constexpr uint64_t kMarks = 1000;
  for (size_t i = 0; i < kProcesses; ++i) {
    const pid_t child = StartChild(options_.spool, kMarks, Finished);
    EXPECT_EQ(Reap(child), 0);
    collector_.WaitForProcess(static_cast<uint32_t>(child));
    EXPECT_LE(OpenDescriptors(), before + 3);
  }
  const size_t pages = Stems(options_.spool).size();
  EXPECT_LT(pages, kProcesses / 2);
  Stop();
  EXPECT_LE(result_.processes.size(), pages);
  const KindTotals& marks = result_.kind(EventKind::kMarker);
  EXPECT_EQ(marks.submitted, kProcesses * kMarks);
  EXPECT_EQ(marks.recorded + marks.loss(Loss::kOutOfWindow), kProcesses * kMarks);
  EXPECT_GT(marks.recorded, 2 * kMarks);
  EXPECT_EQ(Metadata("submitted.markers"), std::to_string(kProcesses * kMarks));
  EXPECT_NE(Metadata("pid"), "rows: 0");
  ASSERT_EQ(result_.warnings.size(), 1u);
  EXPECT_EQ(result_.warnings[0],
            std::to_string(kProcesses - result_.processes.size()) +
                " processes ended before the window; their events are in the sums only");
  EXPECT_FALSE(std::filesystem::exists(options_.spool));
  ExpectBooksToBalance();
}

TEST_F(CollectorTest, ReadsOnABusyMachineWhenACallerWaits) {
  options_.processor_to_spare = [] { return false; };
  Start();
  const pid_t child = StartChild(options_.spool, 10, Finished);
  EXPECT_EQ(Reap(child), 0);
  collector_.WaitForProcess(static_cast<uint32_t>(child));
  EXPECT_EQ(collector_.rows(), 10u);
  Stop();
  ExpectBooksToBalance();
}

// Opens a spool of 16 segments of which `full` are full when the collector begins.
void FillSegments(spool::Writer& writer, const std::string& directory, uint32_t full) {
  spool::WriterOptions options;
  options.directory = directory.c_str();
  options.limit_bytes = 16 * spool::kSegmentBytes;
  ASSERT_TRUE(writer.Open(options).ok());
  const std::string text(4000, 'x');  // few marks fill a segment
  MarkRecord mark;
  mark.head = {RecordType::kMark, 0, 1};
  mark.text_bytes = static_cast<uint32_t>(text.size());
  while (writer.control()->segments_created.load() <= full) {
    ++mark.time;
    writer.CountSubmitted(EventKind::kMarker, 1);
    ASSERT_TRUE(writer.Write(&mark, sizeof mark, text.data(), text.size()));
    writer.CountRecorded(EventKind::kMarker, 1);
  }
  writer.Finish();
}

TEST_F(CollectorTest, WarnsThatItDidNotKeepUpEvenWhenNothingWasLost) {
  spool::Writer writer;
  FillSegments(writer, options_.spool, 12);
  Start();
  Stop();
  const std::string percent = Metadata("spool_most_percent");
  EXPECT_GE(std::stoi(percent), 75);
  EXPECT_EQ(result_.warnings,
            Rows{"process " + std::to_string(getpid()) + ": the collector fell behind: up to " +
                 percent + " % of the spool's limit was unread; no event was lost"});
  EXPECT_EQ(Metadata("warning.1"), result_.warnings[0]);
  EXPECT_EQ(Ask("SELECT value FROM rtl_process_counter WHERE counter = 'spool_most_percent'"),
            Rows{percent});
  ExpectBooksToBalance();
}

TEST_F(CollectorTest, DoesNotWarnOfAnAcceptableBacklog) {
  spool::Writer writer;
  FillSegments(writer, options_.spool, 6);
  Start();
  Stop();
  EXPECT_EQ(result_.warnings, Rows{});
  EXPECT_GE(std::stoi(Metadata("spool_most_percent")), 37);
}

// In kB, of /proc/self/status.
long Memory(const char* field) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind(field, 0) == 0) return std::stol(line.substr(line.find(':') + 1));
  }
  return -1;
}

// The rise of this process's resident memory during `work`, in kB.
template <typename Work>
long MemoryTakenBy(Work work) {
  std::ofstream("/proc/self/clear_refs") << "5";  // resets the peak to the current value
  const long before = Memory("VmRSS");
  work();
  return Memory("VmHWM") - before;
}

constexpr int kBurstMegabytes = 40;  // the allowance for a burst in either run
constexpr size_t kWindow = 2 * spool::kSegmentBytes;
// The tracer's worker maintains the writer at each heartbeat, also when the collector keeps up.
constexpr uint64_t kRecordsPerHeartbeat = 10'000;

int WriteABurst(const std::string& directory, uint64_t records) {
  static spool::Writer writer;
  spool::WriterOptions options;
  options.directory = directory.c_str();
  options.limit_bytes = kWindow;
  if (!writer.Open(options).ok()) return 1;
  AgentRecord agent;
  agent.head = {RecordType::kAgent, 0, 1};
  agent.agent = agent.is_gpu = 1;
  QueueRecord queue;
  queue.head = {RecordType::kQueue, 0, 1};
  queue.queue = queue.agent = 1;
  KernelRecord kernel;
  kernel.head = {RecordType::kKernel, 0, 1};
  kernel.kernel = kernel.agent = 1;
  if (!writer.Write(&agent, sizeof agent, nullptr, 0) ||
      !writer.Write(&queue, sizeof queue, nullptr, 0) ||
      !writer.Write(&kernel, sizeof kernel, nullptr, 0)) {
    return 3;
  }
  const long taken = MemoryTakenBy([&] {
    DispatchRecord record;
    record.head = {RecordType::kDispatch, 0, 1};
    record.queue = record.kernel = 1;
    for (uint64_t i = 0; i < records; ++i) {
      record.start = record.end = i;
      if (i % kRecordsPerHeartbeat == 0) writer.Maintain();
      while (!writer.Write(&record, sizeof record, nullptr, 0)) {
        writer.Maintain();
        std::this_thread::yield();
      }
    }
    writer.CountSubmitted(EventKind::kKernel, records);
    writer.CountRecorded(EventKind::kKernel, records);
  });
  writer.Finish();
  return taken <= kBurstMegabytes << 10 ? 0 : 2;
}

TEST_F(CollectorTest, TakesNoMoreMemoryForALongerBurst) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the sanitizer's own memory is counted, too";
#endif
  constexpr uint64_t kRecords = 500'000;
  static_assert(kRecords * sizeof(DispatchRecord) > 6 * kWindow);
  const pid_t collecting = fork();
  if (collecting == 0) {
    const pid_t writing = fork();
    if (writing == 0) _exit(WriteABurst(options_.spool, kRecords));
    const long taken = MemoryTakenBy([&] {
      Start();
      collector_.WaitForProcess(static_cast<uint32_t>(writing));
      Stop();
    });
    const int wrote = Reap(writing);
    if (!WIFEXITED(wrote) || WEXITSTATUS(wrote) != 0) _exit(10 + WEXITSTATUS(wrote));
    if (result_.rows != kRecords || HasFailure()) _exit(3);
    _exit(taken <= kBurstMegabytes << 10 ? 0 : 4);
  }
  EXPECT_EQ(WEXITSTATUS(Reap(collecting)), 0)
      << "12: the writer took more memory, 4: the collector did";
}

TEST_F(CollectorTest, BoundsTheSpoolWhileAProcessWritesALot) {
  options_.kept_bytes = 0;
  Start();
  std::atomic<bool> running{true};
  spool::Writer writer;
  Open(writer, 4 * spool::kSegmentBytes);
  uint64_t recorded = 0;
  uint64_t refused = 0;
  std::thread thread([&] {
    for (uint64_t i = 1; i <= 1'000'000; ++i) {
      if (WriteMark(writer, i)) {
        ++recorded;
      } else {
        writer.CountLoss(EventKind::kMarker, Loss::kSpoolFull, 1);
        ++refused;
      }
    }
    running.store(false);
  });
  while (running.load()) {
    size_t segments = 0;
    for (const auto& entry : std::filesystem::directory_iterator(options_.spool)) {
      segments += entry.path().extension() == ".seg";
    }
    ASSERT_LE(segments, 5u);  // one more name may be seen while another is being deleted
    writer.Maintain();
    std::this_thread::yield();
  }
  thread.join();
  writer.Finish();
  Stop();
  EXPECT_EQ(result_.kind(EventKind::kMarker).recorded, recorded);
  EXPECT_EQ(result_.kind(EventKind::kMarker).loss(Loss::kSpoolFull), refused);
  EXPECT_EQ(result_.kind(EventKind::kMarker).submitted, 1'000'000u);
  if (refused != 0) {
    ASSERT_EQ(result_.warnings.size(), 1u);
    EXPECT_NE(result_.warnings[0].find(std::to_string(refused) + " events found the spool full"),
              std::string::npos)
        << result_.warnings[0];
  }
  ExpectBooksToBalance();
}

}  // namespace
}  // namespace rtl::store
