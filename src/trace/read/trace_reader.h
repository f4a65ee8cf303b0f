// SPDX-License-Identifier: MIT
// trace_reader.h: opens a trace, refuses other files, and hands out its rows.
//
// Threads    one thread per reader and its cursors; `cancel` may be set from anywhere, a signal
//            handler included
// Blocking   file I/O; opening a cursor in time order may sort, which uses temporary files, not
//            memory
// Memory     independent of the number of events; processes, queues and kernels are small tables
// Files      opened read-only and immutable: no file is ever created beside the trace
// Errors     one line that names the file and the cause; the file's content is not trusted
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/status.h"
#include "trace/read/cursors.h"
#include "trace/read/launch_table.h"
#include "trace/read/row_kinds.h"
#include "trace/read/rows.h"
#include "trace/read/selection.h"
#include "trace/read/statement.h"
#include "trace/read/table_rows.h"

namespace rtl::query {

using Metadata = std::map<std::string, std::string, std::less<>>;

// The tool that a trace was imported from, whose losses are not known; null for a trace of this
// project.
const std::string* SourceOf(const Metadata& metadata);

class TraceReader {
 public:
  static Status Open(const std::string& path, std::unique_ptr<TraceReader>* out);
  ~TraceReader();
  TraceReader(const TraceReader&) = delete;
  TraceReader& operator=(const TraceReader&) = delete;

  const std::string& path() const { return path_; }
  // The name that results and errors show in place of the database's.
  void ShowAs(const std::string& name) { path_ = name; }
  // The database itself.
  const std::string& database() const { return tables_.path; }
  // Reading stops with kCancelled (trace/read/error.h) soon after *cancel becomes true.
  void SetCancel(const std::atomic<bool>* cancel);

  // Later cursors hand out only these rows. `selection` outlives them; null: all rows.
  void Select(const Selection* selection) { selection_ = selection; }
  bool has_selection() const { return selection_ != nullptr; }

  const Metadata& metadata() const { return metadata_; }
  int64_t schema_version() const { return schema_version_; }
  // 0 when the tag is missing or no number.
  uint64_t MetadataNumber(std::string_view tag) const;

  Status Processes(std::vector<Process>* out);
  Status Agents(std::vector<Agent>* out);
  // Empty for a trace of an earlier version.
  Status AgentProperties(std::vector<AgentProperty>* out);
  // The hardware counters of a process's kernels (0: of all), by process, dispatch and name. Empty
  // in older traces.
  Status Counters(int64_t process, std::vector<CounterSum>* out);
  // Their instances, by dispatch, in the order of storing.
  Status CounterValues(int64_t process, CounterValueCursor* out);
  // Every position that a counter has; of a value alone it is 0.
  Status CounterPositions(int64_t process, std::map<std::string, std::vector<uint64_t>>* out);
  // Empty in older traces.
  Status CounterInfos(std::vector<CounterInfo>* out);
  // Only for traces with samples of program counters; empty for others, and in older traces.
  Status CodeObjects(std::vector<CodeObjectRow>* out);
  // The file of the code objects with this number; empty when it is not in the trace.
  Status CodeBytes(int64_t content, std::string* out);
  // Samples of program counters, in the order of storing, which is that of their times.
  Status Samples(SampleCursor* out);
  Status SamplesByTime(SampleCursor* out);
  Status Queues(std::vector<Queue>* out);
  Status Kernels(std::vector<KernelInfo>* out);
  Status Streams(std::vector<Stream>* out);
  Status ProcessCounters(std::vector<ProcessCounter>* out);
  // By process and time. Empty for a trace of an earlier version.
  Status Clocks(std::vector<ClockRow>* out);
  // In the order of processes, queues and packets. Empty for a trace of an earlier version.
  Status InFlight(std::vector<InFlightRow>* out);
  // Empty for a trace of an earlier version.
  Status Faults(std::vector<FaultRow>* out);
  // In the order in which they were given: a later name of the same thing replaces the earlier.
  Status GivenNames(std::vector<GivenName>* out);

  // The greatest correlation id of the API calls, 0 when there are none.
  Status LastCorrelation(uint64_t* out);
  // The stream of the API call with this correlation id; *found is false when there is no such
  // call, or it works on no stream.
  Status StreamOfCall(int64_t process, uint64_t correlation, StreamUse* out, bool* found);
  Status Works(WorkOfCalls* out);
  // The greatest ApiRow::id; 0: there are no calls.
  Status CallCount(uint64_t* out);

  // The string with this id, empty when there is none. Valid until the next call.
  Status Text(int64_t id, std::string_view* out);

  // An upper bound of the number of kernels and markers, read without a scan.
  Status EventCount(uint64_t* out);
  // The number of selected rows of the kind. Packets in flight and faults are never selected.
  Status CountRows(RowKind kind, uint64_t* rows);
  // Whether the trace has a table or a view of this name.
  Status HasTable(std::string_view name, bool* out);
  Status HasColumn(std::string_view table, std::string_view name, bool* out);

