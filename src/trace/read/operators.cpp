// SPDX-License-Identifier: MIT
// The part of TraceReader for operators of frameworks.
#include "trace/read/trace_reader.h"
#include "trace/schema/schema.h"

namespace rtl::query {

Status TraceReader::HostWork(const std::function<void(const HostWorkRow&)>& take) {
  bool has_operators = false;
  RTL_TRY(database_.HasTable("rtl_operator", &has_operators));
  bool has_named = false;
  std::string sql = "SELECT * FROM (";
  if (has_operators) {
    RTL_TRY(database_.ReadRows("SELECT 1 FROM rtl_operator WHERE kind = 1 LIMIT 1",
                               [&](const Statement&) { has_named = true; }));
    sql +=
        "SELECT process_id, tid, start, kind, name_id, duration,"
        " coalesce(inputs_id, 0) AS more, 0 AS began FROM rtl_operator UNION ALL ";
  }
  if (!has_named) {
    sql +=
        "SELECT process_id, tid, start, 1 AS kind, description_id, \"end\" - start AS "
        "duration, 0 AS more, 0 AS began FROM rocpd_op"
        " WHERE opType_id = (SELECT id FROM rocpd_string WHERE string = 'UserMarker') AND flags "
        "& " +
        std::to_string(store::kOpFlagMark | store::kOpFlagStartStop) + " = 0 UNION ALL ";
  }
  sql +=
      "SELECT a.process_id, a.tid, a.start, 3 AS kind, o.description_id, o.end - o.start AS "
      "duration, o.gpuId, o.start FROM rocpd_op o JOIN rocpd_api_ops l ON l.op_id = o.id JOIN "
      "rocpd_api a ON a.id = l.api_id"
      " WHERE o.opType_id = (SELECT id FROM rocpd_string WHERE string = 'KernelExecution'))"
      " ORDER BY process_id, tid, start, kind = 3, began, duration DESC";
  return database_.ReadRows(sql, [&](const Statement& rows) {
    const HostWorkRow row{.process = rows.Int(0),
                          .thread = static_cast<uint32_t>(rows.Int(1)),
                          .kind = static_cast<HostWorkRow::Kind>(rows.Int(3)),
                          .name = rows.Int(4),
                          .start = rows.Unsigned(2),
                          .duration = rows.Unsigned(5),
                          .inputs = rows.Int(3) == 3 ? 0 : rows.Int(6)};
    // Selected are kernels; the operators around them are returned even if they are not selected.
    if (selection_ != nullptr && row.kind == HostWorkRow::Kind::kKernel) {
      KernelRow kernel;
      kernel.process = row.process;
      kernel.name = row.name;
      kernel.gpu = static_cast<int32_t>(rows.Int(6));
      kernel.start = rows.Unsigned(7);
      kernel.end = kernel.start + row.duration;
      if (!selection_->Takes(kernel)) return;
    }
    take(row);
  });
}

Status TraceReader::Operators(OperatorCursor* out) {
  bool has_operators = false;
  RTL_TRY(database_.HasTable("rtl_operator", &has_operators));
  if (!has_operators) return Status::Ok();
  return OpenSelect(
      "SELECT id, process_id, tid, start, kind, name_id, duration, coalesce(inputs_id, 0)"
      " FROM rtl_operator ORDER BY process_id, tid, start, duration DESC,"
      // Of two sampled frames that began and ended together, the inner one is stored first.
      " CASE WHEN kind = 2 AND inputs_id IS NOT NULL THEN -id ELSE id END",
      out);
}

void FillRow(const Statement& s, HostWorkRow* row) {
  *row = {.process = s.Int(1),
          .thread = Narrow(s.Int(2)),
          .kind = static_cast<HostWorkRow::Kind>(s.Int(4)),
          .name = s.Int(5),
          .start = s.Unsigned(3),
          .duration = s.Unsigned(6),
          .inputs = s.Int(7),
          .id = s.Int(0)};
}

Status TraceReader::SampledFrames(const std::function<void(const SampledFrameRow&)>& take) {
  bool has_operators = false;
  RTL_TRY(database_.HasTable("rtl_operator", &has_operators));
  if (!has_operators || !metadata().contains("python_sampling")) return Status::Ok();
  return database_.ReadRows(
      "SELECT p.pid, o.tid, o.start, o.duration, o.name_id, o.inputs_id, p.id FROM rtl_operator o"
      " JOIN rtl_process p ON p.id = o.process_id WHERE o.kind = 2 AND o.inputs_id IS NOT NULL"
      " ORDER BY p.id, o.tid, o.start, o.duration DESC, o.id DESC",
      [&](const Statement& rows) {
        take({.process = rows.Int(6),
              .pid = static_cast<uint32_t>(rows.Int(0)),
              .tid = static_cast<uint32_t>(rows.Int(1)),
              .start = rows.Unsigned(2),
              .end = rows.Unsigned(2) + rows.Unsigned(3),
              .name = rows.Int(4),
              .file = rows.Int(5)});
      });
}

}  // namespace rtl::query
