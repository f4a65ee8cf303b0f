// SPDX-License-Identifier: MIT
#include "trace/collect/attachment.h"

#include <atomic>
#include <thread>

#include "trace/collect/collector_test_support.h"
#include "trace/collect/process_set_test_support.h"

namespace rtl::store {
namespace {

class AttachmentTest : public ProcessSetTest {
 protected:
  AttachmentTest() {
    std::unique_ptr<EventWindow> window;
    EXPECT_TRUE(EventWindow::Make(1 << 20, "", {}, &window).ok());
    windows_ = std::make_unique<WindowWriter>(std::move(window), options_, clocks_, &processes_,
                                              &summary_);
    attachment_ =
        std::make_unique<Attachment>([this] { return ReadAll(); }, &processes_, windows_.get());
  }
  ~AttachmentTest() override {
    stop_ = true;
    if (process_.joinable()) process_.join();
  }

  // This process, which opens and closes its window when it is asked.
  void StartProcess() {
    spool::WriterOptions options;
    options.directory = options_.spool.c_str();
    ASSERT_TRUE(writer_.Open(options).ok());
    writer_.control()->window = spool::AttachWindow::kClosed;
    process_ = std::thread([this] {
      while (!stop_) {
        const spool::AttachWindow wanted = writer_.control()->window_wanted.load();
        if (wanted != spool::AttachWindow::kNone) writer_.control()->window = wanted;
        std::this_thread::yield();
      }
    });
    Attach([&](CollectedProcess& process) { process.KeepEvents(&windows_->window().ring(), 0); });
  }

  Status ReadAll() {
    for (auto& [stem, process] : processes_) {
      uint64_t records = 0;
      const auto keep = [&](const spool::RecordView& record) {
        windows_->window().Keep(0, record);
      };
      RTL_TRY(process.reader->Poll(keep, &records));
    }
    return Status::Ok();
  }

  spool::AttachWindow Window() { return writer_.control()->window.load(); }

  const ClockHistory clocks_;
  const std::string self_ = std::to_string(getpid());
  spool::Writer writer_;
  std::unique_ptr<WindowWriter> windows_;
  std::unique_ptr<Attachment> attachment_;
  std::atomic<bool> stop_ = false;
  std::thread process_;
};

TEST_F(AttachmentTest, NeedsAProcessThatAnswers) {
  EXPECT_TRUE(attachment_->Answer({self_, "begin"}).starts_with("-it does not answer: "));
  EXPECT_FALSE(attachment_->IsAttached());
  EXPECT_EQ(attachment_->Answer({self_, "end " + options_.output}), "-you are not attached to it");
}

TEST_F(AttachmentTest, WritesTheEventsSinceItsBegin) {
  StartProcess();
  ASSERT_TRUE(WriteMark(writer_, 1));
  EXPECT_EQ(attachment_->Answer({self_, "begin"}), "+");
  EXPECT_TRUE(attachment_->IsAttached());
  EXPECT_EQ(Window(), spool::AttachWindow::kOpen);
  ASSERT_TRUE(WriteMark(writer_, 2));
  ASSERT_TRUE(WriteMark(writer_, 3));
  EXPECT_EQ(attachment_->Answer({self_, "end " + options_.output}), "+" + options_.output);
  EXPECT_FALSE(attachment_->IsAttached());
  EXPECT_EQ(Window(), spool::AttachWindow::kClosed);
  EXPECT_EQ(store::Ask(options_.output, "SELECT count(*) FROM rocpd_op"), Rows{"2"});
}

TEST_F(AttachmentTest, BelongsToOneProgram) {
  StartProcess();
  ASSERT_EQ(attachment_->Answer({self_, "begin"}), "+");
  EXPECT_EQ(attachment_->Answer({"1", "begin"}), "-process " + self_ + " is attached to it");
  EXPECT_EQ(attachment_->Answer({"1", "end " + options_.output}), "-you are not attached to it");
  attachment_->EndIfDead();
  EXPECT_TRUE(attachment_->IsAttached());
}

TEST_F(AttachmentTest, EndsWithTheProgramThatIsAttached) {
  StartProcess();
  const pid_t dead = fork();
  if (dead == 0) _exit(0);
  Reap(dead);
  ASSERT_EQ(attachment_->Answer({std::to_string(dead), "begin"}), "+");
  EXPECT_FALSE(attachment_->IsAttached());
  attachment_->EndIfDead();
  EXPECT_EQ(Window(), spool::AttachWindow::kClosed);
  EXPECT_EQ(attachment_->Answer({self_, "begin"}), "+");
}

}  // namespace
}  // namespace rtl::store
