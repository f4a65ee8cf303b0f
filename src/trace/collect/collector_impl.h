// SPDX-License-Identifier: MIT
// collector_impl.h: the private part of Collector: the thread, its rounds over the processes, and
// the end of the trace. It hands each record to where the options send it: the database, a window
// or a part.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "trace/collect/attachment.h"
#include "trace/collect/clock_reading.h"
#include "trace/collect/collected_process.h"
#include "trace/collect/collector.h"
#include "trace/collect/part_writer.h"
#include "trace/collect/process_set.h"
#include "trace/collect/requests.h"
#include "trace/collect/round_schedule.h"
#include "trace/collect/spool_folder.h"
#include "trace/collect/trace_summary.h"
#include "trace/collect/window_writer.h"
#include "trace/write/trace_writer.h"

namespace rtl::store {

class Collector::Impl {
 public:
  explicit Impl(CollectOptions options);

  Status Start();
  Requests& requests() { return requests_; }
  void WaitForAll();
  void Join();
  Status Complete(const ExitStatus& exit, CollectResult* result);
  uint64_t rows() const { return rows_.load(std::memory_order_relaxed); }
  const CollectOptions& options() const { return options_; }
  // True if the database can be made again from the spool.
  bool CanRepeat() const;

 private:
  void Run();
  bool MayWait();
  bool Round();
  void Attach();
  Status Prepare(CollectedProcess* process);
  Status Poll(CollectedProcess* process, uint64_t* records);
  Status PollAll();
  void CountRows();
  Status End(CollectedProcess* process, ProcessEnd end);
  void Answer();
  void AnswerAttachers();
  std::vector<InFlightRow> ListInFlight();
  Status Finish(const ExitStatus& exit, CollectResult* result);
  Status EndTheRest();
  Status CompleteAttachable();
  void DropDatabases();
  void RemoveSpool();
  bool WritesOne() const {
    return !options_.split && !options_.attachable && options_.take_part == nullptr;
  }
  bool Cancelled() const { return options_.cancel != nullptr && options_.cancel->load(); }

  const CollectOptions options_;
  SpoolFolder spool_;
  std::thread thread_;
  std::atomic<uint64_t> rows_{0};
  Requests requests_;

  // Used by the collecting thread until Join, by the caller afterwards.
  TraceSummary summary_{options_};
  TraceWriter writer_;  // of all processes, unless each has its own database
  ProcessSet processes_;
  RoundSchedule schedule_;
  ClockHistory clocks_;
  PartWriter parts_{options_, spool_, &summary_};
  std::unique_ptr<WindowWriter> windows_;   // set with --ring
  std::unique_ptr<Attachment> attachment_;  // set if `attachable`
  Status failure_ = Status::Ok();
};

}  // namespace rtl::store
