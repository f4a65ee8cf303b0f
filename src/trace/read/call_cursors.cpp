// SPDX-License-Identifier: MIT
// Cursors over the calls of an API: one with all columns, one with the few columns that statistics
// need.
#include "trace/read/trace_reader.h"

namespace rtl::query {
namespace {

// Before schema 8 calls had a table of their own, with all columns.
constexpr char kSelectWideSpans[] =
    "SELECT process_id, pid, tid, apiName_id, start, \"end\", result FROM rocpd_api";
constexpr char kWideByStart[] = " ORDER BY start, \"end\" DESC, id";
constexpr char kSelectWideApis[] =
    "SELECT a.id, a.pid, a.tid, a.apiName_id, a.args_id, a.start, a.\"end\", a.correlation_id,"
    " a.result, s.stream, s.name, a.process_id, c.size, c.kind FROM rocpd_api a"
    " LEFT JOIN api_stream s ON s.api_id = a.id LEFT JOIN rocpd_copyapi c ON c.api_id = a.id"
    " ORDER BY a.start, a.\"end\" DESC, a.id";
// the bits of a call's id that are its correlation id, as in the view rocpd_api
constexpr int64_t kCorrelationBits = 0xffffffffff;

}  // namespace

Status TraceReader::ApisByStart(ApiCursor* out) {
  out->selection_ = selection_;
  if (!version_.has_narrow_calls()) return database_.Prepare(kSelectWideApis, &out->wide_);
  std::vector<Stream> streams;
  RTL_TRY(tables_.Streams(&streams));
  for (Stream& stream : streams) {
    out->streams_[{stream.process, stream.handle}].push_back(std::move(stream));
  }
  RTL_TRY(out->sites_.Prepare(database_));
  CallRows rows;
  RTL_TRY(rows.Open(database_.file(), CallCopies::kRead));
  return out->rows_.Open(std::move(rows), path());
}

Status ApiCursor::NextRow(ApiRow* row, bool* has_row) {
  if (wide_.is_prepared()) return NextWideRow(row, has_row);
  CallRow call;
  const CallSite* site = nullptr;
  do {
    RTL_TRY(rows_.Next(&call, has_row));
    if (!*has_row) return Status::Ok();
    RTL_TRY(sites_.Find(call.site, &site));
  } while (!site->is_known);
  row->id = call.key.id;
  row->process = site->process;
  row->pid = site->pid;
  row->tid = site->tid;
  row->name = site->name;
  row->arguments = call.arguments;
  row->start = call.start();
  row->end = call.end();
  row->correlation = static_cast<uint64_t>(call.key.id & kCorrelationBits);
  row->has_result = site->has_result;
  row->result = static_cast<int32_t>(site->result);
  row->copied = call.copied;
  row->copy_kind = call.copy_kind;
  SetStream(*site, row);
  return Status::Ok();
}

// A later stream may reuse a handle, so the time decides, as in the view api_stream.
void ApiCursor::SetStream(const CallSite& site, ApiRow* row) const {
  row->stream = -1;
  row->stream_name.clear();
  if (!site.has_stream) return;
  const auto found = streams_.find({site.process, site.stream});
  if (found == streams_.end()) return;
  for (const Stream& stream : found->second) {
    const bool was_there = stream.destroyed == 0 || row->start <= stream.destroyed;
    if (row->start < stream.created || !was_there) continue;
    row->stream = static_cast<int64_t>(stream.stream);
    row->stream_name = stream.name;
    return;
  }
}

Status ApiCursor::NextWideRow(ApiRow* row, bool* has_row) {
  RTL_TRY(wide_.Step(has_row));
  if (!*has_row) return Status::Ok();
  const Statement& s = wide_;
  row->id = s.Int(0);
  row->pid = Narrow(s.Int(1));
  row->tid = Narrow(s.Int(2));
  row->name = s.Int(3);
  row->arguments = s.Int(4);
  row->start = s.Unsigned(5);
  row->end = s.Unsigned(6);
  row->correlation = s.Unsigned(7);
  row->has_result = !s.IsNull(8);
  row->result = static_cast<int32_t>(s.Int(8));
  row->stream = s.IsNull(9) ? -1 : s.Int(9);
  row->stream_name = Copy(s.Text(10));
  row->process = s.Int(11);
  row->copied = s.Unsigned(12);
  row->copy_kind = s.IsNull(13) ? -1 : static_cast<int32_t>(s.Int(13));
  return Status::Ok();
}

Status TraceReader::CallSpansByStart(CallSpanCursor* out) {
  if (!version_.has_narrow_calls()) return OpenWideCallSpans(kWideByStart, out);
  CallRows rows;
  RTL_TRY(OpenCallRows(out, &rows));
  out->is_sorted_ = true;
  return out->sorted_.Open(std::move(rows), path());
}

Status TraceReader::CallSpans(CallSpanCursor* out) {
  return version_.has_narrow_calls() ? OpenCallRows(out, &out->rows_) : OpenWideCallSpans("", out);
}

Status TraceReader::OpenWideCallSpans(const char* order, CallSpanCursor* out) {
  out->selection_ = selection_;
  return database_.Prepare(std::string(kSelectWideSpans) + order, &out->wide_);
}

Status TraceReader::OpenCallRows(CallSpanCursor* out, CallRows* rows) {
  out->selection_ = selection_;
  RTL_TRY(out->sites_.Prepare(database_));
  return rows->Open(database_.file(), CallCopies::kNone);
}

// hipErrorNotReady is the normal result of hipStreamQuery and hipEventQuery while work goes on.
static bool IsError(int64_t result) {
  constexpr int64_t kNotReady = 600;
  return result != 0 && result != kNotReady;
}

Status CallSpanCursor::NextRow(CallSpan* row, bool* has_row) {
  if (wide_.is_prepared()) return NextWideRow(row, has_row);
  CallRow call;
  RTL_TRY(is_sorted_ ? sorted_.Next(&call, has_row) : rows_.Next(&call, has_row));
  if (!*has_row) return Status::Ok();
  const CallSite* site = nullptr;
  RTL_TRY(sites_.Find(call.site, &site));
  *row = {.process = site->process,
          .pid = site->pid,
          .tid = site->tid,
          .name = site->name,
          .start = call.start(),
          .end = call.end(),
          .failed = site->has_result && IsError(site->result)};
  return Status::Ok();
}

Status CallSpanCursor::NextWideRow(CallSpan* row, bool* has_row) {
  RTL_TRY(wide_.Step(has_row));
  if (!*has_row) return Status::Ok();
  const Statement& s = wide_;
  *row = {.process = s.Int(0),
          .pid = Narrow(s.Int(1)),
          .tid = Narrow(s.Int(2)),
          .name = s.Int(3),
          .start = s.Unsigned(4),
          .end = s.Unsigned(5),
          .failed = !s.IsNull(6) && IsError(s.Int(6))};
  return Status::Ok();
}

}  // namespace rtl::query
