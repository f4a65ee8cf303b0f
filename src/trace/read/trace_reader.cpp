// SPDX-License-Identifier: MIT
#include "trace/read/trace_reader.h"

#include <utility>

#include "trace/schema/schema.h"

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
    " WHERE o.opType_id = ?1";

// *id is 0 if there is no such string; there are then no rows of this type.
Status OperationType(const TraceDatabase& database, std::string_view name, int64_t* id) {
  Statement type;
  RTL_TRY(type.Prepare(database.connection(), database.shown(),
                       "SELECT id FROM rocpd_string WHERE string = ?1"));
  RTL_TRY(type.Bind(1, name));
  bool has_row = false;
  RTL_TRY(type.Step(&has_row));
  *id = has_row ? type.Int(0) : -1;
  return Status::Ok();
}

}  // namespace

Status TraceReader::Open(const std::string& path, std::unique_ptr<TraceReader>* out) {
  std::unique_ptr<TraceReader> reader(new TraceReader());
  const TraceDatabase& database = reader->database_;
  RTL_TRY(reader->database_.Open(path));
  RTL_TRY(reader->version_.Read(database));
  RTL_TRY(reader->launches_.Prepare(database.connection(), database.shown()));
  RTL_TRY(reader->texts_.Prepare(database));
  *out = std::move(reader);
  return Status::Ok();
}

Status TraceReader::EventCount(uint64_t* out) {
  return database_.Number("SELECT max(id) FROM rtl_op", out);
}

Status TraceReader::Launches(LaunchCursor* out) {
  out->selection_ = selection_;
  int64_t type = 0;
  RTL_TRY(OperationType(database_, store::kOpTypeKernel, &type));
  RTL_TRY(out->statement_.Prepare(database_.connection(), database_.shown(), kSelectLaunches));
  return out->statement_.Bind(1, type);
}

Status LaunchCursor::NextRow(LaunchRow* row, bool* has_row) {
  RTL_TRY(statement_.Step(has_row));
  if (!*has_row) return Status::Ok();
  row->name = statement_.Int(0);
  row->call_start = statement_.Unsigned(1);
  row->submit = statement_.Unsigned(2);
  row->start = statement_.Unsigned(3);
  row->end = statement_.Unsigned(4);
  row->gpu = static_cast<int32_t>(statement_.Int(5));
  row->queue = statement_.Int(6);
  row->process = statement_.Int(7);
  return Status::Ok();
}

Status TraceReader::CopiesByStart(CopyCursor* out) {
  out->selection_ = selection_;
  const std::string sql = std::string(kSelectCopies) + kOpsByStart;
  return out->statement_.Prepare(database_.connection(), database_.shown(), sql.c_str());
}

Status TraceReader::CopiesBySubmit(CopyCursor* out) {
  out->selection_ = selection_;
  const std::string sql = std::string(kSelectCopies) + kOpsBySubmit;
  return out->statement_.Prepare(database_.connection(), database_.shown(), sql.c_str());
}

Status CopyCursor::NextRow(CopyRow* row, bool* has_row) {
  RTL_TRY(statement_.Step(has_row));
  if (!*has_row) return Status::Ok();
  row->id = statement_.Int(0);
  row->pid = Narrow(statement_.Int(1));
  row->tid = Narrow(statement_.Int(2));
  row->name = statement_.Int(3);
  row->dst_gpu = static_cast<int32_t>(statement_.Int(4));
  row->src_gpu = static_cast<int32_t>(statement_.Int(5));
  row->bytes = statement_.Unsigned(6);
  row->submit = statement_.Unsigned(7);
  row->start = statement_.Unsigned(8);
  row->end = statement_.Unsigned(9);
  row->correlation = statement_.Unsigned(10);
  row->dst_agent = Narrow(statement_.Int(11));
  row->src_agent = Narrow(statement_.Int(12));
  row->dst = statement_.Unsigned(13);
  row->src = statement_.Unsigned(14);
  row->process = statement_.Int(15);
  return Status::Ok();
}

Status TraceReader::BarriersBySubmit(BarrierCursor* out) {
  out->selection_ = selection_;
  const std::string sql = std::string(kSelectBarriers) + kOpsBySubmit;
  return out->statement_.Prepare(database_.connection(), database_.shown(), sql.c_str());
}

Status TraceReader::BarriersByEnd(BarrierCursor* out) {
  out->selection_ = selection_;
  const std::string sql = std::string(kSelectBarriers) + "o.\"end\", o.id";
  return out->statement_.Prepare(database_.connection(), database_.shown(), sql.c_str());
}

Status BarrierCursor::NextRow(BarrierRow* row, bool* has_row) {
  RTL_TRY(statement_.Step(has_row));
  if (!*has_row) return Status::Ok();
  const Statement& s = statement_;
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
  return Status::Ok();
}

}  // namespace rtl::query
