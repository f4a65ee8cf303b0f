// SPDX-License-Identifier: MIT
#include "trace/collect/collected_process.h"

#include "trace/collect/process_set_test_support.h"
#include "trace/schema/store_test_support.h"

namespace rtl::store {
namespace {

using test::TraceBuilder;

class CollectedProcessTest : public ProcessSetTest {
 protected:
  // A process whose four events are in its own database.
  CollectedProcess& Collect() {
    TraceBuilder trace = TraceBuilder::ThreeKernelsOnTwoQueues();
    trace.Rank(0, 2, "job-7").Lose(EventKind::kKernel, Loss::kBatch, 5);
    EXPECT_TRUE(trace.WriteSpool(options_.spool).ok());
    Attach([](const CollectedProcess&) {});
    CollectedProcess& process = *processes_.Find(0);
    process.own = std::make_unique<TraceWriter>();
    process.writer = process.own.get();
    process.result.output = options_.output;
    EXPECT_TRUE(process.own->Create(options_.output).ok());
    process.writer->AddProcess(process.reader->process(), &process.number);
    uint64_t records = 0;
    const auto add = [&](const spool::RecordView& record) {
      EXPECT_TRUE(process.writer->Add(process.number, record).ok());
    };
    EXPECT_TRUE(process.reader->Poll(add, &records).ok());
    return process;
  }
};

TEST_F(CollectedProcessTest, AccountsForItsEventsAndCompletesItsDatabase) {
  CollectedProcess& process = Collect();
  ASSERT_TRUE(process.Close(ProcessEnd::kFinished, false, {}, &summary_).ok());
  const ProcessResult& result = process.result;
  EXPECT_EQ(result.end, ProcessEnd::kFinished);
  EXPECT_EQ(result.job, "job-7");
  EXPECT_EQ(result.ended, TraceBuilder::kFinished);
  EXPECT_EQ(summary_.ended(), TraceBuilder::kFinished);
  EXPECT_EQ(result.kind(EventKind::kKernel).recorded, 3u);
  EXPECT_EQ(result.kind(EventKind::kKernel).loss(Loss::kBatch), 5u);
  EXPECT_EQ(result.kind(EventKind::kKernel).submitted, 8u);
  EXPECT_EQ(process.rows(), 4u);
  ASSERT_TRUE(process.CompleteOwn("test", &summary_).ok());
  EXPECT_EQ(process.own, nullptr);
  EXPECT_EQ(process.rows(), 4u);
  EXPECT_EQ(Ask(options_.output, "SELECT count(*) FROM rocpd_op"), Rows{"4"});
}

TEST_F(CollectedProcessTest, APartEndsWithItsLastEvent) {
  CollectedProcess& process = Collect();
  ASSERT_TRUE(process.Close(ProcessEnd::kFinished, true, {}, &summary_).ok());
  EXPECT_EQ(process.result.ended, 3000u);
}

TEST_F(CollectedProcessTest, WarnsThatItStillRuns) {
  CollectedProcess& process = Collect();
  ASSERT_TRUE(process.Close(ProcessEnd::kAbandoned, false, {}, &summary_).ok());
  const Rows expected{
      "process 1000 was still running when collecting ended; its later events are not in the "
      "trace"};
  EXPECT_EQ(process.result.warnings, expected);
  EXPECT_EQ(summary_.warnings(), expected);
}

TEST_F(CollectedProcessTest, SaysThatItsDatabaseGotAnotherName) {
  CollectedProcess& process = Collect();
  std::filesystem::create_directory(options_.output);
  ASSERT_TRUE(process.Close(ProcessEnd::kFinished, false, {}, &summary_).ok());
  ASSERT_TRUE(process.CompleteOwn("test", &summary_).ok());
  EXPECT_EQ(process.result.output, dir_.File("trace.2.db"));
  EXPECT_EQ(summary_.warnings().size(), 1u);
}

}  // namespace
}  // namespace rtl::store
