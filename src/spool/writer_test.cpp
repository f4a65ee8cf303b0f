// SPDX-License-Identifier: MIT
// One fixture and one set of helpers serve all tests of the writer, so they stay in one file of
// more than 600 lines.
#include "spool/writer.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "base/clock.h"
#include "spool/overflow.h"
#include "spool/spool_test_support.h"
#include "tests/support/small_disk.h"

namespace rtl::spool {
namespace {

using test::TempDir;

constexpr size_t kDispatchesPerChunk = (kChunkBytes - sizeof(ChunkHeader)) / kLongDispatchBytes;
// That fill so many segments of one process.
constexpr uint64_t DispatchesIn(uint32_t segments) {
  return kDispatchesPerChunk * ChunksIn(segments);
}

// Runs `body` in a forked child and returns its exit code.
template <typename Body>
int InChild(Body body) {
  const pid_t child = fork();
  if (child == 0) _exit(body());
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

// How often this thread has slept.
long SleepsOfThisThread() {
  rusage usage;
  EXPECT_EQ(getrusage(RUSAGE_THREAD, &usage), 0);
  return usage.ru_nvcsw;
}

size_t ClosedChunks(const std::string& segment) {
  FILE* file = fopen(segment.c_str(), "rb");
  EXPECT_NE(file, nullptr);
  size_t closed = 0;
  for (size_t i = 1; i < kChunksOfFirstSegment; ++i) {
    ChunkState state = ChunkState::kFree;
    EXPECT_EQ(fseek(file, static_cast<long>(i * kChunkBytes), SEEK_SET), 0);
    EXPECT_EQ(fread(&state, sizeof state, 1, file), 1u);
    closed += state == ChunkState::kClosed;
  }
  (void)fclose(file);
  return closed;
}

TEST(Writer, ShowsARecordToTheReaderAtOnce) {
  TempDir dir;
  Writer writer;
  ASSERT_TRUE(OpenWriter(writer, dir).ok());
  Collected collected(dir);
  EXPECT_EQ(collected.Poll(), 0u);
  ASSERT_TRUE(WriteMark(writer, "hello"));
  ASSERT_TRUE(WriteDispatch(writer, 7, 1));
  EXPECT_EQ(collected.Poll(), 2u);
  EXPECT_EQ(collected.texts(), std::vector<std::string>{"hello"});
  EXPECT_EQ(collected.dispatches().at(7), UpTo(1));
  EXPECT_EQ(collected.Poll(), 0u);
}

TEST(Writer, ShowsKernelsInFlightToTheReader) {
  TempDir dir;
  Writer writer;
  ASSERT_TRUE(OpenWriter(writer, dir).ok());
  Collected collected(dir);
  EXPECT_TRUE(collected.reader().KernelsInFlight().empty());
  for (const uint32_t queue : {2u, 1u}) {
    auto* const head = static_cast<InFlightHead*>(writer.MapBlock());
    ASSERT_NE(head, nullptr);
    head->queue = queue;
    auto* const entries = reinterpret_cast<InFlightEntry*>(head + 1);
    for (size_t i = 0; i < kInFlightEntries; ++i) entries[i].finished = i != 7 && i != 9;
    entries[7].packet = 70;
    entries[9].packet = 9;
  }
  std::vector<std::pair<uint32_t, uint64_t>> found;
  for (const auto& [queue, entry] : collected.reader().KernelsInFlight()) {
    found.emplace_back(queue, entry.packet);
  }
  const std::vector<std::pair<uint32_t, uint64_t>> wanted = {{1, 9}, {1, 70}, {2, 9}, {2, 70}};
  EXPECT_EQ(found, wanted);
  writer.Finish();
  EXPECT_EQ(writer.MapBlock(), nullptr);
}

TEST(Writer, HasNoBlockForKernelsInFlightOnAFullDisk) {
  TempDir dir;
  Writer writer;
  ASSERT_TRUE(OpenWriter(writer, dir).ok());
  EXPECT_EQ(InChild([&] {
              // The child of a fork shares the file and leaves it alone.
              return writer.MapBlock() == nullptr ? 0 : 1;
            }),
            0);
  rlimit before;
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit small = {kInFlightBlockBytes / 2, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  void* const block = writer.MapBlock();
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  EXPECT_EQ(block, nullptr);
}

TEST(Writer, DescribesItsProcess) {
  TempDir dir;
  Writer writer;
  ASSERT_TRUE(OpenWriter(writer, dir).ok());
  Collected collected(dir);
  const ProcessInfo& process = collected.reader().process();
  EXPECT_EQ(process.pid, static_cast<uint32_t>(getpid()));
  EXPECT_EQ(process.parent_pid, static_cast<uint32_t>(getppid()));
  EXPECT_GT(process.start_ticks, 0u);
  EXPECT_LE(process.opened, BootTimeNs());
  EXPECT_NE(std::string(process.command).find("rtl_spool_test"), std::string::npos);
  EXPECT_EQ(std::string(process.boot_id).size(), 36u);
}

TEST(Writer, GivesTheNextProgramOfAProcessItsOwnSpool) {
  TempDir dir;
  Writer first;
  Writer second;
  Writer third;
  ASSERT_TRUE(OpenWriter(first, dir).ok());
  ASSERT_TRUE(OpenWriter(second, dir).ok());
  ASSERT_TRUE(OpenWriter(third, dir).ok());
  std::vector<std::string> stems;
  ASSERT_TRUE(ListProcesses(dir.path(), &stems).ok());
  ASSERT_EQ(stems.size(), 3u);
  EXPECT_EQ(stems[1], NextStem(stems[0]));
  EXPECT_EQ(stems[2], NextStem(stems[1]));
  ASSERT_TRUE(WriteMark(second, "of the second"));
  for (size_t i = 0; i < stems.size(); ++i) {
    std::unique_ptr<ProcessReader> reader;
    ASSERT_TRUE(ProcessReader::Open(dir.path(), stems[i], true, &reader).ok());
    uint64_t records = 0;
    ASSERT_TRUE(reader->Poll([](const RecordView&) {}, &records).ok());
    EXPECT_EQ(records, i == 1 ? 1u : 0u);
  }
}

TEST(Writer, IsGoneWhenItsProcessBecomesAnotherProgram) {
  TempDir dir;
  int gate[2];
  ASSERT_EQ(pipe(gate), 0);
  const pid_t child = fork();
  if (child == 0) {
    static Writer writer;
    if (!OpenWriter(writer, dir).ok() || !WriteMark(writer, "before")) _exit(1);
    (void)dup2(gate[0], 0);
    close(gate[1]);
    execlp("cat", "cat", nullptr);
    _exit(2);
  }
  close(gate[0]);
  std::vector<std::string> stems;
  std::unique_ptr<ProcessReader> reader;
  const uint64_t deadline = BootTimeNs() + 30'000'000'000;
  while (BootTimeNs() < deadline && reader == nullptr) {
    ASSERT_TRUE(ListProcesses(dir.path(), &stems).ok());
    if (!stems.empty()) (void)ProcessReader::Open(dir.path(), stems[0], true, &reader);
  }
  ASSERT_NE(reader, nullptr);
  while (BootTimeNs() < deadline && !reader->WriterGone()) usleep(1000);
  EXPECT_TRUE(reader->replaced());
  uint64_t records = 0;
  EXPECT_TRUE(reader->Poll([](const RecordView&) {}, &records).ok());
  EXPECT_EQ(records, 1u);
  EXPECT_EQ(waitpid(child, nullptr, WNOHANG), 0) << "it still runs, as something else";
  close(gate[1]);
  EXPECT_EQ(waitpid(child, nullptr, 0), child);
}

// A raw system call runs no fork handlers.
TEST(Writer, KeepsAChildOfARawForkOutOfItsFiles) {
  TempDir dir;
  Writer writer;
  ASSERT_TRUE(OpenWriter(writer, dir).ok());
  ASSERT_TRUE(WriteMark(writer, "before"));
  const auto child = static_cast<pid_t>(syscall(SYS_clone, SIGCHLD, nullptr, nullptr, nullptr, 0));
  if (child == 0) {
    const bool refused = !WriteMark(writer, "the child's");
    writer.CountLoss(EventKind::kMarker, Loss::kSpoolFull, 1);
    _exit(refused ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(WriteMark(writer, "after"));
  const auto& losses = writer.control()->losses[static_cast<size_t>(EventKind::kMarker)];
  EXPECT_EQ(losses[static_cast<size_t>(Loss::kForked)].load(), 1u);
  EXPECT_EQ(losses[static_cast<size_t>(Loss::kSpoolFull)].load(), 0u);
}

TEST(Writer, MakesFilesThatOnlyTheUserCanRead) {
  TempDir dir;
  Writer writer;
  ASSERT_TRUE(OpenWriter(writer, dir).ok());
  size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(dir.path())) {
    struct stat info;
    ASSERT_EQ(stat(entry.path().c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0777, 0600u) << entry.path();
    ++files;
  }
  EXPECT_EQ(files, 2u);
}

TEST(Writer, RefusesADirectoryThatOthersCanWrite) {
  TempDir dir;
  ASSERT_EQ(chmod(dir.path().c_str(), 0777), 0);
  Writer writer;
  EXPECT_FALSE(OpenWriter(writer, dir).ok());
  EXPECT_EQ(dir.Count(), 0u);
  EXPECT_FALSE(WriteMark(writer, "nowhere"));
}

TEST(Writer, GoesOnInNewChunksAndSegments) {
  TempDir dir;
  Writer writer;
  ASSERT_TRUE(OpenWriter(writer, dir).ok());
  Collected collected(dir);
  const uint64_t n = DispatchesIn(2) + 5;
  for (uint64_t i = 1; i <= n; ++i) ASSERT_TRUE(WriteLongDispatch(writer, 1, i));
  EXPECT_EQ(writer.control()->segments_created.load(), 3u);
  EXPECT_EQ(collected.Poll(), n);
  EXPECT_EQ(collected.dispatches().at(1), UpTo(n));
  EXPECT_EQ(collected.reader().torn(), 0u);
}

TEST(Writer, KeepsTextOfEveryLength) {
  TempDir dir;
  Writer writer;
  ASSERT_TRUE(OpenWriter(writer, dir).ok());
  std::vector<std::string> texts;
  for (size_t length : {0, 1, 7, 8, 9, 4096, static_cast<int>(kMaxTextBytes)}) {
    texts.emplace_back(length, 'x');
    ASSERT_TRUE(WriteMark(writer, texts.back()));
  }
  EXPECT_FALSE(WriteMark(writer, std::string(kChunkBytes, 'x'))) << "larger than a chunk";
  Collected collected(dir);
  collected.Poll();
  EXPECT_EQ(collected.texts(), texts);
}

TEST(Writer, ClosesTheChunkOfAThreadThatEnds) {
  TempDir dir;
  Writer writer;
  ASSERT_TRUE(OpenWriter(writer, dir).ok());
  std::thread([&] { ASSERT_TRUE(WriteDispatch(writer, 1, 1)); }).join();
  Collected collected(dir, true);
  EXPECT_EQ(collected.Poll(), 1u);
  EXPECT_EQ(ClosedChunks(dir.File(collected.reader().stem() + ".000001.seg")), 1u);
}

struct LateWrite {
  Writer* writer;
  bool written = false;
};

TEST(Writer, AcceptsRecordsFromAThreadWhoseChunkIsAlreadyClosed) {
  TempDir dir;
  Writer writer;
  ASSERT_TRUE(OpenWriter(writer, dir).ok());
  // Keys are destroyed in the order of their making, and the writer's was made in Open.
  pthread_key_t key;
  ASSERT_EQ(pthread_key_create(&key,
                               [](void* value) {
                                 auto* late = static_cast<LateWrite*>(value);
                                 late->written = WriteDispatch(*late->writer, 1, 2);
                               }),
            0);
  LateWrite late{&writer};
  std::thread([&] {
    ASSERT_TRUE(WriteDispatch(writer, 1, 1));
    ASSERT_EQ(pthread_setspecific(key, &late), 0);
  }).join();
  ASSERT_EQ(pthread_key_delete(key), 0);
  EXPECT_TRUE(late.written);
  Collected collected(dir, true);
  collected.Poll();
  EXPECT_EQ(collected.dispatches().at(1), UpTo(2));
  EXPECT_EQ(ClosedChunks(dir.File(collected.reader().stem() + ".000001.seg")), 2u);
}

TEST(Writer, LosesNoRecordOfManyThreadsWhileTheCollectorReads) {
  constexpr uint32_t kThreads = 8;
  constexpr uint64_t kEach = 20'000;
  TempDir dir;
  Writer writer;
  ASSERT_TRUE(OpenWriter(writer, dir).ok());
  Collected collected(dir);
  std::atomic<uint32_t> running{kThreads};
  std::atomic<uint64_t> refused{0};
  std::vector<std::thread> threads;
  for (uint32_t t = 1; t <= kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (uint64_t i = 1; i <= kEach; ++i) {
        writer.CountSubmitted(EventKind::kKernel, 1);
        if (!WriteDispatch(writer, t, i)) refused.fetch_add(1);
        writer.CountRecorded(EventKind::kKernel, 1);
      }
      running.fetch_sub(1);
    });
  }
  std::thread maintenance([&] {
    while (running.load() != 0) {
      writer.Maintain();
      std::this_thread::yield();
    }
  });
  while (running.load() != 0) collected.Poll();
  for (std::thread& thread : threads) thread.join();
  maintenance.join();
  writer.Finish();
  EXPECT_TRUE(collected.reader().WriterGone());
  collected.Poll();

  EXPECT_EQ(refused.load(), 0u);
  ASSERT_EQ(collected.dispatches().size(), kThreads);
  for (const auto& [thread, ids] : collected.dispatches()) {
    EXPECT_TRUE(std::is_sorted(ids.begin(), ids.end())) << thread;
    EXPECT_EQ(ids.size(), kEach) << thread;
    EXPECT_EQ(ids.back(), kEach) << thread;
  }
  EXPECT_EQ(collected.reader().torn(), 0u);
  EXPECT_EQ(writer.control()->submitted[0].load(), kThreads * kEach);
  EXPECT_EQ(writer.control()->recorded[0].load(), kThreads * kEach);
  EXPECT_EQ(dir.Count(), 1u) << "only the control page is left";
}

TEST(Writer, RefusesAtTheLimitAndGoesOnAfterTheCollectorHasRead) {
  TempDir dir;
  Writer writer;
  ASSERT_TRUE(OpenWriter(writer, dir, 2).ok());
  Collected collected(dir);
  uint64_t written = 0;
  while (WriteLongDispatch(writer, 1, written + 1)) ++written;
  EXPECT_EQ(written, DispatchesIn(2));
  EXPECT_FALSE(WriteLongDispatch(writer, 1, written + 1));
  collected.Poll();
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(WriteLongDispatch(writer, 1, ++written));
  collected.Poll();
  EXPECT_EQ(collected.dispatches().at(1), UpTo(written));
}

TEST(Writer, WaitsForRoomInLosslessMode) {
  constexpr uint64_t kBurst = DispatchesIn(8);
  TempDir dir;
  Writer writer;
  ASSERT_TRUE(OpenWriter(writer, dir, 2, 600'000'000'000).ok());
  Collected collected(dir);
  std::atomic<uint64_t> written{0};
  std::thread producer([&] {
    for (uint64_t i = 1; i <= kBurst; ++i) written += WriteLongDispatch(writer, 1, i);
  });
  while (written < DispatchesIn(2)) std::this_thread::yield();  // then it has to wait
  while (collected.total() < kBurst) {
    collected.Poll();
    std::this_thread::yield();
  }
  producer.join();
  EXPECT_EQ(collected.dispatches().at(1), UpTo(kBurst));
}

TEST(Writer, WaitsInVainOnlyOnceUntilThereIsRoom) {
  constexpr uint64_t kWaitNs = 20'000'000;
  TempDir dir;
  Writer writer;
  ASSERT_TRUE(OpenWriter(writer, dir, 2, kWaitNs).ok());
  Collected collected(dir);
  uint64_t written = 0;
  const uint64_t start = BootTimeNs();
  while (WriteLongDispatch(writer, 1, written + 1)) ++written;
  EXPECT_GE(BootTimeNs() - start, kWaitNs);
  EXPECT_EQ(written, DispatchesIn(2));
  // Each wait would sleep at least once.
  constexpr int kRefused = 1000;
  const long slept = SleepsOfThisThread();
  for (int i = 0; i < kRefused; ++i) EXPECT_FALSE(WriteLongDispatch(writer, 1, written + 1));
  EXPECT_LT(SleepsOfThisThread() - slept, kRefused);
  collected.Poll();
  ASSERT_TRUE(WriteLongDispatch(writer, 1, ++written));
  while (WriteLongDispatch(writer, 1, written + 1)) ++written;
  collected.Poll();
  EXPECT_EQ(collected.dispatches().at(1), UpTo(written));
}

TEST(Writer, FinishEndsAWaitForRoom) {
  TempDir dir;
  Writer writer;
  ASSERT_TRUE(OpenWriter(writer, dir, 2, 600'000'000'000).ok());
  for (uint64_t i = 1; i <= DispatchesIn(2); ++i) {
    ASSERT_TRUE(WriteLongDispatch(writer, 1, i));
  }
  bool written = true;
  std::thread waiting([&] { written = WriteLongDispatch(writer, 2, 1); });
  writer.Finish();
  waiting.join();
  EXPECT_FALSE(written);
}

TEST(Writer, GoesOnWhileAnIdleThreadKeepsAnOldSegmentOpen) {
  TempDir dir;
  Writer writer;
  ASSERT_TRUE(OpenWriter(writer, dir, 3).ok());
  Collected collected(dir);
  ASSERT_TRUE(WriteLongDispatch(writer, 1, 1));  // this thread keeps its chunk of segment 1
  std::thread([&] {
    for (uint64_t i = 1; i <= DispatchesIn(8); ++i) {
      ASSERT_TRUE(WriteLongDispatch(writer, 2, i)) << i;
      if (i % kDispatchesPerChunk == 0) collected.Poll();
    }
  }).join();
  ASSERT_TRUE(WriteLongDispatch(writer, 1, 2));
  collected.Poll();
  EXPECT_EQ(collected.dispatches().at(1), UpTo(2));
  EXPECT_EQ(collected.dispatches().at(2), UpTo(DispatchesIn(8)));
}

TEST(Writer, UnmapsSegmentsWithoutWriters) {
  TempDir dir;
  Writer writer;
  ASSERT_TRUE(OpenWriter(writer, dir).ok());
  for (uint64_t i = 1; i <= DispatchesIn(3) + 1; ++i) {
    ASSERT_TRUE(WriteLongDispatch(writer, 1, i));
  }
  EXPECT_EQ(writer.mapped_segments(), 4u);
  writer.Maintain();
  EXPECT_EQ(writer.mapped_segments(), 1u);
}

TEST(Writer, RefusesWhenAFileMayNotGrow) {
  EXPECT_EQ(InChild([] {
              TempDir dir;
              const rlimit small = {1 << 18, 1 << 18};
              if (setrlimit(RLIMIT_FSIZE, &small) != 0) return 1;
              Writer writer;
              if (OpenWriter(writer, dir).ok()) return 2;
              if (dir.Count() != 0) return 3;
              return WriteDispatch(writer, 1, 1) ? 4 : 0;
            }),
            0);
}

// A process whose reader must learn of it.
TEST(Writer, CountsWithoutRoomForItsFiles) {
  for (const rlim_t room : {rlim_t{1} << 12, rlim_t{1} << 18}) {
    EXPECT_EQ(InChild([&] {
                TempDir dir;
                MakeOverflow(dir.path().c_str());
                const rlimit small = {room, room};
                if (setrlimit(RLIMIT_FSIZE, &small) != 0) return 1;
                Writer writer;
                WriterOptions options;
                options.directory = dir.path().c_str();
                options.tell_reader = true;
                if (writer.Open(options).ok() || !writer.counts_only()) return 2;
                if (WriteDispatch(writer, 1, 1)) return 3;
                writer.CountSubmitted(EventKind::kKernel, 7);
                const std::string why = writer.is_open() ? writer.control()->refusal : "";
                writer.Finish();
                const auto submitted = [&](EventKind kind) {
                  return writer.SubmittedCounter(kind)->load();
                };
                if (submitted(EventKind::kKernel) != 7 || writer.process()->pid == 0) return 4;
                if (writer.is_open()) return why.find("cannot reserve") == 0 ? 0 : 5;
                const OverflowPage* const page = MapOverflow(dir.path().c_str());
                return page != nullptr && page->taken == 1 && page->places[0].ready == 1 &&
                               page->places[0].submitted[0] == 7
                           ? 0
                           : 6;
              }),
              0)
        << room;
  }
}

TEST(Writer, RefusesWhileTheDiskIsFullAndGoesOnAfterwards) {
  TempDir dir;
  const test::SmallDisk disk(dir.path(), "size=6m,mode=0700");
  if (!disk.mounted()) GTEST_SKIP() << "needs the right to mount a tmpfs";
  Writer writer;
  ASSERT_TRUE(OpenWriter(writer, dir).ok());
  Collected collected(dir);
  uint64_t written = 0;
  while (WriteLongDispatch(writer, 1, written + 1)) ++written;
  EXPECT_EQ(written, DispatchesIn(2));
  collected.Poll();
  writer.Maintain();  // the mapping of a deleted file holds its blocks
  const uint64_t deadline = BootTimeNs() + 10'000'000'000;
  while (!WriteLongDispatch(writer, 1, written + 1)) ASSERT_LT(BootTimeNs(), deadline);
  collected.Poll();
  EXPECT_EQ(collected.dispatches().at(1), UpTo(written + 1));
}

TEST(Writer, RefusesTheChildOfAFork) {
  TempDir dir;
  Writer writer;
  ASSERT_TRUE(OpenWriter(writer, dir).ok());
  ASSERT_TRUE(WriteDispatch(writer, 1, 1));
  EXPECT_EQ(InChild([&] {
              if (WriteDispatch(writer, 1, 99)) return 1;
              writer.Maintain();
              writer.Finish();
              writer.CountLoss(EventKind::kMarker, Loss::kForked, 1);
              return 0;
            }),
            0);
  EXPECT_EQ(writer.control()->writer_state.load(), WriterState::kRunning);
  EXPECT_EQ(writer.control()->losses[1][static_cast<size_t>(Loss::kForked)].load(), 1u);
  ASSERT_TRUE(WriteDispatch(writer, 1, 2));
  Collected collected(dir);
  collected.Poll();
  EXPECT_EQ(collected.dispatches().at(1), UpTo(2));
}

TEST(Writer, NoticesTheChildOfARawCloneOnce) {
  TempDir dir;
  Writer writer;
  ASSERT_TRUE(OpenWriter(writer, dir).ok());
  EXPECT_FALSE(Writer::NoticeFork());
  const long child = syscall(SYS_clone, SIGCHLD, nullptr, nullptr, nullptr, nullptr);
  ASSERT_GE(child, 0);
  if (child == 0) {
    const bool noticed = Writer::NoticeFork() && !Writer::NoticeFork();
    Writer own;
    const bool writes = OpenWriter(own, dir).ok() && WriteDispatch(own, 1, 1);
    _exit(noticed && writes && !WriteDispatch(writer, 1, 99) ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(static_cast<pid_t>(child), &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_FALSE(Writer::NoticeFork());
  EXPECT_TRUE(WriteDispatch(writer, 1, 1));
}

TEST(Writer, KeepsEveryCommittedRecordOfAKilledProcess) {
  constexpr size_t kSegments = 16;
  // long enough never to pass: no reader frees room
  constexpr uint64_t kRoomWaitNs = 600'000'000'000;
  TempDir dir;
  int progress[2];
  ASSERT_EQ(pipe(progress), 0);
  const pid_t child = fork();
  if (child == 0) {
    Writer writer;
    if (!OpenWriter(writer, dir, kSegments, kRoomWaitNs).ok()) _exit(1);
    for (uint64_t i = 1;; ++i) {
      if (!WriteDispatch(writer, 1, i)) _exit(2);
      if (i % 5000 == 0 && write(progress[1], &i, sizeof i) != sizeof i) _exit(3);
    }
  }
  uint64_t reported = 0;
  for (int i = 0; i < 10; ++i) {
    ASSERT_EQ(read(progress[0], &reported, sizeof reported), static_cast<ssize_t>(sizeof reported));
  }
  Collected collected(dir);
  collected.Poll();
  EXPECT_FALSE(collected.reader().WriterGone());
  ASSERT_EQ(kill(child, SIGKILL), 0);
  siginfo_t info;
  ASSERT_EQ(waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT), 0);
  EXPECT_TRUE(collected.reader().WriterGone()) << "a zombie is gone";
  ASSERT_EQ(waitpid(child, nullptr, 0), child);
  collected.Poll();
  const std::vector<uint64_t>& ids = collected.dispatches().at(1);
  EXPECT_GE(ids.size(), reported);
  EXPECT_EQ(ids, UpTo(ids.size()));
  EXPECT_EQ(collected.reader().torn(), 0u);
  close(progress[0]);
  close(progress[1]);
}

TEST(Writer, RefusesEverythingAfterFinish) {
  TempDir dir;
  Writer writer;
  ASSERT_TRUE(OpenWriter(writer, dir).ok());
  ASSERT_TRUE(WriteDispatch(writer, 1, 1));
  writer.CountSubmitted(EventKind::kKernel, 1);
  writer.Finish();
  writer.Finish();
  EXPECT_FALSE(WriteDispatch(writer, 1, 2));
  writer.CountSubmitted(EventKind::kKernel, 1);
  writer.CountLoss(EventKind::kKernel, Loss::kShutdown, 1);
  EXPECT_EQ(writer.control()->submitted[0].load(), 1u);
  EXPECT_EQ(writer.control()->losses[0][static_cast<size_t>(Loss::kShutdown)].load(), 0u);
  EXPECT_EQ(writer.control()->writer_state.load(), WriterState::kFinished);
  EXPECT_GT(writer.control()->finished.load(), 0u);
}

// A reader that sees "finished" must see every accepted write, whatever the other threads were
// doing at that moment. Finish waits at most half a second for each write. A round proves nothing
// if a thread was held up for longer in the middle of its record, as by a busy disk.
TEST(Writer, FinishCommitsTheWritesThatOtherThreadsHadBegun) {
  constexpr uint64_t kFinishWaitNs = 500'000'000;
  for (int round = 0; round < 50;) {
    TempDir dir;
    Writer writer;
    ASSERT_TRUE(OpenWriter(writer, dir, 16).ok());
    Collected collected(dir);
    std::atomic<uint64_t> accepted{0};
    std::atomic<int> started{0};
    std::vector<std::thread> threads;
    for (uint32_t t = 0; t < 3; ++t) {
      threads.emplace_back([&, t] {
        started.fetch_add(1);
        uint64_t mine = 0;
        while (WriteDispatch(writer, t, mine + 1)) ++mine;
        accepted.fetch_add(mine);
      });
    }
    while (started.load() != 3) std::this_thread::yield();
    const uint64_t begun = BootTimeNs();
    writer.Finish();
    const bool waited_for_all = BootTimeNs() - begun < kFinishWaitNs;
    collected.Poll();
    const size_t read = collected.total();
    for (std::thread& thread : threads) thread.join();
    EXPECT_LE(read, accepted.load());
    if (!waited_for_all) continue;
    EXPECT_EQ(read, accepted.load());
    ++round;
  }
}

TEST(Writer, WaitsForTheCollectorWithinALimit) {
  TempDir dir;
  Writer writer;
  ASSERT_TRUE(OpenWriter(writer, dir).ok());
  Collected collected(dir);
  writer.Finish();
  EXPECT_FALSE(writer.WaitCollected(1'000'000));
  std::thread collector([&] { collected.reader().SetCollectorState(CollectorState::kDone); });
  EXPECT_TRUE(writer.WaitCollected(60'000'000'000));
  collector.join();
}

TEST(Writer, StopsTakingChunksAfterTheCollectorHasLeft) {
  TempDir dir;
  Writer writer;
  ASSERT_TRUE(OpenWriter(writer, dir).ok());
  Collected collected(dir);
  ASSERT_TRUE(WriteLongDispatch(writer, 1, 1));
  collected.reader().SetCollectorState(CollectorState::kAbandoned);
  EXPECT_TRUE(writer.Abandoned());
  uint64_t written = 1;
  while (WriteLongDispatch(writer, 1, written + 1)) ++written;
  EXPECT_EQ(written, kDispatchesPerChunk) << "the chunk in hand, and no other";
  EXPECT_FALSE(writer.WaitCollected(60'000'000'000)) << "at once";
}

TEST(SubmittedCounts, AddsWhatThreadsCountInCellsOfTheirOwn) {
  auto page = std::make_unique<ControlPage>();
  page->submitted[static_cast<size_t>(EventKind::kHipCall)].fetch_add(2);
  page->submitted.cells()[0].Count(false);
  page->submitted.cells()[kCallCells - 1].Count(false);
  page->submitted.cells()[1].Count(true);
  const ControlPage& read = *page;
  for (size_t kind = 0; kind < kEventKindCount; ++kind) {
    const uint64_t expected = EventKind(kind) == EventKind::kHipCall        ? 4
                              : EventKind(kind) == EventKind::kCompilerCall ? 1
                                                                            : 0;
    EXPECT_EQ(read.submitted[kind].load(), expected) << kind;
  }
}

}  // namespace
}  // namespace rtl::spool
