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
#include "trace/read/common_rows.h"
#include "trace/read/op_rows.h"
#include "trace/read/row_sorter.h"
#include "trace/read/rows.h"
#include "trace/read/selection.h"
#include "trace/read/statement.h"
#include "trace/read/table_rows.h"

namespace rtl::query {

// Read a row of rtl_op and its launch.
void FillRow(const OpRow& op, const Launch& launch, KernelRow* row);
void FillRow(const OpRow& op, const Launch& launch, KernelSpan* row);
void FillRow(const OpRow& op, const Launch& launch, MarkerRow* row);

template <typename Row>
class OpCursor : public SelectedRows<OpCursor<Row>, Row> {
  friend class TraceReader;
  friend class SelectedRows<OpCursor<Row>, Row>;
  Status NextRow(Row* row, bool* has_row) {
    OpRow op;
    RTL_TRY(rows_.Next(&op, has_row));
    if (!*has_row) return Status::Ok();
    const Launch* launch = nullptr;
    RTL_TRY(launches_->Find(op.launch, &launch));
    FillRow(op, *launch, row);
    return Status::Ok();
  }
  RowSorter<OpRows> rows_;
  LaunchTable* launches_ = nullptr;
};
using KernelSpanCursor = OpCursor<KernelSpan>;
using MarkerCursor = OpCursor<MarkerRow>;

class KernelCursor : public SelectedRows<KernelCursor, KernelRow> {
  friend class TraceReader;
  friend class SelectedRows<KernelCursor, KernelRow>;
  Status NextRow(KernelRow* row, bool* has_row);
  OpCursor<KernelRow> kernels_;
  Statement graph_kernel_;  // finds a kernel by id; only for traces with graph launches
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

// Read a row of their SELECT.
void FillRow(const Statement& select, SampleRow* row);
void FillRow(const Statement& select, LaunchRow* row);
void FillRow(const Statement& select, BarrierRow* row);
void FillRow(const Statement& select, CopyRow* row);
void FillRow(const Statement& select, HostWorkRow* row);

template <typename Row>
class SelectCursor : public SelectedRows<SelectCursor<Row>, Row> {
  friend class TraceReader;
  friend class SelectedRows<SelectCursor<Row>, Row>;
  Status NextRow(Row* row, bool* has_row) {
    *has_row = false;
    if (!select_.is_prepared()) return Status::Ok();
    RTL_TRY(select_.Step(has_row));
    if (*has_row) FillRow(select_, row);
    return Status::Ok();
  }
  Statement select_;  // not prepared if the trace has no such table
};
using SampleCursor = SelectCursor<SampleRow>;
using LaunchCursor = SelectCursor<LaunchRow>;
using BarrierCursor = SelectCursor<BarrierRow>;
using CopyCursor = SelectCursor<CopyRow>;
using OperatorCursor = SelectCursor<HostWorkRow>;  // operators and Python functions

class CounterValueCursor {
 public:
  Status Next(CounterValueRow* row, bool* has_row);

 private:
  friend class TraceTables;
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
  GpusOfAgents gpus_;
  std::map<std::pair<int64_t, int64_t>, OfQueue> queues_;  // indexed by process and hsa_queue_t.id
};

}  // namespace rtl::query
