// SPDX-License-Identifier: MIT
#include "trace/write/agent_writer.h"

#include <algorithm>

#include "trace/schema/schema.h"
#include "trace/schema/strings.h"
#include "trace/schema/tables.h"

namespace rtl::store {

Status AgentWriter::Prepare(const Database& database, const Continuation& earlier) {
  for (const auto& [gpu, number] : earlier.gpus) numbers_.Know(gpu, number);
  next_ = earlier.agents;
  RTL_TRY(agent_.Prepare(database, InsertSql(kAgentTableDescription)));
  return property_.Prepare(database, InsertSql(kAgentPropertyTableDescription));
}

// The GPU's number among all GPUs of the host: agents of CPUs come first, and nodes are numbered
// over CPUs and GPUs.
uint32_t AgentWriter::NumberOfGpu(const TracedProcess& process, const AgentRecord& record) {
  uint32_t before = 0;
  for (const auto& [number, agent] : process.agents) {
    if (agent.is_gpu == 0 && agent.node < record.node) ++before;
  }
  const spool::ProcessInfo& info = process.info;
  return numbers_.Of({.host = info.boot_id[0] != '\0' ? info.boot_id : info.host,
                      .uuid = CleanField(record.uuid),
                      .bdf = record.bdf,
                      .node = record.node,
                      .own = record.gpu,
                      .of_host = before != 0 ? record.node - before : record.gpu,
                      .of_a_rank = info.rank >= 0});
}

Status AgentWriter::Add(TracedProcess* process, const AgentRecord& record) {
  const auto [agent, is_new] = process->agents.try_emplace(record.agent, record);
  if (!is_new) return Status::Ok();
  if (record.is_gpu != 0) agent->second.gpu = NumberOfGpu(*process, record);
  AgentTable row;
  TakeFields(record, &row);
  row.id = ++next_;
  row.process = process->row;
  row.pid = process->info.pid;
  row.gpu = static_cast<int32_t>(agent->second.gpu);
  if (record.timestamp_hz != 0) row.timestamp_hz = static_cast<int64_t>(record.timestamp_hz);
  row.name = CleanField(record.name);
  row.product = CleanField(record.product);
  row.uuid = CleanField(record.uuid);
  return agent_.Add(row);
}

Status AgentWriter::AddProperties(const TracedProcess& process, const AgentPropertiesRecord& record,
                                  std::string_view text) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    const size_t blank = line.find(' ');
    if (blank == 0 || blank == std::string_view::npos) continue;
    RTL_TRY(property_.Add(AgentPropertyTable{.process = process.row,
                                             .pid = process.info.pid,
                                             .agent = record.agent,
                                             .name = CleanText(line.substr(0, blank)),
                                             .value = CleanText(line.substr(blank + 1))}));
  }
  return Status::Ok();
}

}  // namespace rtl::store
