// SPDX-License-Identifier: MIT
#include "trace/collect/part_writer.h"

#include "trace/collect/process_set_test_support.h"
#include "trace/schema/store_test_support.h"

namespace rtl::store {
namespace {

class PartWriterTest : public ProcessSetTest {
 protected:
  PartWriterTest() {
    options_.take_part = [this](const Part& part) {
      parts_.push_back(part);
      rows_.push_back(Ask(part.database, "SELECT count(*) FROM rocpd_op")[0]);
      return taken_;
    };
    EXPECT_TRUE(test::TraceBuilder::ThreeKernelsOnTwoQueues().WriteSpool(options_.spool).ok());
    Attach([&](CollectedProcess& process) {
      process.parts = std::make_unique<ProcessParts>(options_.part_bytes, options_.part_ns);
      process.KeepEvents(&process.parts->events(), 0);
    });
  }

  CollectedProcess& Read() {
    CollectedProcess& process = *processes_.Find(0);
    uint64_t records = 0;
    process.parts->BeginPoll();
    const auto keep = [&](const spool::RecordView& record) {
      EXPECT_TRUE(writer_.Keep(&process, record).ok());
    };
    EXPECT_TRUE(process.reader->Poll(keep, &records).ok());
    process.parts->EndPoll();
    return process;
  }

  PartWriter writer_{options_, folder_, &summary_};
  std::vector<Part> parts_;
  Rows rows_;
  Status taken_ = Status::Ok();
};

TEST_F(PartWriterTest, TheLastPartHasTheCountsOfAllParts) {
  CollectedProcess& process = Read();
  ASSERT_TRUE(writer_.Write(&process, ProcessEnd::kAbandoned, false).ok());
  ASSERT_TRUE(writer_.Write(&process, ProcessEnd::kFinished, true).ok());
  ASSERT_EQ(parts_.size(), 2u);
  EXPECT_EQ(rows_, (Rows{"4", "0"}));
  EXPECT_FALSE(parts_[0].is_last);
  EXPECT_TRUE(parts_[1].is_last);
  EXPECT_EQ(parts_[1].read, 1u);
  EXPECT_EQ(parts_[1].whole, 1u);
  EXPECT_EQ(parts_[1].result.kind(EventKind::kKernel).recorded, 3u);
  EXPECT_EQ(process.rows(), 4u);
  EXPECT_FALSE(std::filesystem::exists(parts_[1].database));
}

TEST_F(PartWriterTest, APartLeavesTheResultsOfTheTraceAlone) {
  CollectedProcess& process = Read();
  ASSERT_TRUE(writer_.Write(&process, ProcessEnd::kAbandoned, false).ok());
  EXPECT_EQ(parts_[0].result.warnings.size(), 1u);  // the process still runs
  EXPECT_TRUE(process.result.warnings.empty());
  EXPECT_TRUE(summary_.warnings().empty());
}

TEST_F(PartWriterTest, ReturnsTheErrorOfItsTakerWithTheNameOfTheSpool) {
  taken_ = Status::Error("%s", ("no room in " + folder_.path()).c_str());
  const Status written = writer_.Write(&Read(), ProcessEnd::kAbandoned, false);
  EXPECT_EQ(std::string(written.message()), "no room in " + options_.spool);
}

TEST_F(PartWriterTest, CallsTheEndOfTheRoundWithoutAPart) {
  int rounds = 0;
  options_.round_end = [&] {
    ++rounds;
    return Status::Ok();
  };
  ASSERT_TRUE(writer_.WriteDue(&processes_).ok());
  EXPECT_EQ(rounds, 1);
  EXPECT_TRUE(parts_.empty());
}

}  // namespace
}  // namespace rtl::store
