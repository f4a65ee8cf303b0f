// SPDX-License-Identifier: MIT
#include "trace/collect/window_writer.h"

#include "trace/collect/process_set_test_support.h"
#include "trace/schema/store_test_support.h"

namespace rtl::store {
namespace {

class WindowWriterTest : public ProcessSetTest {
 protected:
  WindowWriterTest() {
    options_.say = [this](const std::string& sentence) { said_.push_back(sentence); };
    std::unique_ptr<EventWindow> window;
    EXPECT_TRUE(EventWindow::Make(1 << 20, "", {}, &window).ok());
    windows_ = std::make_unique<WindowWriter>(std::move(window), options_, clocks_, &processes_,
                                              &summary_);
    EXPECT_TRUE(test::TraceBuilder::ThreeKernelsOnTwoQueues().WriteSpool(options_.spool).ok());
    Attach([&](CollectedProcess& process) {
      process.KeepEvents(&windows_->window().ring(), 0);
      uint64_t records = 0;
      const auto keep = [&](const spool::RecordView& record) {
        windows_->window().Keep(0, record);
      };
      EXPECT_TRUE(process.reader->Poll(keep, &records).ok());
    });
  }

  const ClockHistory clocks_;
  std::unique_ptr<WindowWriter> windows_;
  std::vector<std::string> said_;
};

TEST_F(WindowWriterTest, WritesNothingBeforeAWindowIsDue) {
  windows_->WriteDue({});
  EXPECT_TRUE(said_.empty());
  windows_->window().Ask("mark \"slow\"");
  windows_->WriteDue({});
  EXPECT_EQ(said_, Rows{"mark \"slow\": the last events are in " + dir_.File("trace.1.db")});
  EXPECT_EQ(Ask(dir_.File("trace.1.db"), "SELECT count(*) FROM rocpd_op"), Rows{"4"});
}

TEST_F(WindowWriterTest, AWindowLeavesTheResultsOfTheTraceAlone) {
  CollectResult result;
  ASSERT_TRUE(windows_->Write(options_.output, &result).ok());
  EXPECT_EQ(result.rows, 4u);
  ASSERT_EQ(result.processes.size(), 1u);
  EXPECT_EQ(result.processes[0].kind(EventKind::kKernel).recorded, 3u);
  EXPECT_EQ(result.warnings.size(), 1u);  // the process still runs
  EXPECT_EQ(processes_.Find(0)->result.kind(EventKind::kKernel).recorded, 0u);
  EXPECT_TRUE(processes_.Find(0)->result.warnings.empty());
  EXPECT_TRUE(summary_.warnings().empty());
}

TEST_F(WindowWriterTest, AnswersWithThePathOrTheReason) {
  EXPECT_EQ(windows_->Answer(""), "+" + dir_.File("trace.1.db"));
  EXPECT_EQ(windows_->Answer(dir_.File("asked.db")), "+" + dir_.File("asked.db"));
  EXPECT_EQ(windows_->Answer(dir_.File("none/asked.db"))[0], '-');
}

TEST_F(WindowWriterTest, StopsBeforeManyWindowsFillTheDisk) {
  for (int i = 0; i < 40; ++i) {
    windows_->WriteDue({"again"});
  }
  ASSERT_EQ(said_.size(), 33u);
  EXPECT_EQ(said_.back(), "32 windows have been written; no more follow");
  EXPECT_FALSE(std::filesystem::exists(dir_.File("trace.33.db")));
}

}  // namespace
}  // namespace rtl::store
