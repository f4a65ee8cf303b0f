// SPDX-License-Identifier: MIT
// trace_writer.h: records in, database out. Joins what belongs together (kernel names, queues,
// GPUs, beginnings and ends of ranges) and gives every row its final form.
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
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
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
#include "trace/write/bulk_tables.h"
#include "trace/write/call_writer.h"
#include "trace/write/choice.h"
#include "trace/write/continuation.h"
#include "trace/write/counter_writer.h"
#include "trace/write/in_flight_row.h"
#include "trace/write/op_table.h"
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
  // Call it after each Poll of its spool: writes pending dispatches whose kernel and queue are
  // known by now.
  Status Settle(size_t process);
  // Records of the process wait for the description of their kernel, queue or GPU.
  bool HasPending(size_t process) const;
  // For a process whose earlier events are in another database: streams keep their numbers.
  void SetStreams(size_t process, const Streams& streams) {
    processes_[process]->streams = streams;
  }
  const Streams& streams(size_t process) const { return processes_[process]->streams; }
  // Writes the pending records, closes open ranges at `ended`, and describes the process by `info`.
  Status EndProcess(size_t process, const spool::ProcessInfo& info, uint64_t ended,
                    const Unsaid& unsaid);
  // How the process ended: rtl_process.ending. Before EndProcess.
  void SetEnding(size_t process, std::string_view ending) { processes_[process]->ending = ending; }
  // Kernels of the process, by queue, that are too old for the trace. Before EndProcess.
  void SetOutOfWindow(size_t process, const std::map<uint32_t, uint64_t>& kernels);
  // The kinds that the process records (EventSet::bits; 0: not known). Before EndProcess.
  void SetEvents(size_t process, uint32_t events) { processes_[process]->events = events; }
  // Of a process that died: removes the kernels that it wrote down and did not submit any more.
  void RemoveUncounted(size_t process, const spool::ControlPage& page,
                       std::vector<spool::ProcessReader::InFlight>* kernels) const;
  // The kernels in flight when the process ended; after EndProcess. `looked`: every kernel that had
  // ended by then is left out; zero: not known. `until`: they were in flight then.
  Status AddInFlight(size_t process, const std::vector<spool::ProcessReader::InFlight>& kernels,
                     const std::vector<spool::ProcessReader::Barrier>& barriers, uint64_t looked,
                     uint64_t until);
  // The kernels in flight in a living process; before its EndProcess.
  Status ListInFlight(size_t process, const spool::ProcessReader& reader,
                      std::vector<InFlightRow>* rows);
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
  uint64_t rows() const { return rows_; }  // of rocpd_op, added by this object
  uint64_t rows(size_t process) const { return processes_[process]->rows; }
  uint64_t recorded(size_t process, EventKind kind) const;
  // Every GPU that the process has reported, by ordinal.
  std::vector<AgentRecord> gpus(size_t process) const;
  // Records with impossible times. They have no row.
  uint64_t rejected(size_t process) const { return processes_[process]->rejected; }
  // Calls whose correlation id an earlier call has used. Only the first has a row.
  uint64_t duplicates(size_t process, EventKind kind) const {
    return processes_[process]->duplicates[static_cast<size_t>(kind)];
  }
  // Events that were not selected.
  uint64_t left_out(size_t process, EventKind kind) const {
    return processes_[process]->left_out[static_cast<size_t>(kind)];
  }
  // Time of the latest event of the process.
  uint64_t last_time(size_t process) const { return processes_[process]->last_time; }
  uint64_t faults(size_t process) const { return processes_[process]->faults; }
  // Sentences of the process for the user, and those of this class about it.
  const std::vector<std::string>& warnings(size_t process) const {
    return processes_[process]->warnings;
  }

 private:
  using Kernel = TracedKernel;
  using Queue = TracedQueue;
  using Pending = TracedProcess::Pending;
  using Process = TracedProcess;
  static constexpr size_t kMaxPending = 65536;  // of a process, of each sort

  Status PrepareStatements();
  static void SetProcess(const Process& process, OpRow* row);
  Status AddRow(Process& process, const OpRow& row);
  Status AddKernel(Process& process, const KernelRecord& record, std::string_view symbol);
  Status AddDispatch(Process& process, const DispatchRecord& record);
  // The row just added.
  Status Link(Process* process, EventKind kind, uint32_t thread, uint64_t correlation,
              int64_t kernel = 0);
  Status WriteUnlinked(size_t number);
  Status WriteDispatch(Process& process, const DispatchRecord& record);
  // Null while they are not known; that of a queue whose agent is not known, too.
  static Queue* FindQueue(Process& process, uint32_t number);
  static const Kernel* FindKernel(Process& process, uint32_t number);
  Status AddCopy(Process& process, const CopyRecord& record);
  Status WriteCopy(Process& process, const CopyRecord& record);
  static bool AgentsKnown(const Process& process, const CopyRecord& record);
  Status AddBarrier(Process& process, const BarrierRecord& record);
  Status WriteBarrier(Process& process, const BarrierRecord& record);
  Status AddEvent(Process& process, const EventRecord& record, std::string_view text);
  Status AddSample(Process& process, const PcSampleRecord& record);
  Status AddName(Process& process, const NameRecord& record, std::string_view text);
  Status WriteNamesInKernel(Process& process);
  Status AddFault(Process& process, const FaultRecord& record);
  Status AddMark(Process& process, const MarkRecord& record, std::string_view text);
  Status AddRangeBegin(Process& process, const RangeBeginRecord& record, std::string_view text);
  void AddRangeEnd(Process& process, const RangeEndRecord& record);
  Status WriteMarker(Process& process, const MarkerSpan& span);
  Status WriteStreams(Process& process);
  static Status EachInFlight(
      const Process& process, const std::vector<spool::ProcessReader::InFlight>& kernels,
      bool alive, const std::function<Status(const InFlightRow&, const InFlightEntry&)>& take);
  bool LookUp(const char* sql, int64_t id, std::string* text, int64_t* second) const;
  Status InFlightName(const Process& process, const InFlightEntry& entry, int64_t* name,
                      int64_t* row);
  static bool IsComplete(Process& process, const DispatchRecord& record);
  static void LeaveOut(Process& process, EventKind kind);
  static bool LeaveOut(Process& process, const spool::RecordView& record);
  void FinalizeStatements();
  void CloseDatabase();

  Options options_;
  std::string output_;
  OutputFile file_;
  Continuation earlier_;
  Database database_;
  BulkTables bulk_;
  Strings strings_;
  OpTable ops_;
  AgentWriter agents_;
  QueueWriter queues_;
  CallWriter calls_;
  CounterWriter counters_;
  SpanTables spans_;
  SampleWriter samples_;
  OperatorWriter operators_;
  Chooser chooser_;
  Statement kernel_, process_, counter_, metadata_, copy_, barrier_, stream_, name_;
  // Values of rocpd_string.id; 0: not needed yet.
  int64_t barrier_type_ = 0, barrier_names_[std::size(kBarrierNames)] = {};
  int64_t copy_types_[5] = {};  // by CopyKind
  int64_t kernel_type_ = 0, marker_type_ = 0, unknown_kernel_ = 0;
  int64_t next_kernel_ = 0, next_stream_ = 0;  // rows given out so far
  uint64_t rows_ = 0;
  uint64_t added_ = 0;  // records
  std::vector<std::unique_ptr<Process>> processes_;
};

// The kernels and barriers that were submitted and have no row because their process ended.
struct Unended {
  uint64_t kernels = 0;
  uint64_t barriers = 0;
  bool died = false;  // without a word: perhaps while a thread submitted a kernel
};

// Writes the kernels and recorded barriers that had not ended when the process, or its trace, ended
// at `ended`, and their number. One whose record was being written is among them if `unended` says
// that one more has no row; one that was just to be submitted is not. After
// TraceWriter::EndProcess.
Status WriteInFlight(TraceWriter* writer, size_t process, const spool::ProcessReader& reader,
                     uint64_t ended, Unended unended, uint64_t* count);

}  // namespace rtl::store
