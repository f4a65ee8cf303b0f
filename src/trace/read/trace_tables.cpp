// SPDX-License-Identifier: MIT
// The tables of a trace that are read as a whole: the objects that its events refer to.
#include "trace/read/trace_reader.h"

namespace rtl::query {

Status TraceReader::Processes(std::vector<Process>* out) {
  return ReadRows(
      "SELECT pid, parent_pid, started, ended, host, executable, command, mode,"
      " door, runtime, id, coalesce(rank, -1), coalesce(world, 0), job"
      " FROM rtl_process ORDER BY started, id",
      [&](const Statement& rows) {
        out->push_back({.id = rows.Int(10),
                        .pid = Narrow(rows.Int(0)),
                        .parent_pid = Narrow(rows.Int(1)),
                        .started = rows.Unsigned(2),
                        .ended = rows.Unsigned(3),
                        .host = Copy(rows.Text(4)),
                        .executable = Copy(rows.Text(5)),
                        .command = Copy(rows.Text(6)),
                        .mode = Copy(rows.Text(7)),
                        .door = Copy(rows.Text(8)),
                        .runtime = Copy(rows.Text(9)),
                        .rank = static_cast<int32_t>(rows.Int(11)),
                        .world = Narrow(rows.Int(12)),
                        .job = Copy(rows.Text(13))});
      });
}

Status TraceReader::Agents(std::vector<Agent>* out) {
  return ReadRows(
      "SELECT pid, agent, is_gpu, gpu, bdf, compute_units, timestamp_hz, name,"
      " product, uuid, process_id, node FROM rtl_agent ORDER BY process_id, agent",
      [&](const Statement& rows) {
        out->push_back({.process = rows.Int(10),
                        .pid = Narrow(rows.Int(0)),
                        .agent = Narrow(rows.Int(1)),
                        .is_gpu = rows.Int(2) != 0,
                        .gpu = static_cast<int32_t>(rows.Int(3)),
                        .node = Narrow(rows.Int(11)),
                        .bdf = Narrow(rows.Int(4)),
                        .compute_units = Narrow(rows.Int(5)),
                        .timestamp_hz = rows.Unsigned(6),
                        .name = Copy(rows.Text(7)),
                        .product = Copy(rows.Text(8)),
                        .uuid = Copy(rows.Text(9))});
      });
}

Status TraceReader::AgentProperties(std::vector<AgentProperty>* out) {
  bool is_there = false;
  RTL_TRY(
      ReadRows("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'rtl_agent_property'",
               [&](const Statement&) { is_there = true; }));
  if (!is_there) return Status::Ok();
  return ReadRows("SELECT process_id, agent, name, value FROM rtl_agent_property ORDER BY rowid",
                  [&](const Statement& rows) {
                    out->push_back({.process = rows.Int(0),
                                    .agent = Narrow(rows.Int(1)),
                                    .name = Copy(rows.Text(2)),
                                    .value = Copy(rows.Text(3))});
                  });
}

Status TraceReader::CounterInfos(std::vector<CounterInfo>* out) {
  bool is_there = false;
  RTL_TRY(ReadRows("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'rtl_counter_info'",
                   [&](const Statement&) { is_there = true; }));
  if (!is_there) return Status::Ok();
  return ReadRows(
      "SELECT process_id, agent, name, block, event, expression, description FROM rtl_counter_info"
      " ORDER BY process_id, agent, rowid",
      [&](const Statement& rows) {
        out->push_back({.process = rows.Int(0),
                        .agent = Narrow(rows.Int(1)),
                        .name = Copy(rows.Text(2)),
                        .block = Copy(rows.Text(3)),
                        .event = Narrow(rows.Int(4)),
                        .expression = Copy(rows.Text(5)),
                        .description = Copy(rows.Text(6))});
      });
}

Status TraceReader::Counters(int64_t process, std::vector<CounterSum>* out) {
  bool is_there = false;
  RTL_TRY(ReadRows("SELECT 1 FROM sqlite_master WHERE type = 'view' AND name = 'rtl_counter'",
                   [&](const Statement&) { is_there = true; }));
  if (!is_there) return Status::Ok();
  return ReadRows(
      "SELECT process_id, dispatch, name, value, not_modelled FROM rtl_counter"
      " ORDER BY process_id, dispatch, name",
      [&](const Statement& rows) {
        if (process != 0 && rows.Int(0) != process) return;
        out->push_back({.process = rows.Int(0),
                        .dispatch = rows.Unsigned(1),
                        .name = Copy(rows.Text(2)),
                        .value = rows.Real(3),
                        .not_modelled = rows.Int(4) != 0});
      });
}

Status TraceReader::CounterValues(int64_t process, CounterValueCursor* out) {
  RTL_TRY(out->statement_.Prepare(db_, path_,
                                  "SELECT dispatch, name_id, position, value, flags & 2"
                                  " FROM rtl_counter_value WHERE process_id = ?1"
                                  " ORDER BY dispatch, id"));
  return out->statement_.Bind(1, process);
}

Status CounterValueCursor::Next(CounterValueRow* row, bool* has_row) {
  RTL_TRY(statement_.Step(has_row));
  if (!*has_row) return Status::Ok();
  row->dispatch = statement_.Unsigned(0);
  row->name = statement_.Int(1);
  row->position = statement_.Unsigned(2);
  row->value = statement_.Real(3);
  row->not_modelled = statement_.Int(4) != 0;
  return Status::Ok();
}

Status TraceReader::CounterPositions(int64_t process,
                                     std::map<std::string, std::vector<uint64_t>>* out) {
  bool is_there = false;
  RTL_TRY(HasTable("rtl_counter_value", &is_there));
  if (!is_there) return Status::Ok();
  return ReadRows(
      "SELECT DISTINCT v.process_id, s.string, v.position FROM rtl_counter_value v"
      " JOIN rocpd_string s ON s.id = v.name_id ORDER BY 2, 3",
      [&](const Statement& rows) {
        if (rows.Int(0) == process) (*out)[Copy(rows.Text(1))].push_back(rows.Unsigned(2));
      });
}

Status TraceReader::Queues(std::vector<Queue>* out) {
  return ReadRows(
      "SELECT id, pid, queue, gpu, hsa_id, size, created, destroyed,"
      " coalesce(seen, recorded), process_id, recorded,"
      " (SELECT group_concat(loss || ': ' || events, ', ') FROM rtl_queue_loss"
      "  WHERE queue_id = rtl_queue.id)"
      " FROM rtl_queue ORDER BY process_id, gpu, queue",
      [&](const Statement& rows) {
        out->push_back({.id = rows.Int(0),
                        .process = rows.Int(9),
                        .pid = Narrow(rows.Int(1)),
                        .queue = Narrow(rows.Int(2)),
                        .gpu = static_cast<int32_t>(rows.Int(3)),
                        .hsa_id = rows.Unsigned(4),
                        .size = Narrow(rows.Int(5)),
                        .created = rows.Unsigned(6),
                        .destroyed = rows.Unsigned(7),
                        .seen = rows.Unsigned(8),
                        .recorded = rows.Unsigned(10),
                        .losses = Copy(rows.Text(11))});
      });
}

Status TraceReader::Kernels(std::vector<KernelInfo>* out) {
  return ReadRows(
      "SELECT id, pid, mangled_id, code_object, kernarg_segment, vgprs, sgprs, process_id, kernel,"
      " agent, name_id, kernel_object, group_segment, private_segment"
      " FROM rtl_kernel ORDER BY id",
      [&](const Statement& rows) {
        out->push_back({.id = rows.Int(0),
                        .process = rows.Int(7),
                        .pid = Narrow(rows.Int(1)),
                        .kernel = Narrow(rows.Int(8)),
                        .agent = Narrow(rows.Int(9)),
                        .name = rows.Int(10),
                        .mangled = rows.Int(2),
                        .kernel_object = rows.Unsigned(11),
                        .code_object = rows.Unsigned(3),
                        .group_segment = Narrow(rows.Int(12)),
                        .private_segment = Narrow(rows.Int(13)),
                        .kernarg_segment = Narrow(rows.Int(4)),
                        .vgprs = Narrow(rows.Int(5)),
                        .sgprs = Narrow(rows.Int(6))});
      });
}

Status TraceReader::Streams(std::vector<Stream>* out) {
  return ReadRows(
      "SELECT process_id, stream, handle, coalesce(created, 0), coalesce(destroyed, 0), name"
      " FROM rtl_stream ORDER BY process_id, stream, id",
      [&](const Statement& rows) {
        out->push_back({.process = rows.Int(0),
                        .stream = rows.Unsigned(1),
                        .handle = rows.Unsigned(2),
                        .created = rows.Unsigned(3),
                        .destroyed = rows.Unsigned(4),
                        .name = Copy(rows.Text(5))});
      });
}

Status TraceReader::GivenNames(std::vector<GivenName>* out) {
  return ReadRows("SELECT pid, kind, target, name, process_id FROM rtl_name ORDER BY time, rowid",
                  [&](const Statement& rows) {
                    out->push_back({.process = rows.Int(4),
                                    .pid = Narrow(rows.Int(0)),
                                    .kind = Copy(rows.Text(1)),
                                    .target = rows.Unsigned(2),
                                    .name = Copy(rows.Text(3))});
                  });
}

Status TraceReader::ProcessCounters(std::vector<ProcessCounter>* out) {
  return ReadRows(
      "SELECT pid, kind, counter, value, process_id FROM rtl_process_counter"
      " ORDER BY process_id, kind, counter",
      [&](const Statement& rows) {
        out->push_back({.process = rows.Int(4),
                        .pid = Narrow(rows.Int(0)),
                        .kind = Copy(rows.Text(1)),
                        .counter = Copy(rows.Text(2)),
                        .value = rows.Unsigned(3)});
      });
}

}  // namespace rtl::query
