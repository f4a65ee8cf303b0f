// SPDX-License-Identifier: MIT
#include "trace/collect/process_set.h"

#include <fstream>

#include "trace/collect/collector_test_support.h"
#include "trace/collect/process_set_test_support.h"

namespace rtl::store {
namespace {

using test::TraceBuilder;

// `count` processes, each with a mark, that have finished.
void WriteFinished(const std::string& spool, size_t count) {
  TraceBuilder trace;
  for (size_t i = 0; i < count; ++i) {
    if (i != 0) trace.NextProcess();
    trace.Mark(7, 100, "mark");
  }
  ASSERT_TRUE(trace.WriteSpool(spool).ok());
}

TEST_F(ProcessSetTest, FindsEachProcessOnce) {
  WriteFinished(options_.spool, 3);
  size_t seen = 0;
  Attach([&](const CollectedProcess& process) { EXPECT_EQ(process.order, seen++); });
  Attach([&](const CollectedProcess&) { ++seen; });
  EXPECT_EQ(seen, 3u);
  EXPECT_EQ(processes_.found(), 3u);
  EXPECT_EQ(processes_.running(), 3u);
  EXPECT_EQ(processes_.first()->pid, TraceBuilder::kFirstPid);
  EXPECT_EQ(processes_.Find(2)->result.pid, TraceBuilder::kFirstPid + 2);
  EXPECT_EQ(processes_.Find(3), nullptr);
}

TEST_F(ProcessSetTest, WarnsOfAProcessThatStaysUnreadable) {
  std::ofstream(options_.spool + "/77-1.ctl") << "x";
  Attach();
  EXPECT_EQ(processes_.size(), 0u);
  EXPECT_EQ(processes_.found(), 1u);
  EXPECT_TRUE(summary_.warnings().empty());
  processes_.WarnOfUnreadable();
  ASSERT_EQ(summary_.warnings().size(), 1u);
  EXPECT_TRUE(summary_.warnings()[0].starts_with("process 77-1 was not read: "));
}

TEST_F(ProcessSetTest, DoesNotAttachWhenItsCallerCannotPrepare) {
  WriteFinished(options_.spool, 1);
  const Status attached =
      processes_.AttachToNew([](CollectedProcess*) { return Status::Error("no room"); });
  EXPECT_EQ(std::string(attached.message()), "no room");
  EXPECT_EQ(processes_.size(), 0u);
}

TEST_F(ProcessSetTest, TellsAFinishedProcessFromAKilledOne) {
  Reap(StartChild(options_.spool, 1, Finished));
  Attach();
  EXPECT_EQ(processes_.HowItEnded(*processes_.Find(0)), ProcessEnd::kFinished);
  Reap(StartChild(options_.spool, 1, [](spool::Writer&) { return 0; }));
  Attach();
  EXPECT_EQ(processes_.HowItEnded(*processes_.Find(1)), ProcessEnd::kKilled);
}

TEST_F(ProcessSetTest, KnowsTheFirstProcessAfterItWasErased) {
  WriteFinished(options_.spool, 2);
  Attach();
  CollectedProcess& first = *processes_.Find(0);
  processes_.CloseReader(&first);
  EXPECT_EQ(first.reader, nullptr);
  EXPECT_TRUE(processes_.Reopen(&first).ok());
  EXPECT_NE(first.reader, nullptr);
  processes_.Erase(first);
  EXPECT_EQ(processes_.size(), 1u);
  EXPECT_EQ(processes_.first()->pid, TraceBuilder::kFirstPid);
}

TEST_F(ProcessSetTest, NamesADatabaseAfterThePidAndSparesForeignFiles) {
  std::ofstream(dir_.File("trace.7.db")) << "foreign";
  EXPECT_EQ(processes_.OwnName(options_.output, 7), dir_.File("trace.7-2.db"));
  EXPECT_EQ(processes_.OwnName(options_.output, 7), dir_.File("trace.7-3.db"));
  EXPECT_EQ(processes_.OwnName(options_.output, 8), dir_.File("trace.8.db"));
}

TEST_F(ProcessSetTest, NeedsReadingWhenManyProcessesHaveEnded) {
  WriteFinished(options_.spool, 16);
  Attach();
  EXPECT_TRUE(processes_.NeedReading());
  processes_.Find(15)->ended = true;
  EXPECT_FALSE(processes_.NeedReading());
  EXPECT_EQ(processes_.running(), 15u);
}

TEST_F(ProcessSetTest, AddsUpTheResultsInTheOrderOfAttachment) {
  WriteFinished(options_.spool, 2);
  Attach([](CollectedProcess& process) {
    process.result.kinds[0].submitted = 5;
    process.completed_rows = 3;
  });
  CollectResult result;
  processes_.Gather(&result);
  ASSERT_EQ(result.processes.size(), 2u);
  EXPECT_EQ(result.processes[1].pid, TraceBuilder::kFirstPid + 1);
  EXPECT_EQ(result.kinds[0].submitted, 10u);
  EXPECT_EQ(processes_.rows(), 6u);
}

}  // namespace
}  // namespace rtl::store
