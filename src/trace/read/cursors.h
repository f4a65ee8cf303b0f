// SPDX-License-Identifier: MIT
// cursors.h: cursors that return the events of a trace, one row at a time. TraceReader opens them.
//
// Threads    the thread of their reader, from which they read and which must outlive them
// Blocking   file I/O
// Memory     independent of the number of events
// Errors     one line that names the file
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "base/status.h"
#include "trace/read/call_rows.h"
#include "trace/read/call_sites.h"
#include "trace/read/launch_table.h"
#include "trace/read/op_rows.h"
#include "trace/read/row_sorter.h"
#include "trace/read/rows.h"
#include "trace/read/selection.h"
#include "trace/read/statement.h"
#include "trace/read/table_rows.h"

namespace rtl::query {

class KernelCursor : public SelectedRows<KernelCursor, KernelRow> {
  friend class TraceReader;
  friend class SelectedRows<KernelCursor, KernelRow>;
  Status NextRow(KernelRow* row, bool* has_row);
  Status SetGraph(KernelRow* row);
  RowSorter<OpRows> rows_;
  LaunchTable* launches_ = nullptr;
  Statement graph_kernel_;  // finds a kernel by id; only for traces with graph launches
};

class KernelSpanCursor : public SelectedRows<KernelSpanCursor, KernelSpan> {
  friend class TraceReader;
  friend class SelectedRows<KernelSpanCursor, KernelSpan>;
  Status NextRow(KernelSpan* row, bool* has_row);
  RowSorter<OpRows> rows_;
  LaunchTable* launches_ = nullptr;
};

class ApiCursor : public SelectedRows<ApiCursor, ApiRow> {
  friend class TraceReader;
  friend class SelectedRows<ApiCursor, ApiRow>;
  Status NextRow(ApiRow* row, bool* has_row);
  Status NextWideRow(ApiRow* row, bool* has_row);
  void SetStream(const CallSite& site, ApiRow* row) const;

  Statement wide_;  // for traces before schema 8, where one row has all columns
  RowSorter<CallRows> rows_;
  CallSites sites_;
  // indexed by process and handle
  std::map<std::pair<int64_t, uint64_t>, std::vector<Stream>> streams_;
};

class CallSpanCursor : public SelectedRows<CallSpanCursor, CallSpan> {
  friend class TraceReader;
  friend class SelectedRows<CallSpanCursor, CallSpan>;
  Status NextRow(CallSpan* row, bool* has_row);
  Status NextWideRow(CallSpan* row, bool* has_row);

  Statement wide_;          // for traces before schema 8, where one row has all columns
  bool is_sorted_ = false;  // the rows are in sorted_, otherwise in rows_
  RowSorter<CallRows> sorted_;
  CallRows rows_;
  CallSites sites_;
};

class SampleCursor : public SelectedRows<SampleCursor, SampleRow> {
  friend class TraceReader;
  friend class SelectedRows<SampleCursor, SampleRow>;
  Status NextRow(SampleRow* row, bool* has_row);
  Statement statement_;
};

class CounterValueCursor {
 public:
  Status Next(CounterValueRow* row, bool* has_row);

 private:
  friend class TraceTables;
  Statement statement_;
};

class LaunchCursor : public SelectedRows<LaunchCursor, LaunchRow> {
  friend class TraceReader;
  friend class SelectedRows<LaunchCursor, LaunchRow>;
  Status NextRow(LaunchRow* row, bool* has_row);
  Statement statement_;
};

class MarkerCursor : public SelectedRows<MarkerCursor, MarkerRow> {
  friend class TraceReader;
  friend class SelectedRows<MarkerCursor, MarkerRow>;
  Status NextRow(MarkerRow* row, bool* has_row);
  RowSorter<OpRows> rows_;
  LaunchTable* launches_ = nullptr;
};

class BarrierCursor : public SelectedRows<BarrierCursor, BarrierRow> {
  friend class TraceReader;
  friend class SelectedRows<BarrierCursor, BarrierRow>;
  Status NextRow(BarrierRow* row, bool* has_row);
  Statement statement_;
};

class CopyCursor : public SelectedRows<CopyCursor, CopyRow> {
  friend class TraceReader;
  friend class SelectedRows<CopyCursor, CopyRow>;
  Status NextRow(CopyRow* row, bool* has_row);
  Statement statement_;
};

// Returns operators and Python functions.
class OperatorCursor : public SelectedRows<OperatorCursor, HostWorkRow> {
  friend class TraceReader;
  friend class SelectedRows<OperatorCursor, HostWorkRow>;
  Status NextRow(HostWorkRow* row, bool* has_row);
  bool has_table_ = false;
  Statement statement_;
};

class EventCursor : public SelectedRows<EventCursor, EventRow> {
  friend class TraceReader;
  friend class SelectedRows<EventCursor, EventRow>;
  Status NextRow(EventRow* row, bool* has_row);
  struct OfQueue {
    int64_t id = 0;
    int32_t gpu = -1;
  };
  void SetPlace(FieldForm form, int64_t value, EventRow* row) const;

  const SpanKind* kind_ = nullptr;  // null if the trace has no such events
  Statement statement_;
  std::map<std::pair<int64_t, int64_t>, int32_t> gpus_;    // indexed by process and agent
  std::map<std::pair<int64_t, int64_t>, OfQueue> queues_;  // indexed by process and hsa_queue_t.id
};

}  // namespace rtl::query