  // Kernels in the order in which they were submitted (those without a time of submission:
  // started).
  Status KernelsBySubmit(KernelCursor* out);
  // Kernels in the order in which they started.
  Status SpansByStart(KernelSpanCursor* out);
  // Marks and ranges in the order in which they started; of two that started together, the one that
  // ended later comes first.
  Status MarkersByStart(MarkerCursor* out);
  // Barriers in the order in which they were submitted, as KernelsBySubmit.
  Status BarriersBySubmit(BarrierCursor* out);
  // Barriers in the order in which they opened.
  Status BarriersByEnd(BarrierCursor* out);
  // Copies in the order in which they started.
  Status CopiesByStart(CopyCursor* out);
  // Copies in the order in which they were submitted, as KernelsBySubmit.
  Status CopiesBySubmit(CopyCursor* out);
  // API calls in the order in which they began; of two that began together, the one that ended
  // later comes first.
  Status ApisByStart(ApiCursor* out);
  // The same calls in the same order, in few columns.
  Status CallSpansByStart(CallSpanCursor* out);
  // The same in no order: nothing is sorted.
  Status CallSpans(CallSpanCursor* out);
  // The events of a span kind (model/event_kinds.h), in the order in which they began; of two that
  // began together, the one that ended later comes first.
  Status EventsByStart(EventKind kind, EventCursor* out);
  // Every kernel whose call is in the trace, in no order.
  Status Launches(LaunchCursor* out);
  // What the host's threads do: operators and Python functions, where the trace has them (else
  // push/pop ranges as operators), and the selected kernels whose calls are in the trace. By
  // process, thread and start; of two spans that began together, the one that ended later comes
  // first, and kernels come last.
  Status HostWork(const std::function<void(const HostWorkRow&)>& take);
  // Operators and Python functions in the order of HostWork; none where the trace has no table of
  // them.
  Status Operators(OperatorCursor* out);
  // By process, thread and start, outer frames first. None where stacks were not sampled.
  Status SampledFrames(const std::function<void(const SampledFrameRow&)>& take);

 private:
  TraceReader() = default;
  Status Validate();
  Status ReadMetadata();
  template <typename Take>
  Status ReadRows(const char* sql, const Take& take);
  // A described table (trace/schema/tables.h) as a whole.
  template <typename Row>
  Status ReadTable(const char* order, std::vector<Row>* out);
  Status SelectSql(const store::TableDescription& table, const char* order, std::string* sql);
  Status CheckTables(std::span<const char* const> tables);
  Status CheckSpanTables();
  Status OpenWideCallSpans(const char* order, CallSpanCursor* out);
  Status OpenCallRows(CallSpanCursor* out, CallRows* rows);
  Status HasSamples(bool* out);
  Status OpenSamples(const char* order, SampleCursor* out);
  Status CheckSchemaVersion();
  bool HasTableOf(EventKind kind) const {
    return has_spans_ && (has_rccl_ || kind != EventKind::kRcclCall);
  }
  Status OpenTables();
  Status OperationType(std::string_view name, int64_t* id);
  template <typename Cursor>
  Status OpenOps(std::string_view type, OpOrder order, Cursor* out);
  Status FindGraphKernels(Statement* out);
  Status Highest(const char* sql, uint64_t* out);
  Status CountAll(RowKind kind, uint64_t* rows);
  Status CountSelected(RowKind kind, uint64_t* rows);
  Status CountCounted(uint64_t* rows);
  Status NearestAllocation(FaultRow* fault);
  Status AddRanges(std::vector<InFlightRow>* rows);

  std::string path_;
  sqlite3* db_ = nullptr;
  bool has_spans_ = false;  // schema 6 has none
  bool has_rccl_ = false;   // schema 9 has no calls of RCCL
  int64_t schema_version_ = 0;
  bool narrow_calls_ = false;    // rocpd_api is a view: schema 8
  bool links_in_calls_ = false;  // rocpd_api_ops is a view: schema 11
  const Selection* selection_ = nullptr;
  Metadata metadata_;
  Statement text_by_id_;
  Statement stream_of_call_;  // prepared at its first use
  bool has_stream_of_call_ = false;
  TableFile tables_;
  LaunchTable launches_;
  bool has_graph_kernels_ = false;  // a table of them was made
  std::unordered_map<int64_t, std::string> texts_;
  size_t text_bytes_ = 0;
};

template <typename Take>
Status TraceReader::ReadRows(const char* sql, const Take& take) {
  Statement rows;
  RTL_TRY(rows.Prepare(db_, path_, sql));
  while (true) {
    bool has_row = false;
    RTL_TRY(rows.Step(&has_row));
    if (!has_row) return Status::Ok();
    take(rows);
  }
}

template <typename Row>
Status TraceReader::ReadTable(const char* order, std::vector<Row>* out) {
  std::string sql;
  RTL_TRY(SelectSql(DescriptionOf(Row()), order, &sql));
  if (sql.empty()) return Status::Ok();
  return ReadRows(sql.c_str(), [&](const Statement& rows) {
    int column = 0;
    ForEachField(out->emplace_back(), [&](auto& field) { rows.Get(column++, &field); });
  });
}

}  // namespace rtl::query
