// SPDX-License-Identifier: MIT
#include "trace/collect/collector.h"

#include <signal.h>

#include <atomic>
#include <fstream>
#include <thread>

#include "base/clock.h"
#include "tests/support/no_threads.h"
#include "tests/support/small_disk.h"
#include "tests/support/trace_builder.h"
#include "trace/collect/collector_test_support.h"
#include "trace/write/claim.h"

namespace rtl::store {
namespace {

using test::TraceBuilder;

TEST_F(CollectorTest, CollectsFromProcessesThatComeAndGo) {
  constexpr uint64_t kMarks = 20'000;
  constexpr int kProcesses = 4;
  Start();
  std::vector<pid_t> children;
  for (int i = 0; i < kProcesses; ++i) {
    int ready = -1;
    children.push_back(StartChild(options_.spool, kMarks, &ready, [](spool::Writer& writer) {
      writer.Finish();
      return writer.WaitCollected(60'000'000'000) ? 0 : 4;
    }));
    close(ready);
  }
  for (const pid_t child : children) collector_.WaitForProcess(static_cast<uint32_t>(child));
  Stop({ExitStatus::How::kExited, 3});
  for (const pid_t child : children) EXPECT_EQ(Reap(child), 0) << "it was told that all is stored";
  EXPECT_EQ(result_.rows, kProcesses * kMarks);
  EXPECT_EQ(result_.kind(EventKind::kMarker).recorded, kProcesses * kMarks);
  EXPECT_EQ(result_.kind(EventKind::kMarker).lost(), 0u);
  EXPECT_EQ(result_.warnings, Rows{});
  ASSERT_EQ(result_.processes.size(), size_t{kProcesses});
  for (const ProcessResult& process : result_.processes)
    EXPECT_EQ(process.end, ProcessEnd::kFinished);
  ExpectBooksToBalance();
  EXPECT_EQ(Ask("SELECT count(DISTINCT pid), min(n), max(n) FROM"
                " (SELECT pid, count(DISTINCT start) AS n FROM rocpd_op GROUP BY pid)"),
            Rows{"4|20000|20000"});
  EXPECT_EQ(Metadata("exit_code"), "3");
  EXPECT_FALSE(std::filesystem::exists(options_.spool));
  EXPECT_EQ(dir_.Count(), 1u);
}

TEST_F(CollectorTest, ReadsTheClocksOfTheHost) {
  const int64_t distance = RealtimeMinusBootTimeNs();
  Start();
  const pid_t child = StartChild(options_.spool, 10, [](spool::Writer& writer) {
    writer.Finish();
    return writer.WaitCollected(60'000'000'000) ? 0 : 4;
  });
  collector_.WaitForProcess(static_cast<uint32_t>(child));
  EXPECT_EQ(Reap(child), 0);
  Stop();
  EXPECT_EQ(Ask("SELECT count(*), max(c.time) >= min(p.started), min(c.pid) FROM rtl_clock c"
                " JOIN rtl_process p ON p.id = c.process_id"),
            Rows{"2|1|" + std::to_string(child)});
  // A time server may set the clock meanwhile, but not by a second.
  EXPECT_EQ(
      Ask("SELECT DISTINCT abs(realtime - time - " + std::to_string(distance) +
          ") < 1000000000, realtime_width >= 0, raw > 0, raw <= time + raw_width FROM rtl_clock"),
      Rows{"1|1|1|1"});
}

TEST_F(CollectorTest, KnowsNoClocksOfAProcessThatEndedBefore) {
  const pid_t child = StartChild(options_.spool, 10, Finished);
  EXPECT_EQ(Reap(child), 0);
  Start();
  Stop();
  EXPECT_EQ(Ask("SELECT count(*) FROM rtl_process"), Rows{"1"});
  EXPECT_EQ(Ask("SELECT count(*) FROM rtl_clock"), Rows{"0"});
}

// rtl passes signals on to the program. Its main thread blocks signals while it starts a thread:
// the collector's thread must not take a signal meanwhile.
TEST_F(CollectorTest, TakesNoSignal) {
  static std::atomic<int> taken{0};
  sigset_t set, before;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  struct sigaction count = {};
  struct sigaction action_before;
  count.sa_handler = [](int) { ++taken; };
  ASSERT_EQ(sigaction(SIGUSR1, &count, &action_before), 0);
  Start();
  ASSERT_EQ(pthread_sigmask(SIG_BLOCK, &set, &before), 0);
  ASSERT_EQ(kill(getpid(), SIGUSR1), 0);
  Stop();
  const timespec at_once = {};
  EXPECT_EQ(sigtimedwait(&set, nullptr, &at_once), SIGUSR1) << "it waits for the thread it is for";
  EXPECT_EQ(taken, 0);
  (void)pthread_sigmask(SIG_SETMASK, &before, nullptr);
  (void)sigaction(SIGUSR1, &action_before, nullptr);
}

TEST_F(CollectorTest, ReportsThatTheSystemHasNoThreadToReadWith) {
  const test::NoThreads none;
  EXPECT_STREQ(collector_.Start(options_).message(),
               "no thread to read the spool with: Resource temporarily unavailable");
}

TEST_F(CollectorTest, AbandonsAProcessThatStillRuns) {
  int gate[2];
  ASSERT_EQ(pipe(gate), 0);
  Start();
  const pid_t child = StartChild(options_.spool, 100, [&](spool::Writer& writer) {
    char byte;
    if (read(gate[0], &byte, 1) != 1) return 5;
    return writer.Abandoned() && !writer.WaitCollected(60'000'000'000) ? 0 : 6;
  });
  Stop();
  ASSERT_EQ(write(gate[1], "x", 1), 1);
  EXPECT_EQ(Reap(child), 0) << "it knows that nobody reads any more";
  EXPECT_EQ(result_.rows, 100u);
  EXPECT_EQ(result_.processes.at(0).end, ProcessEnd::kAbandoned);
  EXPECT_EQ(
      result_.warnings,
      Rows{"process " + std::to_string(child) +
           " was still running when collecting ended; its later events are not in the trace"});
  EXPECT_EQ(Metadata("warning.1"), result_.warnings.at(0));
  ExpectBooksToBalance();
  close(gate[0]);
  close(gate[1]);
}

TEST_F(CollectorTest, ReturnsFromWaitingForAProcessThatLeftNothing) {
  Start();
  const pid_t child = fork();
  if (child == 0) _exit(0);
  collector_.WaitForProcess(static_cast<uint32_t>(child));
  EXPECT_EQ(Reap(child), 0);
  Stop();
  EXPECT_EQ(result_.processes.size(), 0u);
  EXPECT_EQ(Metadata("submitted.kernels"), "0");
  EXPECT_EQ(Ask("SELECT count(*) FROM rtl_process"), Rows{"0"});
}

TEST_F(CollectorTest, TakesTheInterceptionMethodAndRuntimeThatTheProcessReportsLast) {
  Start();
  const pid_t child = StartChild(options_.spool, 1, [](spool::Writer& writer) {
    snprintf(writer.control()->process.runtime, sizeof(spool::ProcessInfo::runtime), "HSA 1.1");
    snprintf(writer.control()->process.loaded_by, sizeof(spool::ProcessInfo::loaded_by), "late");
    writer.Finish();
    return 0;
  });
  collector_.WaitForProcess(static_cast<uint32_t>(child));
  EXPECT_EQ(Reap(child), 0);
  Stop();
  EXPECT_EQ(result_.processes.at(0).runtime, "HSA 1.1");
  EXPECT_EQ(Ask("SELECT loaded_by, runtime FROM rtl_process"), Rows{"late|HSA 1.1"});
  EXPECT_EQ(Metadata("runtime"), "HSA 1.1");
}

TEST_F(CollectorTest, KeepsTheSpoolOnRequest) {
  options_.keep_spool = true;
  ASSERT_TRUE(TraceBuilder::ThreeKernelsOnTwoQueues().WriteSpool(options_.spool).ok());
  for (int i = 0; i < 2; ++i) {
    Collector collector;
    ASSERT_TRUE(collector.Start(options_).ok());
    ASSERT_TRUE(collector.Stop({}, &result_).ok());
    EXPECT_EQ(result_.rows, 4u);
    result_ = CollectResult();
  }
  EXPECT_TRUE(std::filesystem::exists(options_.spool + "/1000-1.ctl"));
}

TEST_F(CollectorTest, WarnsOfAnUnreadableProcess) {
  FILE* page = fopen((options_.spool + "/77-1.ctl").c_str(), "wb");
  ASSERT_NE(page, nullptr);
  ASSERT_EQ(fclose(page), 0);
  Start();
  Stop();
  ASSERT_GE(result_.warnings.size(), 1u);
  EXPECT_EQ(result_.warnings[0].find("process 77-1 was not read: "), 0u) << result_.warnings[0];
}

TEST_F(CollectorTest, TakesTheNextNameWhenItsOwnHasBecomeADirectory) {
  ASSERT_TRUE(TraceBuilder::ThreeKernelsOnTwoQueues().WriteSpool(options_.spool).ok());
  Start();
  std::filesystem::create_directory(options_.output);
  Stop();
  EXPECT_TRUE(std::filesystem::is_directory(options_.output));
  EXPECT_EQ(result_.output, dir_.File("trace.2.db"));
  EXPECT_EQ(result_.warnings, Rows{"cannot write " + options_.output +
                                   ": Is a directory; this one is in " + result_.output});
  EXPECT_EQ(store::Ask(result_.output, "SELECT count(*) FROM rocpd_op"), Rows{"4"});
}

// The program's records and the half database do not fit on the disk together.
TEST_F(CollectorTest, KeepsEveryRecordOnAFullDiskAndAnotherDiskGetsThemAll) {
  const std::string small = dir_.File("small");
  std::filesystem::create_directory(small);
  const test::SmallDisk disk(small, "size=6m");
  if (!disk.mounted()) GTEST_SKIP() << "needs the right to mount a tmpfs";
  UseFolder(small);
  Start();
  spool::Writer writer;
  Open(writer);
  uint64_t recorded = 0;
  const std::string text(4000, 'x');
  for (; recorded < 2000; ++recorded) {
    MarkRecord mark;
    mark.head = {RecordType::kMark, 0, 1};
    mark.time = recorded + 1;
    mark.text_bytes = static_cast<uint32_t>(text.size());
    std::string own = std::to_string(recorded) + text;
    own.resize(text.size());  // no two marks have the same text
    writer.CountSubmitted(EventKind::kMarker, 1);
    if (!writer.Write(&mark, sizeof mark, own.data(), own.size())) break;
    writer.CountRecorded(EventKind::kMarker, 1);
    writer.Maintain();
  }
  writer.CountLoss(EventKind::kMarker, Loss::kSpoolFull, 1);
  writer.Finish();
  const Status stopped = collector_.Stop({}, &result_);
  ASSERT_FALSE(stopped.ok());
  EXPECT_EQ(std::string(stopped.message()),
            "cannot write " + options_.output + ": the disk is full");
  EXPECT_FALSE(std::filesystem::exists(options_.output));

  options_.output = dir_.File("elsewhere.db");
  Collector other;
  ASSERT_TRUE(other.Start(options_).ok());
  result_ = CollectResult();
  ASSERT_TRUE(other.Stop({}, &result_).ok());
  EXPECT_EQ(result_.kind(EventKind::kMarker).recorded, recorded);
  EXPECT_FALSE(std::filesystem::exists(options_.spool));
  ExpectBooksToBalance();
}

// Another file takes the room on the disk meanwhile, and is gone at the end.
TEST_F(CollectorTest, MakesTheDatabaseAgainWhenThereIsRoomAtTheEnd) {
  const std::string small = dir_.File("small");
  std::filesystem::create_directory(small);
  const test::SmallDisk disk(small, "size=8m");
  if (!disk.mounted()) GTEST_SKIP() << "needs the right to mount a tmpfs";
  UseFolder(small);
  spool::Writer writer;
  Open(writer);
  constexpr uint64_t kMarks = 20'000;
  for (uint64_t i = 1; i <= kMarks; ++i) ASSERT_TRUE(WriteMark(writer, i));
  Start();
  {
    std::ofstream filler(small + "/filler", std::ios::binary);
    const std::string block(1 << 16, 'f');
    while (filler.write(block.data(), static_cast<std::streamsize>(block.size())).flush()) {
    }
  }
  collector_.WaitForProcess(static_cast<uint32_t>(getpid()));  // or until the collector has failed
  std::filesystem::remove(small + "/filler");
  Stop();
  EXPECT_EQ(result_.kind(EventKind::kMarker).recorded, kMarks);
  ExpectBooksToBalance();
}

TEST_F(CollectorTest, ARunThatRecordedNothingLeavesAnEarlierTraceAlone) {
  ASSERT_TRUE(TraceBuilder::ThreeKernelsOnTwoQueues().WriteSpool(options_.spool).ok());
  Start();
  Stop();
  std::filesystem::create_directory(options_.spool);
  Collector nothing;
  ASSERT_TRUE(nothing.Start(options_).ok());
  result_ = CollectResult();
  ASSERT_TRUE(nothing.Stop({}, &result_).ok());
  EXPECT_TRUE(result_.left_earlier);
  EXPECT_EQ(result_.output, "");
  EXPECT_EQ(result_.warnings,
            Rows{"nothing was recorded; the earlier trace in " + options_.output + " stays"});
  EXPECT_EQ(Ask("SELECT count(*) FROM rocpd_op"), Rows{"4"});
  EXPECT_EQ(dir_.Count(), 1u);
}

// A kernel whose signal has dropped has ended, recorded or not. A signal whose memory is gone says
// nothing.
TEST_F(CollectorTest, SaysWhatALivingProcessKnowsOfItsKernelsInFlight) {
  struct Signal {
    int64_t kind;
    std::atomic<int64_t> value;
  };
  static Signal ended = {1, 0}, running = {1, 1};
  const auto handle = [](const Signal& signal) { return reinterpret_cast<uint64_t>(&signal); };
  constexpr uint64_t kGone = 4096;  // no memory is mapped there
  TraceBuilder builder;
  const uint32_t queue = builder.Queue(builder.Gpu("gfx906"));
  const uint32_t kernel = builder.Kernel("k");
  const auto add = [&](uint64_t packet, uint64_t signal, uint16_t flags) {
    builder.InFlight(queue, kernel, packet, {.submitted = 100, .flags = flags}).On(signal);
  };
  add(1, handle(ended), 0);
  add(2, handle(running), kDispatchFlagBarrierBit);
  add(3, kGone, kDispatchFlagBarrierBit);
  add(5, handle(running), 0);
  builder.WaitsFor(4, 2 * kGone).Lives();
  ASSERT_TRUE(builder.WriteSpool(options_.spool).ok());
  Start();
  std::vector<InFlightRow> rows;
  ASSERT_TRUE(collector_.InFlight(&rows).ok());
  ASSERT_EQ(rows.size(), 4u);
  using State = InFlightRow::State;
  EXPECT_EQ(rows[0].state, State::kEnded);
  EXPECT_EQ(rows[1].state, State::kFirst) << "what was before it has ended";
  EXPECT_EQ(rows[2].state, State::kWaits) << "whether it has ended itself is not known";
  EXPECT_EQ(rows[3].state, State::kWaits) << "behind packets that wait";
  EXPECT_EQ(rows[3].behind, "barrier packet 4 may wait for signal 0x2000 (value not readable)");
  EXPECT_TRUE(rows[3].alive);
  running.value = 0;  // and the tracer has not recorded it
  ASSERT_TRUE(collector_.InFlight(&rows).ok());
  EXPECT_EQ(rows[1].state, State::kEnded);
  EXPECT_EQ(rows[2].state, State::kFirst);
  EXPECT_EQ(rows[3].state, State::kEnded) << "it was no longer held up";
  Stop();
  ExpectBooksToBalance();
}

TEST_F(CollectorTest, FollowsTheFolderWhenItGetsAnotherName) {
  const std::string before = dir_.File("before"), after = dir_.File("after");
  std::filesystem::create_directory(before);
  UseFolder(before);
  ASSERT_TRUE(TraceBuilder::ThreeKernelsOnTwoQueues().WriteSpool(options_.spool).ok());
  Start();
  std::vector<InFlightRow> none;
  ASSERT_TRUE(collector_.InFlight(&none).ok());  // the database has begun
  std::filesystem::rename(before, after);
  Stop();
  EXPECT_EQ(result_.output, after + "/trace.db");
  EXPECT_TRUE(result_.spool_lost) << "a process that began now would not find it";
  EXPECT_EQ(result_.warnings,
            (Rows{"the spool " + options_.spool +
                      " was removed or renamed, or a disk was mounted over it, while the program "
                      "ran: processes that began afterwards are not in the trace",
                  "the folder of " + options_.output + " has another name now; this one is in " +
                      result_.output}));
  EXPECT_EQ(store::Ask(result_.output, "SELECT count(*) FROM rocpd_op"), Rows{"4"});
  EXPECT_FALSE(std::filesystem::exists(after + "/spool"));
}

TEST_F(CollectorTest, LeavesASpoolToTheCollectorThatReadsIt) {
  ASSERT_TRUE(TraceBuilder::ThreeKernelsOnTwoQueues().WriteSpool(options_.spool).ok());
  Start();
  EXPECT_FALSE(WasLeft(options_.spool));
  CollectOptions options = options_;
  options.output = dir_.File("second.db");
  const Status second = Collector().Start(options);
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(std::string(second.message()), "another collector reads the spool " + options_.spool);
  Stop();
  EXPECT_EQ(result_.rows, 4u);
}

// What `docker stop` and Slurm do to the tool after their limits.
TEST_F(CollectorTest, LosesNothingWhenItIsKilled) {
  constexpr uint64_t kMarks = 100'000;  // several segments
  const pid_t collecting = fork();
  if (collecting == 0) {
    Start();
    const pid_t child = StartChild(options_.spool, kMarks, Finished);
    (void)Reap(child);
    collector_.WaitForProcess(static_cast<uint32_t>(child));  // it has read everything
    (void)raise(SIGKILL);
  }
  EXPECT_TRUE(WIFSIGNALED(Reap(collecting)));
  EXPECT_TRUE(WasLeft(options_.spool));
  EXPECT_EQ(LeftBeside(dir_.File("spool")), Rows{});
  std::filesystem::rename(options_.spool, options_.output + ".spool-abcdef");
  options_.spool = options_.output + ".spool-abcdef";
  EXPECT_EQ(LeftBeside(options_.output), Rows{options_.spool});
  Start();
  Stop();
  EXPECT_EQ(result_.kind(EventKind::kMarker).recorded, kMarks);
  EXPECT_FALSE(std::filesystem::exists(options_.spool));
  ExpectBooksToBalance();
}

TEST_F(CollectorTest, DeletesWhatItHasReadBeyondItsLimit) {
  options_.kept_bytes = 3 * spool::kSegmentBytes;
  Start();
  spool::Writer writer;
  Open(writer, 16 * spool::kSegmentBytes);
  const auto segments = [&] {
    size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(options_.spool)) {
      count += entry.path().extension() == ".seg";
    }
    return count;
  };
  size_t most = 0;
  uint64_t marks = 0;
  for (uint64_t i = 1; writer.control()->segments_created.load() < 12; ++i) {
    if (WriteMark(writer, i)) {
      ++marks;
    } else {
      writer.CountLoss(EventKind::kMarker, Loss::kSpoolFull, 1);
      std::this_thread::yield();
    }
    writer.Maintain();
    if (i % 10'000 == 0) most = std::max(most, segments());
  }
  writer.Finish();
  while (segments() > 5) std::this_thread::yield();
  EXPECT_GT(most, 2u);
  Stop();
  EXPECT_EQ(result_.kind(EventKind::kMarker).recorded, marks);
  ExpectBooksToBalance();
}

TEST_F(CollectorTest, NeverReplacesAFileThatAppearedMeanwhile) {
  ASSERT_TRUE(TraceBuilder::ThreeKernelsOnTwoQueues().WriteSpool(options_.spool).ok());
  Start();
  FILE* other = fopen(options_.output.c_str(), "wb");
  ASSERT_NE(other, nullptr);
  ASSERT_EQ(fclose(other), 0);
  Stop();
  EXPECT_EQ(std::filesystem::file_size(options_.output), 0u);
  EXPECT_EQ(result_.output, dir_.File("trace.2.db"));
  EXPECT_EQ(result_.warnings, Rows{options_.output +
                                   " was written by another program meanwhile;"
                                   " this one is in " +
                                   result_.output});
  EXPECT_EQ(store::Ask(result_.output, "SELECT count(*) FROM rocpd_op"), Rows{"4"});
}

TEST_F(CollectorTest, ReportsWhyAProcessIsNotTraced) {
  spool::Writer writer;
  spool::WriterOptions options;
  options.directory = options_.spool.c_str();
  ASSERT_TRUE(writer.Refuse(options, "no room").ok());
  Start();
  collector_.WaitForProcess(static_cast<uint32_t>(getpid()));
  Stop();
  ASSERT_EQ(result_.processes.size(), 1u);
  EXPECT_EQ(result_.processes[0].refusal, "no room");
  EXPECT_EQ(result_.warnings,
            Rows{"process " + std::to_string(getpid()) + " is not traced: no room"});
}

TEST_F(CollectorTest, ContinuesTheTraceOfItsJob) {
  options_.shared = true;
  TraceBuilder trace = TraceBuilder::ThreeKernelsOnTwoQueues();
  trace.Lose(EventKind::kKernel, Loss::kBatch, 2).Warning("first");
  ASSERT_TRUE(trace.WriteDatabase(options_.output).ok());
  TraceBuilder second = TraceBuilder::ThreeKernelsOnTwoQueues();
  second.Lose(EventKind::kKernel, Loss::kBatch, 5).Warning("second");
  ASSERT_TRUE(second.WriteSpool(options_.spool).ok());
  Start();
  Stop();
  EXPECT_EQ(result_.rows, 4u);
  EXPECT_EQ(Ask("SELECT count(*), count(DISTINCT id), count(DISTINCT queueId) FROM rocpd_op"),
            Rows{"8|8|5"});  // two queues of each process, and 0: no queue
  EXPECT_EQ(Ask("SELECT d.string, count(*) FROM rocpd_op o JOIN rtl_kernel k ON k.id = o.kernel_id"
                " JOIN rocpd_string d ON d.id = k.name_id AND d.id = o.description_id"
                " GROUP BY 1 ORDER BY 1"),
            (Rows{"copy(float const*, float*)|2", "gemm(float*, float*, float*, int)|4"}));
  EXPECT_EQ(Metadata("submitted.kernels"), "13");
  EXPECT_EQ(Metadata("seen.kernels"), "13") << "the alias counts once, too";
  EXPECT_EQ(Ask("SELECT tag FROM rocpd_metadata GROUP BY tag HAVING count(*) > 1"), Rows{});
  EXPECT_EQ(Metadata("recorded.kernels"), "6");
  EXPECT_EQ(Metadata("loss.kBatch.kernels"), "7");
  EXPECT_EQ(Metadata("warning.1"), "first");
  EXPECT_EQ(Metadata("warning.2"), "second");
}

TEST_F(CollectorTest, RecognisesItsJobBesideAProcessThatIsJustJoining) {
  options_.shared = true;
  TraceBuilder trace = TraceBuilder::ThreeKernelsOnTwoQueues();
  ASSERT_TRUE(trace.WriteDatabase(options_.output).ok());
  ASSERT_TRUE(trace.WriteSpool(options_.spool).ok());
  const std::string joining = options_.spool + "/1-1.ctl";  // nothing in it yet; sorts first
  ASSERT_EQ(fclose(fopen(joining.c_str(), "w")), 0);
  ASSERT_EQ(Stems(options_.spool).front(), "1-1");
  Start();
  Stop();
  EXPECT_EQ(Ask("SELECT count(*) FROM rocpd_op"), Rows{"8"});
}

TEST_F(CollectorTest, GivesEveryProcessItsOwnDatabaseOnRequest) {
  options_.split = true;
  TraceBuilder trace = TraceBuilder::ThreeKernelsOnTwoQueues();
  trace.Rank(0, 2, "job-7").Exec().Mark(7, 100, "later");
  trace.NextProcess()
      .Rank(1, 2, "job-7")
      .Mark(7, 100, "other")
      .Lose(EventKind::kKernel, Loss::kBatch, 5);
  ASSERT_TRUE(trace.WriteSpool(options_.spool).ok());
  Start();
  Stop({ExitStatus::How::kExited, 0});
  EXPECT_EQ(result_.output, "");
  EXPECT_FALSE(std::filesystem::exists(options_.output));
  EXPECT_EQ(dir_.Count(), 3u);
  EXPECT_EQ(result_.rows, 6u);
  ASSERT_EQ(result_.processes.size(), 3u);
  const struct {
    const char* file;
    uint64_t rows;
    ProcessEnd end;
    int32_t rank;
    const char* first;  // name of the earliest event
  } expected[] = {{"trace.1000.db", 4, ProcessEnd::kFinished, 0, "step"},
                  {"trace.1000-2.db", 1, ProcessEnd::kFinished, 0, "later"},
                  {"trace.1002.db", 1, ProcessEnd::kFinished, 1, "other"}};
  for (size_t i = 0; i < 3; ++i) {
    const ProcessResult& process = result_.processes[i];
    EXPECT_EQ(process.output, dir_.File(expected[i].file));
    EXPECT_EQ(process.rows, expected[i].rows);
    EXPECT_EQ(process.end, expected[i].end) << process.output;
    options_.output = process.output;  // the database that Ask queries
    EXPECT_EQ(Ask("SELECT count(*) FROM rocpd_op"), Rows{std::to_string(expected[i].rows)});
    EXPECT_EQ(Ask("SELECT string FROM rocpd_op o JOIN rocpd_string s ON s.id = description_id"
                  " ORDER BY start LIMIT 1"),
              Rows{expected[i].first});
    EXPECT_EQ(Ask("SELECT id, pid FROM rtl_process"), Rows{"1|" + std::to_string(process.pid)});
    EXPECT_EQ(Metadata("submitted.kernels"),
              std::to_string(process.kind(EventKind::kKernel).submitted));
    EXPECT_EQ(Metadata("pid"), std::to_string(process.pid));
  }
  ASSERT_EQ(result_.processes[0].gpus.size(), 1u);
  EXPECT_EQ(result_.processes[0].gpus[0].uuid, "GPU-0001");
  EXPECT_EQ(result_.processes[2].rank, 1);
  EXPECT_EQ(result_.processes[2].world, 2u);
  EXPECT_EQ(result_.processes[2].kind(EventKind::kKernel).loss(Loss::kBatch), 5u);
  EXPECT_EQ(result_.kind(EventKind::kKernel).submitted, 8u);
}

TEST_F(CollectorTest, CompletesTheDatabaseOfAProcessWhileOthersRun) {
  options_.split = true;
  Start();
  int gate[2];
  ASSERT_EQ(pipe(gate), 0);
  const pid_t running = StartChild(options_.spool, 7, [&](spool::Writer&) {
    char byte;
    return read(gate[0], &byte, 1) == 1 ? 0 : 5;
  });
  const pid_t ended = StartChild(options_.spool, 3, Finished);
  EXPECT_EQ(Reap(ended), 0);
  collector_.WaitForProcess(static_cast<uint32_t>(ended));
  EXPECT_EQ(store::Ask(dir_.File("trace." + std::to_string(ended) + ".db"),
                       "SELECT count(*) FROM rocpd_op"),
            Rows{"3"});
  EXPECT_FALSE(std::filesystem::exists(dir_.File("trace." + std::to_string(running) + ".db")));
  Stop();
  EXPECT_EQ(store::Ask(dir_.File("trace." + std::to_string(running) + ".db"),
                       "SELECT count(*), (SELECT count(*) FROM rocpd_metadata WHERE tag LIKE"
                       " 'warning.%' AND value LIKE '%was still running%') FROM rocpd_op"),
            Rows{"7|1"});
  ASSERT_EQ(write(gate[1], "x", 1), 1);
  EXPECT_EQ(Reap(running), 0);
  close(gate[0]);
  close(gate[1]);
}

TEST_F(CollectorTest, RefusesAnImpossibleSpoolOrOutput) {
  CollectOptions options = options_;
  options.spool = dir_.File("none");
  EXPECT_FALSE(Collector().Start(options).ok());
  options = options_;
  options.output = dir_.File("none/trace.db");
  EXPECT_FALSE(Collector().Start(options).ok());
}

}  // namespace
}  // namespace rtl::store
