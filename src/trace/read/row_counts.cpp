// SPDX-License-Identifier: MIT
// The part of TraceReader that counts rows: by SQL, which reads no more than necessary, or one by
// one if rows are selected.
#include "trace/read/counter_table.h"
#include "trace/read/trace_reader.h"

namespace rtl::query {
namespace {

struct Kind {
  const char* one;
  const char* several;
};
constexpr Kind kKinds[] = {
#define X(kind, one, several) {one, several},
    RTL_ROW_KINDS(X)
#undef X
};

constexpr char kOps[] =
    "SELECT count(*) FROM rocpd_op WHERE opType_id = (SELECT id FROM rocpd_string WHERE string = '";

EventKind SpanOf(RowKind kind) {
  switch (kind) {
    case RowKind::kHsaCall:
      return EventKind::kHsaCall;
    case RowKind::kRcclCall:
      return EventKind::kRcclCall;
    case RowKind::kAllocation:
      return EventKind::kAllocation;
    case RowKind::kScratch:
      return EventKind::kScratch;
    default:
      return EventKind::kInit;
  }
}

template <typename Cursor>
Status CountIn(TraceReader& trace, Status (TraceReader::*open)(Cursor*), uint64_t* rows) {
  Cursor cursor;
  RTL_TRY((trace.*open)(&cursor));
  return cursor.Each([&](const auto&) { ++*rows; });
}

Status CountAll(const TraceDatabase& database, bool has_narrow_calls, RowKind kind,
                uint64_t* rows) {
  const auto of_table = [&](const std::string& table, const std::string& select) {
    bool is_there = false;
    RTL_TRY(database.HasTable(table, &is_there));
    if (!is_there) return Status::Ok();
    return database.Number(select.empty() ? "SELECT count(*) FROM " + table : select, rows);
  };
  switch (kind) {
    case RowKind::kKernel:
      return of_table("rocpd_op", std::string(kOps) + "KernelExecution')");
    case RowKind::kMarker:
      return of_table("rocpd_op", std::string(kOps) + "UserMarker')");
    case RowKind::kCopy:
      return of_table("rtl_copy", "");
    case RowKind::kBarrier:
      return of_table("rtl_barrier", "");
    case RowKind::kCall:
      return of_table(has_narrow_calls ? "rtl_call" : "rocpd_api", "");
    case RowKind::kCounted:
      return of_table(
          "rtl_counter_value",
          "SELECT count(*) FROM (SELECT DISTINCT process_id, dispatch FROM rtl_counter_value)");
    case RowKind::kSample:
      return of_table("rtl_pc_sample", "");
    case RowKind::kOperator:
      return of_table("rtl_operator", "SELECT count(*) FROM rtl_operator WHERE kind = 1");
    case RowKind::kFunction:
      return of_table("rtl_operator", "SELECT count(*) FROM rtl_operator WHERE kind = 2");
    default:
      return of_table(std::string("rtl_") + FindSpanKind(SpanOf(kind))->view, "");
  }
}

// Counts the kernels that have counters.
Status CountCounted(TraceReader& trace, uint64_t* rows) {
  CounterTable table;
  RTL_TRY(table.Load(trace));
  if (table.empty()) return Status::Ok();
  KernelCursor cursor;
  RTL_TRY(trace.KernelsBySubmit(&cursor));
  return cursor.Each(
      [&](const KernelRow& row) { *rows += table.Of(row.process, row.dispatch).empty() ? 0 : 1; });
}

Status CountSelected(TraceReader& trace, RowKind kind, uint64_t* rows) {
  switch (kind) {
    case RowKind::kKernel:
      return CountIn(trace, &TraceReader::SpansByStart, rows);
    case RowKind::kMarker:
      return CountIn(trace, &TraceReader::MarkersByStart, rows);
    case RowKind::kCopy:
      return CountIn(trace, &TraceReader::CopiesByStart, rows);
    case RowKind::kBarrier:
      return CountIn(trace, &TraceReader::BarriersByEnd, rows);
    case RowKind::kCall:
      return CountIn(trace, &TraceReader::CallSpans, rows);
    case RowKind::kSample:
      return CountIn(trace, &TraceReader::Samples, rows);
    case RowKind::kCounted:
      return CountCounted(trace, rows);
    case RowKind::kOperator:
    case RowKind::kFunction: {
      OperatorCursor cursor;
      RTL_TRY(trace.Operators(&cursor));
      return cursor.Each([&](const HostWorkRow& row) {
        const bool is_function = row.kind == HostWorkRow::Kind::kPythonFunction;
        *rows += is_function == (kind == RowKind::kFunction) ? 1 : 0;
      });
    }
    default: {
      EventCursor cursor;
      RTL_TRY(trace.EventsByStart(SpanOf(kind), &cursor));
      return cursor.Each([&](const EventRow&) { ++*rows; });
    }
  }
}

}  // namespace

const char* TextOf(RowKind kind, uint64_t rows) {
  const Kind& text = kKinds[static_cast<size_t>(kind)];
  return rows == 1 ? text.one : text.several;
}

Status TraceReader::CountRows(RowKind kind, uint64_t* rows) {
  *rows = 0;
  if (kind == RowKind::kInFlight) {
    std::vector<InFlightRow> all;
    RTL_TRY(InFlight(&all));
    *rows = all.size();
    return Status::Ok();
  }
  if (kind == RowKind::kFault) {
    std::vector<FaultRow> all;
    RTL_TRY(tables_.Faults(&all));
    *rows = all.size();
    return Status::Ok();
  }
  return selection_ != nullptr ? CountSelected(*this, kind, rows)
                               : CountAll(database_, version_.has_narrow_calls(), kind, rows);
}

}  // namespace rtl::query
