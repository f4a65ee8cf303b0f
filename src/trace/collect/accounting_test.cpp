// SPDX-License-Identifier: MIT
// What a trace says of the events that were submitted, recorded and lost.
#include <signal.h>
#include <sys/resource.h>

#include <filesystem>

#include "spool/reader.h"
#include "tests/support/trace_builder.h"
#include "trace/collect/collector_test_support.h"

namespace rtl::store {
namespace {

using test::TraceBuilder;
using AccountingTest = CollectorTest;

// Four queues: one with two recorded kernels, one with none, and two that used one counter after
// the other. The end of the first of those two is not reported.
bool WriteQueues(spool::Writer& writer) {
  for (uint32_t number = 1; number <= 4; ++number) {
    QueueRecord queue;
    queue.head = {RecordType::kQueue, 0, 1};
    queue.queue = number;
    if (!writer.Write(&queue, sizeof queue, nullptr, 0)) return false;
  }
  for (uint64_t number = 1; number <= 2; ++number) {
    DispatchRecord dispatch;
    dispatch.head = {RecordType::kDispatch, 0, 1};
    dispatch.dispatch = number;
    dispatch.queue = 1;
    dispatch.start = dispatch.end = 100 + number;
    if (!writer.Write(&dispatch, sizeof dispatch, nullptr, 0)) return false;
    writer.CountRecorded(EventKind::kKernel, 1);
  }
  QueueCounter* const counters = writer.control()->queue_submitted;
  for (uint32_t i = 0; i < 3; ++i) counters[i].Serve(i + 1);
  counters[0].submitted.store(5);
  counters[1].submitted.store(4);
  counters[2].submitted.store(6);
  counters[2].Serve(4);
  counters[2].submitted.store(9);
  return true;
}

TEST_F(AccountingTest, AccountsForAProcessThatWasKilled) {
  Start();
  const pid_t child = StartChild(options_.spool, 1000, [](spool::Writer& writer) {
    writer.CountSubmitted(EventKind::kKernel, 7);  // in flight
    raise(SIGKILL);
    return 0;
  });
  collector_.WaitForProcess(static_cast<uint32_t>(child));
  EXPECT_EQ(WTERMSIG(Reap(child)), SIGKILL);
  Stop({ExitStatus::How::kSignalled, SIGKILL});
  const KindTotals& kernels = result_.kind(EventKind::kKernel);
  EXPECT_EQ(kernels.submitted, 7u);
  EXPECT_EQ(kernels.loss(Loss::kKilled), 7u);
  EXPECT_EQ(result_.kind(EventKind::kMarker).recorded, 1000u);
  EXPECT_EQ(result_.processes.at(0).end, ProcessEnd::kKilled);
  ExpectBooksToBalance();
  EXPECT_EQ(Metadata("signal"), "9");
  EXPECT_EQ(Metadata("loss.kKilled.kernels"), "7");
  EXPECT_EQ(Ask("SELECT ended FROM rtl_process"),
            Ask("SELECT max(end, started) FROM rocpd_op, rtl_process ORDER BY end DESC LIMIT 1"));
}

TEST_F(AccountingTest, AccountsForTheQueuesOfAProcessThatWasKilled) {
  Start();
  const pid_t child = StartChild(options_.spool, 1, [](spool::Writer& writer) {
    if (WriteQueues(writer)) raise(SIGKILL);
    return 4;
  });
  EXPECT_EQ(WTERMSIG(Reap(child)), SIGKILL);
  Stop();
  EXPECT_EQ(Ask("SELECT queue, submitted, recorded FROM rtl_queue"),
            (Rows{"1|5|2", "2|4|0", "3|NULL|0", "4|3|0"}));
  EXPECT_EQ(Ask("SELECT queue_id, loss, events FROM rtl_queue_loss"),
            (Rows{"1|kKilled|3", "2|kKilled|4", "4|kKilled|3"}));
  EXPECT_EQ(result_.kind(EventKind::kKernel).loss(Loss::kKilled), 16u);
  ExpectBooksToBalance();
}

// SQL that was written for schema 12 finds its names.
TEST_F(AccountingTest, WritesEveryCountUnderItsEarlierNameAsWell) {
  Start();
  const pid_t child = StartChild(options_.spool, 1, [](spool::Writer& writer) {
    writer.CountSubmitted(EventKind::kMarker, 2);
    if (WriteQueues(writer)) raise(SIGKILL);
    return 4;
  });
  EXPECT_EQ(WTERMSIG(Reap(child)), SIGKILL);
  Stop();
  EXPECT_EQ(Ask("SELECT queue, seen, recorded FROM rtl_queue"),
            (Rows{"1|5|2", "2|4|0", "3|NULL|0", "4|3|0"}));
  EXPECT_EQ(Metadata("seen.kernels"), "18");
  EXPECT_EQ(Metadata("seen.markers"), "3");
  EXPECT_EQ(Metadata("door"), Metadata("loaded_by"));
  EXPECT_EQ(Ask("SELECT count(*) FROM rtl_process WHERE door IS loaded_by"), Rows{"1"});
  const std::string counters = "SELECT kind, value FROM rtl_process_counter WHERE counter = ";
  EXPECT_EQ(Ask(counters + "'seen'"), Ask(counters + "'submitted'"));
  EXPECT_EQ(Ask(counters + "'seen' AND value > 0"), (Rows{"kernels|18", "markers|3"}));
}

TEST_F(AccountingTest, IgnoresACounterThatSawLessThanWasRecorded) {
  Start();
  const pid_t child = StartChild(options_.spool, 1, [](spool::Writer& writer) {
    if (!WriteQueues(writer)) return 4;
    writer.control()->queue_submitted[0].submitted.store(1);
    raise(SIGKILL);
    return 5;
  });
  EXPECT_EQ(WTERMSIG(Reap(child)), SIGKILL);
  Stop();
  EXPECT_EQ(Ask("SELECT queue, submitted, recorded FROM rtl_queue WHERE queue < 3"),
            (Rows{"1|NULL|2", "2|4|0"}));
  EXPECT_EQ(Ask("SELECT events FROM rtl_queue_loss WHERE queue_id = 1"), Rows{});
  ExpectBooksToBalance();
}

TEST_F(AccountingTest, LeavesTheQueuesOpenWhereOtherCausesAreAmongTheLosses) {
  Start();
  const pid_t child = StartChild(options_.spool, 1, [](spool::Writer& writer) {
    writer.CountLoss(EventKind::kKernel, Loss::kBacklog, 1);
    if (WriteQueues(writer)) raise(SIGKILL);
    return 4;
  });
  EXPECT_EQ(WTERMSIG(Reap(child)), SIGKILL);
  Stop();
  EXPECT_EQ(Ask("SELECT queue, submitted, recorded FROM rtl_queue"),
            (Rows{"1|NULL|2", "2|NULL|0", "3|NULL|0", "4|NULL|0"}));
  ExpectBooksToBalance();
}

TEST_F(AccountingTest, AccountsForAProcessThatBecameAnotherProgram) {
  int gate[2];
  ASSERT_EQ(pipe(gate), 0);
  Start();
  const pid_t child = StartChild(options_.spool, 10, [&](spool::Writer& writer) {
    writer.CountSubmitted(EventKind::kKernel, 3);  // in flight
    (void)dup2(gate[0], 0);
    close(gate[1]);
    execlp("cat", "cat", nullptr);  // ends when the gate closes
    return 7;
  });
  close(gate[0]);
  collector_.WaitForProcess(static_cast<uint32_t>(child));
  EXPECT_EQ(waitpid(child, nullptr, WNOHANG), 0) << "read to the end although it still runs";
  close(gate[1]);
  EXPECT_EQ(Reap(child), 0);
  Stop();
  EXPECT_EQ(result_.kind(EventKind::kKernel).loss(Loss::kExec), 3u);
  EXPECT_EQ(result_.kind(EventKind::kMarker).recorded, 10u);
  ExpectBooksToBalance();
}

TEST_F(AccountingTest, AddsUpTheCountersOfTheQueues) {
  TraceBuilder trace = TraceBuilder::ThreeKernelsOnTwoQueues();
  ASSERT_TRUE(trace.WriteSpool(options_.spool).ok());
  std::unique_ptr<spool::ProcessReader> reader;
  ASSERT_TRUE(spool::ProcessReader::Open(options_.spool, "1000-1", true, &reader).ok());
  auto& page = const_cast<spool::ControlPage&>(reader->control());
  page.submitted[0].store(1);
  page.queue_submitted[0].submitted.store(2);
  page.queue_submitted[spool::kQueueSlots - 1].submitted.store(5);
  page.losses[0][static_cast<size_t>(Loss::kBatch)].store(5);
  Start();
  Stop();
  EXPECT_EQ(result_.kind(EventKind::kKernel).submitted, 8u);
  EXPECT_EQ(result_.kind(EventKind::kKernel).recorded, 3u);
  EXPECT_EQ(result_.kind(EventKind::kKernel).lost(), 5u);
  EXPECT_EQ(result_.warnings, Rows{});
}

TEST_F(AccountingTest, NamesTheEventsThatAFinishedProcessDidNotAccountFor) {
  TraceBuilder trace = TraceBuilder::ThreeKernelsOnTwoQueues();
  ASSERT_TRUE(trace.WriteSpool(options_.spool).ok());
  std::unique_ptr<spool::ProcessReader> reader;
  ASSERT_TRUE(spool::ProcessReader::Open(options_.spool, "1000-1", true, &reader).ok());
  auto& page = const_cast<spool::ControlPage&>(reader->control());
  page.submitted[0].store(5);
  page.submitted[1].store(0);
  Start();
  Stop();
  EXPECT_EQ(result_.kind(EventKind::kKernel).loss(Loss::kShutdown), 2u);
  EXPECT_EQ(result_.warnings.size(), 2u);
  ExpectBooksToBalance();
}

TEST_F(AccountingTest, ChargesTornPlacesFirst) {
  TraceBuilder trace = TraceBuilder::ThreeKernelsOnTwoQueues();
  trace.Killed(4);
  ASSERT_TRUE(trace.WriteSpool(options_.spool).ok());
  // Nothing after the first chunk's first record can be read.
  const std::string segment = options_.spool + "/1000-1.000001.seg";
  std::filesystem::resize_file(segment, spool::kChunkBytes + 64 + sizeof(AgentRecord) + 20);
  Start();
  Stop();
  const KindTotals& kernels = result_.kind(EventKind::kKernel);
  EXPECT_EQ(kernels.submitted, 7u);
  EXPECT_EQ(kernels.recorded, 0u);
  EXPECT_EQ(kernels.loss(Loss::kTorn), 1u);
  EXPECT_EQ(kernels.loss(Loss::kKilled), 6u);
  EXPECT_EQ(result_.kind(EventKind::kMarker).loss(Loss::kKilled), 1u);
  ExpectBooksToBalance();
}

TEST_F(AccountingTest, CountsTheEventsOfAProcessWithoutRoom) {
  Start();
  spool::Writer writer;
  spool::WriterOptions options;
  options.directory = options_.spool.c_str();
  options.tell_reader = true;
  rlimit before;
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit small = {4096, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const Status opened = writer.Open(options);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  EXPECT_FALSE(opened.ok());
  writer.CountSubmitted(EventKind::kKernel, 7);
  Stop();
  ASSERT_EQ(result_.processes.size(), 1u);
  EXPECT_EQ(result_.processes[0].refusal, opened.message());
  const KindTotals& kernels = result_.kinds[static_cast<size_t>(EventKind::kKernel)];
  EXPECT_EQ(kernels.submitted, 7u);
  EXPECT_EQ(kernels.loss(Loss::kSpoolFull), 7u);
  EXPECT_EQ(result_.warnings, Rows{"process " + std::to_string(getpid()) +
                                   " is not traced: " + std::string(opened.message())});
  EXPECT_EQ(Ask("SELECT pid FROM rtl_process"), Rows{std::to_string(getpid())});
}

// What stops the spool is the limit of the size of a file, not the collector.
TEST_F(AccountingTest, NamesTheLimitThatKeptTheSpoolFromGrowing) {
  Start();
  spool::Writer writer;
  Open(writer);
  rlimit before;
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit small = {spool::kSegmentBytes / 2, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  for (uint64_t i = 1; WriteMark(writer, i); ++i) {
  }
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  writer.CountLoss(EventKind::kMarker, Loss::kSpoolFull, 1);
  writer.Finish();
  Stop();
  ASSERT_EQ(result_.warnings.size(), 1u);
  EXPECT_NE(result_.warnings[0].find("1 events found the spool full: the program's limit of file "
                                     "sizes (ulimit -f, RLIMIT_FSIZE)"),
            std::string::npos)
      << result_.warnings[0];
}

}  // namespace
}  // namespace rtl::store
