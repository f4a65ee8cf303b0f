// SPDX-License-Identifier: MIT
// collector_impl.h: the collector's own parts. collector.cpp: the thread, and reading of processes;
// collector_end.cpp: the end of processes and of the trace; collector_window.cpp: --ring;
// collector_overflow.cpp: processes without room; collector_attach.cpp: rtl trace --pid;
// collector_parts.cpp: rtl trace --dataset.
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
  // Whether the database can be made again from the spool.
  bool CanRepeat() const;

 private:
  struct Process {
    std::unique_ptr<spool::ProcessReader> reader;  // null: see Release
    std::unique_ptr<TraceWriter> own;              // when it has its own database
    TraceWriter* writer = nullptr;
    size_t number = 0;      // in `writer`
    size_t order = 0;       // among all processes, as they were found
    uint64_t alive_at = 0;  // the last time when it was seen alive
    bool ended = false;
    bool released = false;  // it no longer waits for the others
    std::string stem;
    uint64_t torn = 0;                    // the count of the released reader
    std::unique_ptr<ProcessParts> parts;  // with `take_part`
    uint64_t polls = 0;                   // begun
    bool is_polling = false;
    bool goes_on = false;  // while a part that is not the last is written
    ProcessResult result;
  };

  void Run();
  bool MayWait();
  bool AskedFromOutside();
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

  // collector_overflow.cpp
  Status AddOverflow();
  Status AddOverflowed(const spool::OverflowPlace& place);

  std::vector<Process*> InOrder();  // as they were found

  // With --ring (collector_window.cpp).
  Status Reopen(Process* process);
  Status ForgetLeft();
  Status AddSums(Process* process);
  Status FillWindow(TraceWriter* writer);
  Status WriteWindow(const std::string& output, CollectResult* result);
  void WriteWindowFor(const std::string& why);
  void WriteWindows();
  void AnswerDumps();
  std::vector<InFlightRow> ListInFlightOfWindow();

  // With `take_part` (collector_parts.cpp).
  Status KeepForPart(Process& process, const spool::RecordView& record);
  Status WriteParts();
  Status WritePart(Process& process, ProcessEnd end, bool is_last);
  Status TryPart(Process& process, ProcessEnd end, bool is_last);
  Status FillPart(Process& process, TraceWriter* writer) const;
  Status HandOver(Process& process, TraceWriter* writer, bool is_last);

  // With `attachable` (collector_attach.cpp).
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

  // Touched by the collecting thread until Join, by the caller afterwards.
  TraceWriter writer_;                       // of all processes, unless each has its own
  std::optional<spool::ProcessInfo> first_;  // the first process, when its reader is released
  std::set<std::string> own_names_;
  size_t attached_ = 0;
  uint64_t completed_rows_ = 0;                    // of databases that are complete
  std::map<std::string, Process> processes_;       // by stem
  std::map<std::string, std::string> unreadable_;  // stem of an unreadable process, and the reason
  std::vector<ProcessResult> overflowed_;          // processes without room for files of their own
  std::vector<std::string> warnings_;
  uint64_t ended_at_ = 0;  // of the process that ended last
  // Looks in a row that find a processor to spare before it counts: a thread of a busy program may
  // wait just for a moment.
  static constexpr int kSpareLooks = 3;
  int spare_looks_ = kSpareLooks;
  uint64_t round_began_ = started_;  // BOOTTIME ns: the last one
  std::vector<ClockTable> clocks_;   // readings of the host's clocks, by time
  uint64_t next_ask_look_ = 0;       // BOOTTIME ns
  bool asked_from_outside_ = false;
  Status failure_ = Status::Ok();
  bool keeping_ = true;                  // segments that have been read
  uint64_t kept_by_ended_ = 0;           // bytes, of processes without a reader
  std::unique_ptr<EventWindow> window_;  // null: every event goes into the database
  std::string attacher_;                 // pid of the attached program; empty: none
};

}  // namespace rtl::store
