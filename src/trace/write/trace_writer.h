// SPDX-License-Identifier: MIT
// trace_writer.h: makes a database from records. It passes each record to the writer of its kind,
// which joins what belongs together (kernel names, queues, GPUs, beginnings and ends of ranges) and
// writes the row.
//
// The database has a temporary name beside the output until Commit gives it the output's name.
// Until then, and after any failure, an earlier file with the output's name is unchanged.
//
// Threads    one at a time
// Blocking   file I/O
// Memory     constant, except for one entry per distinct text, per kernel, queue and agent, and per
//            open range
// Errors     a failure to write is final: after it only the destructor may be called
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
    bool go_on = false;                // add to the trace that has the output's name
    size_t cache_bytes = kCacheBytes;  // limits the database pages in memory; if it is small, fewer
                                       // calls are held, too
    Choice choice = {};                // the events to write
  };
  Status Create(const std::string& output, const Options& options);
  Status Create(const std::string& output) { return Create(output, Options()); }
  // Create in two steps: Reserve returns an error if the name cannot be used; Begin takes
  // milliseconds.
  Status Reserve(const std::string& output, const Options& options);
  Status Begin();

  // Begins a process. *process gets its number for the calls below; numbers begin with zero.
  void AddProcess(const spool::ProcessInfo& info, size_t* process);
  Status Add(size_t process, const spool::RecordView& record);
  // To be called after each Poll of the process's spool: writes the held records whose kernel,
  // queue or agents are described by now.
  Status Settle(size_t process);
  // Writes the records that are still held, closes open ranges at `ended`, and describes the
  // process by `info`.
  Status EndProcess(size_t process, const spool::ProcessInfo& info, uint64_t ended,
                    const Unsaid& unsaid);
  // To be called after EndProcess. See InFlightWriter::Write.
  Status WriteInFlight(size_t process, const spool::ProcessReader& reader, uint64_t ended,
                       Unended unended, uint64_t* count) {
    return in_flight_.Write(*processes_[process], reader, ended, unended, count);
  }
  Status ListInFlight(size_t process, const spool::ProcessReader& reader,
                      std::vector<InFlightRow>* rows) {
    return in_flight_.List(*processes_[process], reader, rows);
  }
  // `reading`: a row without its process.
  Status AddClock(size_t process, ClockTable reading);
  Status AddCounter(size_t process, std::string_view kind, std::string_view counter,
                    uint64_t value);
  Status AddOperator(size_t process, const OperatorSpan& span) {
    return operators_.Add(processes_[process]->row, span);
  }
  Status AddMetadata(std::string_view tag, std::string_view value);
  Status AddMetadata(std::string_view tag, int64_t value);

  // Completes the database and gives it its final name, replacing the file that had this name when
  // Create was called. If the name cannot be used any more, the trace gets another one. `written`:
  // its path; `note`: a sentence that says why it is another one.
  Status Commit(std::string* written, std::string* note = nullptr);
  // Drops the database. Nothing but the destructor may be called afterwards.
  void Drop();

  // The metadata of the trace that is continued; empty if there is none.
  const std::map<std::string, std::string>& earlier_metadata() const { return earlier_.metadata; }
  uint64_t rows() const { return ops_.rows(); }  // rows of rocpd_op that this object has added
  // What is known about the process so far. Facts that its records do not contain must be set here
  // before EndProcess.
  TracedProcess& process(size_t number) { return *processes_[number]; }

 private:
  Status AddEvent(TracedProcess* process, const EventRecord& record, std::string_view text);
  Status AddSample(TracedProcess* process, const PcSampleRecord& record);
  Status AddFault(TracedProcess* process, const FaultRecord& record);
  Status Settle(TracedProcess* process, bool is_end);
  Status WriteUnlinked(size_t number);
  Status WriteProcess(const TracedProcess& process, const spool::ProcessInfo& info, uint64_t ended);
  Status PrepareWriters();
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
  uint64_t added_ = 0;  // number of records
  std::vector<std::unique_ptr<TracedProcess>> processes_;
};

}  // namespace rtl::store
