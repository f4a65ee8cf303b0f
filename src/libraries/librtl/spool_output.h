// SPDX-License-Identifier: MIT
// spool_output.h: the output of a session in the product: a spool, and a helper process that turns
// the spool into the database while the application runs. There is no helper if another process
// collects the spool (RTL_SPOOL, or another process with the same database).
//
// Threads    as TraceOutput
// Blocking   Open: file I/O and the start of a program. Finish: at most RTL_EXIT_WAIT_MS, and only
//            while the helper is alive
// Memory     one per process, never freed
// Errors     Open leaves no file behind when it fails
#pragma once

#include <limits.h>

#include "base/mutex.h"
#include "capture/session/trace_output.h"
#include "libraries/librtl/helper.h"
#include "spool/writer.h"

namespace rtl {

class SpoolOutput final : public capture::TraceOutput {
 public:
  SpoolOutput() = default;
  SpoolOutput(const SpoolOutput&) = delete;
  SpoolOutput& operator=(const SpoolOutput&) = delete;

  Status Open(const Config& config) override;
  void BeginAnewInChild() override { of_parent_ = true; }
  RecordSink* sink() override { return &writer_; }
  capture::SubmittedSlots submitted_slots() override;
  InFlightMemory* in_flight() override { return &writer_; }
  capture::CaptureCounters counters() override;
  void Describe(const Facts& facts) override;
  void SayEvents(EventSet events) override;
  void SayRefused(const Config& config, const char* why) override;
  void Maintain() override;
  bool CountsOnly() const override { return writer_.counts_only(); }
  bool TakesMore() const override { return launched_; }
  // For a trace that ends before the process: why it could not be opened.
  const Status& why_closed() const { return why_closed_; }
  // After Finish: waits until the reader has read everything or has given up. False if the limit is
  // reached.
  bool AwaitCollected(uint64_t limit_ns);
  // After AwaitCollected: frees the memory of the files.
  void Release() { writer_.Release(); }
  void Finish() override;

 private:
  spool::WriterOptions Options(const Config& config, const char* directory, bool tell_reader) const;
  Status OpenWriter(const Config& config, const char* directory, bool tell_reader);
  Status NameDatabase(const Config& config);
  Status OpenBeside(const Config& config);
  Status MakeSpool();
  void StartCollector(const Config& config);
  void WaitForCollector();
  void FollowAttachment();
  void SayUnhooked();

  Mutex mutex_{Rank::kOutput};  // keeps Maintain and Finish apart
  spool::Writer writer_;
  Helper helper_;
  bool launched_ = false;   // a launcher started this process and waits for its end
  bool of_parent_ = false;  // in the child of a fork: the following members are the parent's
  uint64_t exit_wait_ns_ = 0;
  Status why_closed_ = Status::Ok();
  // True if a launcher named the tracer to the HSA runtime, and the name was removed since.
  bool lost_name_ = false;
  char directory_[PATH_MAX] = {};
  char database_[PATH_MAX] = {};  // empty if another process collects the spool
};

}  // namespace rtl
