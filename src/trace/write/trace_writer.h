// SPDX-License-Identifier: MIT
// trace_writer.h: records in, database out. Hands each record to the writer of its kind, which
// joins what belongs together (kernel names, queues, GPUs, beginnings and ends of ranges) and gives
// the row its final form.
//
// The database grows under a temporary name beside the output and gets its name in Commit. Until
// then, and after any failure, the file under that name is untouched.
//
// Threads    one at a time
// Blocking   file I/O
// Memory     constant, except for one entry per distinct text, per kernel, queue and agent, and per
//            open range
// Errors     a failure to write is final: call nothing but the destructor after one
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "model/losses.h"
#include "model/records.h"
#include "spool/reader.h"
#include "trace/schema/database.h"
#include "trace/schema/schema.h"
#include "trace/schema/span_tables.h"
#include "trace/schema/strings.h"
#include "trace/write/agent_writer.h"
#include "trace/write/barrier_writer.h"
#include "trace/write/bulk_tables.h"
#include "trace/write/call_writer.h"
#include "trace/write/choice.h"
#include "trace/write/continuation.h"
#include "trace/write/copy_writer.h"
#include "trace/write/counter_writer.h"
#include "trace/write/in_flight_writer.h"
#include "trace/write/kernel_writer.h"
#include "trace/write/marker_writer.h"
#include "trace/write/name_writer.h"
#include "trace/write/op_writer.h"
#include "trace/write/operator_writer.h"
#include "trace/write/output_file.h"
#include "trace/write/queue_writer.h"
#include "trace/write/sample_writer.h"
#include "trace/write/traced_process.h"

namespace rtl::store {

class TraceWriter {
 public:
  static constexpr size_t kCacheBytes = 16 << 20;

  TraceWriter() = default;
  ~TraceWriter();  // without Commit: drops the database
  TraceWriter(const TraceWriter&) = delete;
  TraceWriter& operator=(const TraceWriter&) = delete;

  struct Options {
    bool go_on = false;                // add to the trace under the output's name
    size_t cache_bytes = kCacheBytes;  // of database pages that are kept in memory; with less,
                                       // fewer calls are held, too
    Choice choice = {};                // the events to write
  };
  Status Create(const std::string& output, const Options& options);
  Status Create(const std::string& output) { return Create(output, Options()); }
  // Create in two steps: the first refuses a name that cannot be written, the second takes
  // milliseconds.
  Status Reserve(const std::string& output, const Options& options);
  Status Begin();

  // Begins a process; `process` is its number in the calls below, from zero on.
  void AddProcess(const spool::ProcessInfo& info, size_t* process);
  Status Add(size_t process, const spool::RecordView& record);
  // Call it after each Poll of its spool: writes the records that have waited for the description
  // of their kernel, queue or agents and are complete by now.
  Status Settle(size_t process);
  // Writes the records that still wait, closes open ranges at `ended`, and describes the process by
  // `info`.
  Status EndProcess(size_t process, const spool::ProcessInfo& info, uint64_t ended,
                    const Unsaid& unsaid);
  // After EndProcess; see there.
  Status WriteInFlight(size_t process, const spool::ProcessReader& reader, uint64_t ended,
                       Unended unended, uint64_t* count) {
    return in_flight_.Write(*processes_[process], reader, ended, unended, count);
  }
  Status ListInFlight(size_t process, const spool::ProcessReader& reader,
                      std::vector<InFlightRow>* rows) {
    return in_flight_.List(*processes_[process], reader, rows);
  }
  // `reading` without its process.
  Status AddClock(size_t process, ClockTable reading);
  Status AddCounter(size_t process, std::string_view kind, std::string_view counter,
                    uint64_t value);
  Status AddOperator(size_t process, const OperatorSpan& span) {
    return operators_.Add(processes_[process]->row, span);
  }
  Status AddMetadata(std::string_view tag, std::string_view value);
  Status AddMetadata(std::string_view tag, int64_t value);

  // Completes the database under its final name, replacing the file that was there at the time of
  // Create. Where that is not possible any more, the trace gets another name, which is `written`;
  // `note`: the reason, as a sentence.
  Status Commit(std::string* written, std::string* note = nullptr);
  // Drops the database. Nothing but the destructor may be called afterwards.
  void Drop();

  // The metadata of the trace that this one continues; empty when there is none.
  const std::map<std::string, std::string>& earlier_metadata() const { return earlier_.metadata; }
  uint64_t rows() const { return ops_.rows(); }  // of rocpd_op, added by this object
  // What is known of the process so far. What its records do not say is set here before EndProcess.
  TracedProcess& process(size_t number) { return *processes_[number]; }

 private:
  Status AddEvent(TracedProcess* process, const EventRecord& record, std::string_view text);
  Status AddSample(TracedProcess* process, const PcSampleRecord& record);
  Status AddFault(TracedProcess* process, const FaultRecord& record);
  Status Settle(TracedProcess* process, bool is_end);
  Status WriteUnlinked(size_t number);
  Status WriteProcess(const TracedProcess& process, const spool::ProcessInfo& info, uint64_t ended);
  Status PrepareWriters();
  void FinalizeStatements();
  void CloseDatabase();

  Options options_;
  std::string output_;
  OutputFile file_;
  Continuation earlier_;
  Database database_;
  BulkTables bulk_;
  Strings strings_;
  Chooser chooser_;
  OpWriter ops_;
  AgentWriter agents_;
  QueueWriter queues_;
  KernelWriter kernels_;
  CopyWriter copies_;
  BarrierWriter barriers_;
  MarkerWriter markers_;
  NameWriter names_;
  CallWriter calls_;
  CounterWriter counters_;
  SpanTables spans_;
  SampleWriter samples_;
  OperatorWriter operators_;
  InFlightWriter in_flight_;
  Statement process_, counter_, clock_, metadata_;
  uint64_t added_ = 0;  // records
  std::vector<std::unique_ptr<TracedProcess>> processes_;
};

}  // namespace rtl::store
