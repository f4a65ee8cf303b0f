// SPDX-License-Identifier: MIT
// collector_impl.h: the private parts of Collector, implemented in several files. collector.cpp:
// the thread, and reading of processes; collected_process.cpp: the end of processes and of the
// trace; window_writer.cpp: --ring; trace_summary.cpp: processes without room; attachment.cpp:
// rtl trace --pid; part_writer.cpp: rtl trace --dataset.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "spool/format.h"
#include "spool/overflow.h"
#include "trace/collect/accounting.h"
#include "trace/collect/clock_reading.h"
#include "trace/collect/collector.h"
#include "trace/collect/event_window.h"
#include "trace/collect/process_parts.h"
#include "trace/collect/requests.h"
#include "trace/collect/round_schedule.h"
#include "trace/collect/spool_folder.h"
#include "trace/write/asks.h"
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
  struct Process {
    std::unique_ptr<spool::ProcessReader> reader;  // null: closed by Release
    std::unique_ptr<TraceWriter> own;              // set if the process has its own database
    TraceWriter* writer = nullptr;
    size_t number = 0;      // number of the process in `writer`
    size_t order = 0;       // position among all processes, in the order in which they were found
    uint64_t alive_at = 0;  // when the process was last seen alive
    bool ended = false;
    bool released = false;  // the process no longer waits for other processes
    std::string stem;
    uint64_t torn = 0;                    // the count of the reader before it was released
    std::unique_ptr<ProcessParts> parts;  // set if there is `take_part`
    uint64_t polls = 0;                   // number of calls of Poll that have begun
    bool is_polling = false;
    bool goes_on = false;  // true while a part that is not the last one is written
    ProcessResult result;
  };

  void Run();
  bool MayWait();
  void Answer();
  std::vector<InFlightRow> ListInFlight();
  void LetGo();
  bool Round();
  void Attach();
  Status AttachTo(const std::string& stem, std::unique_ptr<spool::ProcessReader> reader);
  std::string OwnName(uint32_t pid);
  void ReleaseEnded();
  void Release(Process& process);
  Status PollProcess(Process& process, uint64_t* records);
  void CountRows();
  ProcessEnd HowItEnded(const std::string& stem, const Process& process) const;
  Status EndProcess(Process& process, ProcessEnd end);
  void MarkEnded(Process& process);
  Status CloseProcess(Process& process, ProcessEnd end);
  const LeftOut* LeftOutOf(const Process& process) const;
  Reading ReadingOf(const Process& process) const;
  static uint64_t EndOf(const Process& process, ProcessEnd end);
  void WarnOfProcess(Process& process, ProcessEnd end);
  static void Identify(const spool::ProcessInfo& info, ProcessResult* result);
  void ListGpus(const Process& process, ProcessResult* result) const;
  Status WriteClocks(const Process& process) const;
  Status CompleteOwn(Process& process);
  Status CompleteOne(TraceWriter* writer, const std::string& output, const ExitStatus& exit,
                     CollectResult* result);
  Status AbandonTheRest();
  void GatherResult(CollectResult* result);
  Status Finish(const ExitStatus& exit, CollectResult* result);
  bool WritesOne() const {
    return !options_.split && !options_.attachable && options_.take_part == nullptr;
  }
  bool Cancelled() const { return options_.cancel != nullptr && options_.cancel->load(); }
  bool RecordedNothing(const CollectResult& result) const;
  void LimitKept();
  void DropDatabases();
  void RemoveSpool();

  // In trace_summary.cpp.
  Status AddOverflow();
  Status AddOverflowed(const spool::OverflowPlace& place);

  std::vector<Process*> InOrder();  // in the order in which they were found

  // For --ring, in window_writer.cpp.
  Status Reopen(Process* process);
  Status ForgetLeft();
  Status AddSums(Process* process);
  Status FillWindow(TraceWriter* writer);
  Status WriteWindow(const std::string& output, CollectResult* result);
  void WriteWindowFor(const std::string& why);
  void WriteWindows();
  void AnswerDumps();
  std::vector<InFlightRow> ListInFlightOfWindow();

  // For `take_part`, in part_writer.cpp.
  Status KeepForPart(Process& process, const spool::RecordView& record);
  Status WriteParts();
  Status WritePart(Process& process, ProcessEnd end, bool is_last);
  Status TryPart(Process& process, ProcessEnd end, bool is_last);
  Status FillPart(Process& process, TraceWriter* writer) const;
  Status HandOver(Process& process, TraceWriter* writer, bool is_last);

  // For `attachable`, in attachment.cpp.
  void AnswerAttachers();
  std::string AttachAnswer(const Question& ask);
  std::string BeginAttachment(const Question& ask);
  std::string EndAttachment(const std::string& output);
  Status ReadAll();
  bool SetWindow(spool::AttachWindow wanted);
  bool AttacherLives() const;
  Status CompleteAttachable();
  void Warn(std::string sentence);
  void Warn(Process& process, const std::string& sentence);

  const CollectOptions options_;
  const uint64_t started_ = BootTimeNs();
  SpoolFolder spool_;
  std::thread thread_;
  std::atomic<uint64_t> rows_{0};
  Requests requests_;

  // Used by the collecting thread until Join, by the caller afterwards.
  TraceWriter writer_;                       // of all processes, unless each has its own database
  std::optional<spool::ProcessInfo> first_;  // the first process, when its reader is released
  std::set<std::string> own_names_;
  size_t attached_ = 0;
  uint64_t completed_rows_ = 0;               // rows of databases that are complete
  std::map<std::string, Process> processes_;  // indexed by stem
  // by the stem of an unreadable process: the reason
  std::map<std::string, std::string> unreadable_;
  std::vector<ProcessResult> overflowed_;  // processes without room for files of their own
  std::vector<std::string> warnings_;
  uint64_t ended_at_ = 0;  // when the last process to end has ended
  RoundSchedule schedule_;
  ClockHistory clocks_;
  Status failure_ = Status::Ok();
  bool keeping_ = true;                  // segments that are read are kept
  uint64_t kept_by_ended_ = 0;           // bytes kept of processes without a reader
  std::unique_ptr<EventWindow> window_;  // null: every event is written into the database
  std::string attacher_;                 // pid of the attached program; empty: none
};

}  // namespace rtl::store
