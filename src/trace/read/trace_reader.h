// SPDX-License-Identifier: MIT
// trace_reader.h: opens a trace, refuses other files, and returns the trace's rows.
//
// Threads    one thread per reader and its cursors; `cancel` may be set by any thread and by a
//            signal handler
// Blocking   file I/O; opening a cursor in time order may sort, which uses temporary files, not
//            memory
// Memory     independent of the number of events; processes, queues and kernels are small tables
// Files      opened read-only and immutable: no file is ever created beside the trace
// Errors     one line that names the file and the cause; the file's content is not trusted
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "trace/read/calls_by_number.h"
#include "trace/read/common_rows.h"
#include "trace/read/cursors.h"
#include "trace/read/graph_kernels.h"
#include "trace/read/row_kinds.h"
#include "trace/read/rows.h"
#include "trace/read/selection.h"
#include "trace/read/texts.h"
#include "trace/read/trace_database.h"
#include "trace/read/trace_tables.h"
#include "trace/read/trace_version.h"

namespace rtl::query {

class TraceReader {
 public:
  static Status Open(const std::string& path, std::unique_ptr<TraceReader>* out);
  TraceReader(const TraceReader&) = delete;
  TraceReader& operator=(const TraceReader&) = delete;

  const std::string& path() const { return database_.shown(); }
  // Sets the name that results and errors show instead of the database's path.
  void ShowAs(const std::string& name) { database_.ShowAs(name); }
  // The path of the database.
  const std::string& database() const { return database_.file().path; }
  // Reading stops with kCancelled (trace/read/error.h) soon after *cancel becomes true.
  void SetCancel(const std::atomic<bool>* cancel) { database_.SetCancel(cancel); }

  // Later cursors return only the selected rows. `selection` must outlive them; null: all rows.
  void Select(const Selection* selection) { selection_ = selection; }
  bool has_selection() const { return selection_ != nullptr; }

  const TraceVersion& version() const { return version_; }
  const Metadata& metadata() const { return version_.metadata(); }
  // Tables that are read as a whole, and facts about calls by their numbers.
  const TraceTables& tables() const { return tables_; }
  CallsByNumber& calls() { return calls_; }

  // *out is empty if there is no string with this id. Valid until the next call.
  Status Text(int64_t id, std::string_view* out) { return texts_.Find(id, out); }
  Status Text(int64_t id, std::string* out) {  // a copy
    std::string_view text;
    RTL_TRY(Text(id, &text));
    *out = text;
    return Status::Ok();
  }
  // The kernels in flight, ordered by process, queue and packet. Empty for a trace of an earlier
  // version.
  Status InFlight(std::vector<InFlightRow>* out);

  // An upper bound for the number of kernels and markers, found without reading them.
  Status EventCount(uint64_t* out);
  // The number of selected rows of the kind. Packets in flight and faults are never selected.
  Status CountRows(RowKind kind, uint64_t* rows);

  // Kernels in the order of submission. Kernels without a time of submission are ordered by their
  // start.
  Status KernelsBySubmit(KernelCursor* out);
  // Kernels in the order in which they started.
  Status SpansByStart(KernelSpanCursor* out);
  // Marks and ranges in the order in which they started; of two that started together, the one that
  // ended later comes first.
  Status MarkersByStart(MarkerCursor* out);
  // Barriers in the order of submission, like KernelsBySubmit.
  Status BarriersBySubmit(BarrierCursor* out);
  // Barriers in the order in which they ended.
  Status BarriersByEnd(BarrierCursor* out);
  // Copies in the order in which they started.
  Status CopiesByStart(CopyCursor* out);
  // Copies in the order of submission, like KernelsBySubmit.
  Status CopiesBySubmit(CopyCursor* out);
  // API calls in the order in which they began; of two that began together, the one that ended
  // later comes first.
  Status ApisByStart(ApiCursor* out);
  // The calls in the same order as ApisByStart, with few columns.
  Status CallSpansByStart(CallSpanCursor* out);
  // The calls in no particular order, so that nothing is sorted.
  Status CallSpans(CallSpanCursor* out);
  // The events of a span kind (model/event_kinds.h), in the order in which they began; of two that
  // began together, the one that ended later comes first.
  Status EventsByStart(EventKind kind, EventCursor* out);
  // Every kernel whose call is in the trace, in no particular order.
  Status Launches(LaunchCursor* out);
  // PC samples: Samples in the order in which they are stored, SamplesByTime in the order of their
  // times.
  Status Samples(SampleCursor* out);
  Status SamplesByTime(SampleCursor* out);
  // What the host's threads do: operators and Python functions if the trace has them (otherwise
  // push/pop ranges as operators), and the selected kernels whose calls are in the trace. Ordered
  // by process, thread and start. Of two spans that began together, the one that ended later comes
  // first, and kernels come last.
  Status HostWork(const std::function<void(const HostWorkRow&)>& take);
  // Operators and Python functions in the order of HostWork; none if the trace has no table of
  // them.
  Status Operators(OperatorCursor* out);
  // Frames of sampled stacks, ordered by process, thread and start, outer frames first. None if
  // stacks were not sampled.
  Status SampledFrames(const std::function<void(const SampledFrameRow&)>& take);

 private:
  TraceReader() = default;
  Status OpenWideCallSpans(const char* order, CallSpanCursor* out);
  Status OpenCallRows(CallSpanCursor* out, CallRows* rows);
  Status OpenSamples(const char* order, SampleCursor* out);
  template <typename Row>
  Status OpenSelect(const std::string& sql, SelectCursor<Row>* out) {
    out->selection_ = selection_;
    return database_.Prepare(sql, &out->select_);
  }
  template <typename Row>
  Status OpenOps(std::string_view type, OpOrder order, OpCursor<Row>* out);

  TraceDatabase database_;
  TraceVersion version_;
  TraceTables tables_{&database_, &version_};
  CallsByNumber calls_{&database_};
  GraphKernels graph_kernels_{&database_};
  Texts texts_;
  LaunchTable launches_;
  const Selection* selection_ = nullptr;
};

}  // namespace rtl::query
