// SPDX-License-Identifier: MIT
// The tables of a trace that are read as a whole: the objects that its events refer to.
#include <map>
#include <set>
#include <string>
#include <utility>

#include "trace/read/error.h"
#include "trace/read/trace_reader.h"

namespace rtl::query {

// Reads NULL for the columns that an older trace may lack. Empty: the trace lacks the table, and may.
Status TraceReader::SelectSql(const store::TableDescription& table, const char* order,
                              std::string* sql) {
  std::set<std::string, std::less<>> there;
  const std::string query = std::string("SELECT name FROM pragma_table_info('") + table.name + "')";
  RTL_TRY(
      ReadRows(query.c_str(), [&](const Statement& rows) { there.insert(Copy(rows.Text(0))); }));
  if (there.empty() && (table.is_rare || store::MayLack(table.since, schema_version_)))
    return Status::Ok();
  for (const store::Column& column : table.columns) {
    const bool is_there = there.contains(column.name);
    if (!is_there && !store::MayLack(column.since, schema_version_))
      return FileError(path_,
                       std::string("its table ") + table.name + " has no column " + column.name);
    *sql += std::string(sql->empty() ? "SELECT " : ", ") + (is_there ? column.name : "NULL");
  }
  *sql += std::string(" FROM ") + table.name + " ORDER BY " + order;
  return Status::Ok();
}

Status TraceReader::Processes(std::vector<Process>* out) {
  std::vector<store::ProcessTable> rows;
  RTL_TRY(ReadTable("started, id", &rows));
  for (store::ProcessTable& row : rows) {
    out->push_back({.id = row.id,
                    .pid = row.pid,
                    .parent_pid = row.parent_pid,
                    .started = row.started,
                    .ended = row.ended,
                    .host = std::move(row.host),
                    .boot_id = std::move(row.boot_id),
                    .executable = std::move(row.executable),
                    .command = std::move(row.command),
                    .mode = std::move(row.mode),
                    .loaded_by = std::move(row.loaded_by),
                    .runtime = std::move(row.runtime),
                    .rank = static_cast<int32_t>(row.rank.value_or(-1)),
                    .world = Narrow(row.world.value_or(0)),
                    .job = std::move(row.job),
                    .events = std::move(row.events).value_or(""),
                    .ending = std::move(row.ending).value_or("")});
  }
  return Status::Ok();
}

Status TraceReader::Agents(std::vector<Agent>* out) {
  std::vector<store::AgentTable> rows;
  RTL_TRY(ReadTable("process_id, agent", &rows));
  for (store::AgentTable& row : rows) {
    out->push_back({.process = row.process,
                    .pid = row.pid,
                    .agent = row.agent,
                    .is_gpu = row.is_gpu,
                    .gpu = row.gpu,
                    .node = row.node,
                    .bdf = row.bdf,
                    .compute_units = row.compute_units,
                    .timestamp_hz = static_cast<uint64_t>(row.timestamp_hz.value_or(0)),
                    .name = std::move(row.name),
                    .product = std::move(row.product),
                    .uuid = std::move(row.uuid)});
  }
  return Status::Ok();
}

Status TraceReader::AgentProperties(std::vector<AgentProperty>* out) {
  return ReadTable("rowid", out);
}

Status TraceReader::CounterInfos(std::vector<CounterInfo>* out) {
  return ReadTable("process_id, agent, rowid", out);
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
  std::vector<store::QueueLossTable> losses;
  RTL_TRY(ReadTable("rowid", &losses));
  std::map<int64_t, std::string> texts;  // by queue
  for (const store::QueueLossTable& loss : losses) {
    std::string& text = texts[loss.queue];
    text += (text.empty() ? "" : ", ") + loss.loss + ": " + std::to_string(loss.events);
  }
  std::vector<store::QueueTable> rows;
  RTL_TRY(ReadTable("process_id, gpu, queue", &rows));
  for (const store::QueueTable& row : rows) {
    out->push_back({.id = row.id,
                    .process = row.process,
                    .pid = row.pid,
                    .queue = row.queue,
                    .gpu = row.gpu,
                    .hsa_id = row.hsa_id,
                    .size = row.size,
                    .created = row.created,
                    .destroyed = static_cast<uint64_t>(row.destroyed.value_or(0)),
                    .seen = row.seen ? static_cast<uint64_t>(*row.seen) : row.recorded,
                    .recorded = row.recorded,
                    .losses = texts[row.id]});
  }
  return Status::Ok();
}

Status TraceReader::Kernels(std::vector<KernelInfo>* out) { return ReadTable("id", out); }

Status TraceReader::Streams(std::vector<Stream>* out) {
  std::vector<store::StreamTable> rows;
  RTL_TRY(ReadTable("process_id, stream, id", &rows));
  for (store::StreamTable& row : rows) {
    out->push_back({.process = row.process,
                    .stream = row.stream,
                    .handle = row.handle,
                    .created = static_cast<uint64_t>(row.created.value_or(0)),
                    .destroyed = static_cast<uint64_t>(row.destroyed.value_or(0)),
                    .name = std::move(row.name)});
  }
  return Status::Ok();
}

Status TraceReader::GivenNames(std::vector<GivenName>* out) {
  return ReadTable("time, rowid", out);
}

Status TraceReader::ProcessCounters(std::vector<ProcessCounter>* out) {
  return ReadTable("process_id, kind, counter", out);
}

Status TraceReader::Clocks(std::vector<ClockRow>* out) {
  return ReadTable("process_id, time", out);
}

}  // namespace rtl::query
