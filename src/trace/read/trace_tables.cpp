// SPDX-License-Identifier: MIT
#include "trace/read/trace_tables.h"

#include <set>
#include <utility>

#include "trace/read/error.h"
#include "trace/schema/schema.h"

namespace rtl::query {

// Makes a SELECT that reads NULL for columns that an older trace may lack. *sql is empty if the
// trace lacks the table and may lack it.
Status TraceTables::SelectSql(const store::TableDescription& table, const char* order,
                              std::string* sql) const {
  std::set<std::string, std::less<>> there;
  RTL_TRY(
      database_.ReadRows(std::string("SELECT name FROM pragma_table_info('") + table.name + "')",
                         [&](const Statement& rows) { there.insert(Copy(rows.Text(0))); }));
  if (there.empty() && (table.is_rare || store::MayLack(table.since, version_.schema())))
    return Status::Ok();
  for (const store::Column& column : table.columns) {
    const std::string_view name = store::NameIn(there, table, column.name);
    if (name.empty() && !store::MayLack(column.since, version_.schema()))
      return FileError(database_.shown(),
                       std::string("its table ") + table.name + " has no column " + column.name);
    *sql += sql->empty() ? "SELECT " : ", ";
    *sql += name.empty() ? "NULL" : name;
  }
  *sql += std::string(" FROM ") + table.name + " ORDER BY " + order;
  return Status::Ok();
}

template <typename Row>
Status TraceTables::ReadTable(const char* order, std::vector<Row>* out) const {
  std::string sql;
  RTL_TRY(SelectSql(DescriptionOf(Row()), order, &sql));
  if (sql.empty()) return Status::Ok();
  return database_.ReadRows(sql, [&](const Statement& rows) {
    int column = 0;
    ForEachField(out->emplace_back(), [&](auto& field) { rows.Get(column++, &field); });
  });
}

Status TraceTables::Processes(std::vector<Process>* out) const {
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

Status TraceTables::Agents(std::vector<Agent>* out) const {
  return ReadTable("process_id, agent", out);
}

Status TraceTables::GpusOfAgents(query::GpusOfAgents* out) const {
  std::vector<Agent> agents;
  RTL_TRY(Agents(&agents));
  for (const Agent& agent : agents) {
    if (agent.is_gpu) (*out)[{agent.process, agent.agent}] = agent.gpu;
  }
  return Status::Ok();
}

Status TraceTables::AgentProperties(std::vector<AgentProperty>* out) const {
  return ReadTable("rowid", out);
}

Status TraceTables::CounterInfos(std::vector<CounterInfo>* out) const {
  return ReadTable("process_id, agent, rowid", out);
}

Status TraceTables::Counters(int64_t process, std::vector<CounterSum>* out) const {
  bool is_there = false;
  RTL_TRY(
      database_.ReadRows("SELECT 1 FROM sqlite_master WHERE type = 'view' AND name = 'rtl_counter'",
                         [&](const Statement&) { is_there = true; }));
  if (!is_there) return Status::Ok();
  return database_.ReadRows(
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

Status TraceTables::CounterValues(int64_t process, CounterValueCursor* out) const {
  RTL_TRY(database_.Prepare(
      "SELECT dispatch, name_id, position, value, flags & 2 FROM rtl_counter_value"
      " WHERE process_id = ?1 ORDER BY dispatch, id",
      &out->statement_));
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

Status TraceTables::CounterPositions(int64_t process,
                                     std::map<std::string, std::vector<uint64_t>>* out) const {
  bool is_there = false;
  RTL_TRY(database_.HasTable("rtl_counter_value", &is_there));
  if (!is_there) return Status::Ok();
  return database_.ReadRows(
      "SELECT DISTINCT v.process_id, s.string, v.position FROM rtl_counter_value v"
      " JOIN rocpd_string s ON s.id = v.name_id ORDER BY 2, 3",
      [&](const Statement& rows) {
        if (rows.Int(0) == process) (*out)[Copy(rows.Text(1))].push_back(rows.Unsigned(2));
      });
}

Status TraceTables::Queues(std::vector<Queue>* out) const {
  std::vector<store::QueueLossTable> losses;
  RTL_TRY(ReadTable("rowid", &losses));
  std::map<int64_t, std::string> texts;  // indexed by queue
  for (const store::QueueLossTable& loss : losses) {
    std::string& text = texts[loss.queue];
    text += (text.empty() ? "" : ", ") + loss.loss + ": " + std::to_string(loss.events);
  }
  std::vector<store::QueueTable> rows;
  RTL_TRY(ReadTable("process_id, gpu, queue", &rows));
  for (const store::QueueTable& row : rows) {
    out->push_back(
        {.id = row.id,
         .process = row.process,
         .pid = row.pid,
         .queue = row.queue,
         .gpu = row.gpu,
         .hsa_id = row.hsa_id,
         .size = row.size,
         .created = row.created,
         .destroyed = static_cast<uint64_t>(row.destroyed.value_or(0)),
         .submitted = row.submitted ? static_cast<uint64_t>(*row.submitted) : row.recorded,
         .recorded = row.recorded,
         .losses = texts[row.id]});
  }
  return Status::Ok();
}

Status TraceTables::Kernels(std::vector<KernelInfo>* out) const { return ReadTable("id", out); }

Status TraceTables::Streams(std::vector<Stream>* out) const {
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

Status TraceTables::GivenNames(std::vector<GivenName>* out) const {
  return ReadTable("time, rowid", out);
}

Status TraceTables::ProcessCounters(std::vector<ProcessCounter>* out) const {
  RTL_TRY(ReadTable("process_id, kind, counter", out));
  if (version_.schema() >= store::kPresentNamesSchemaVersion) {
    std::erase_if(*out, [](const ProcessCounter& counter) {
      return counter.counter == store::kEarlierSubmittedCounter;
    });
    return Status::Ok();
  }
  for (ProcessCounter& counter : *out) {
    if (counter.counter == store::kEarlierSubmittedCounter)
      counter.counter = store::kSubmittedCounter;
  }
  return Status::Ok();
}

Status TraceTables::Clocks(std::vector<ClockRow>* out) const {
  return ReadTable("process_id, time", out);
}

Status TraceTables::CodeObjects(std::vector<CodeObjectRow>* out) const {
  return ReadTable("id", out);
}

Status TraceTables::CodeBytes(int64_t content, std::string* out) const {
  out->clear();
  bool has_samples = false;
  RTL_TRY(database_.HasTable("rtl_pc_sample", &has_samples));
  if (!has_samples) return Status::Ok();
  Statement rows;
  RTL_TRY(database_.Prepare("SELECT bytes FROM rtl_code WHERE content = ?1", &rows));
  RTL_TRY(rows.Bind(1, content));
  bool has_row = false;
  RTL_TRY(rows.Step(&has_row));
  if (has_row) *out = rows.Blob(0);
  return Status::Ok();
}

}  // namespace rtl::query
