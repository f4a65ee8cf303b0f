// SPDX-License-Identifier: MIT
#include "trace/read/trace_reader.h"

#include <utility>

namespace rtl::query {
namespace {

constexpr char kSelectCopies[] =
    "SELECT o.id, o.pid, o.tid, o.description_id, c.dst_gpu, c.src_gpu, c.bytes, o.submit, o.start,"
    " o.\"end\", o.correlation_id, c.dst_agent, c.src_agent, c.dst, c.src, o.process_id"
    " FROM rtl_copy c JOIN rocpd_op o ON o.id = c.op_id ORDER BY ";
constexpr char kOpsByStart[] = "o.start, o.id";
constexpr char kOpsBySubmit[] =
    "CASE WHEN o.submit > 0 AND o.submit < o.start THEN o.submit ELSE o.start END, o.id";

constexpr char kSelectBarriers[] =
    "SELECT o.id, o.pid, o.tid, o.gpuId, o.queueId, o.description_id, b.dependencies, o.submit,"
    " o.start, o.\"end\", o.correlation_id, o.packet, o.process_id"
    " FROM rtl_barrier b JOIN rocpd_op o ON o.id = b.op_id ORDER BY ";

constexpr char kSelectLaunches[] =
    "SELECT o.description_id, a.start, o.submit, o.start, o.\"end\", o.gpuId, o.queueId,"
    " o.process_id FROM rocpd_api_ops l"
    " JOIN rocpd_api a ON a.id = l.api_id JOIN rocpd_op o ON o.id = l.op_id"
    " WHERE o.opType_id = (SELECT id FROM rocpd_string WHERE string = 'KernelExecution')";

}  // namespace

Status TraceReader::Open(const std::string& path, std::unique_ptr<TraceReader>* out) {
  std::unique_ptr<TraceReader> reader(new TraceReader());
  const TraceDatabase& database = reader->database_;
  RTL_TRY(reader->database_.Open(path));
  RTL_TRY(reader->version_.Read(database));
  RTL_TRY(reader->launches_.Prepare(database));
  RTL_TRY(reader->texts_.Prepare(database));
  *out = std::move(reader);
  return Status::Ok();
}

Status TraceReader::EventCount(uint64_t* out) {
  return database_.Number("SELECT max(id) FROM rtl_op", out);
}

Status TraceReader::Launches(LaunchCursor* out) { return OpenSelect(kSelectLaunches, out); }

void FillRow(const Statement& s, LaunchRow* row) {
  row->name = s.Int(0);
  row->call_start = s.Unsigned(1);
  row->submit = s.Unsigned(2);
  row->start = s.Unsigned(3);
  row->end = s.Unsigned(4);
  row->gpu = static_cast<int32_t>(s.Int(5));
  row->queue = s.Int(6);
  row->process = s.Int(7);
}

Status TraceReader::CopiesByStart(CopyCursor* out) {
  return OpenSelect(std::string(kSelectCopies) + kOpsByStart, out);
}

Status TraceReader::CopiesBySubmit(CopyCursor* out) {
  return OpenSelect(std::string(kSelectCopies) + kOpsBySubmit, out);
}

void FillRow(const Statement& s, CopyRow* row) {
  row->id = s.Int(0);
  row->pid = Narrow(s.Int(1));
  row->tid = Narrow(s.Int(2));
  row->name = s.Int(3);
  row->dst_gpu = static_cast<int32_t>(s.Int(4));
  row->src_gpu = static_cast<int32_t>(s.Int(5));
  row->bytes = s.Unsigned(6);
  row->submit = s.Unsigned(7);
  row->start = s.Unsigned(8);
  row->end = s.Unsigned(9);
  row->correlation = s.Unsigned(10);
  row->dst_agent = Narrow(s.Int(11));
  row->src_agent = Narrow(s.Int(12));
  row->dst = s.Unsigned(13);
  row->src = s.Unsigned(14);
  row->process = s.Int(15);
}

Status TraceReader::BarriersBySubmit(BarrierCursor* out) {
  return OpenSelect(std::string(kSelectBarriers) + kOpsBySubmit, out);
}

Status TraceReader::BarriersByEnd(BarrierCursor* out) {
  return OpenSelect(std::string(kSelectBarriers) + "o.\"end\", o.id", out);
}

void FillRow(const Statement& s, BarrierRow* row) {
  row->id = s.Int(0);
  row->pid = Narrow(s.Int(1));
  row->tid = Narrow(s.Int(2));
  row->gpu = static_cast<int32_t>(s.Int(3));
  row->queue = s.Int(4);
  row->name = s.Int(5);
  row->dependencies = Narrow(s.Int(6));
  row->submit = s.Unsigned(7);
  row->start = s.Unsigned(8);
  row->end = s.Unsigned(9);
  row->correlation = s.Unsigned(10);
  row->packet = s.Unsigned(11);
  row->process = s.Int(12);
}

}  // namespace rtl::query
