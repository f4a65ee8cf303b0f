// SPDX-License-Identifier: MIT
#include "cli/info/info_json.h"

#include "analysis/completeness.h"
#include "cli/base/report_json.h"

namespace rtl::cli {
namespace {

void Processes(const InfoTables& tables, JsonWriter* json) {
  JsonRows(json, "processes", tables.processes, 0, [&](const query::Process& process) {
    JsonNumber(json, "process", static_cast<uint64_t>(process.id));
    JsonNumber(json, "pid", process.pid);
    JsonNumber(json, "parent_pid", process.parent_pid);
    JsonText(json, "host", process.host);
    JsonText(json, "executable", process.executable);
    JsonText(json, "command", process.command);
    JsonNumber(json, "started_ns", process.started);
    JsonNumber(json, "ended_ns", process.ended);
    JsonText(json, "mode", process.mode);
    if (process.rank >= 0) JsonNumber(json, "rank", static_cast<uint64_t>(process.rank));
    if (process.world > 0) JsonNumber(json, "world", process.world);
  });
}

void Agents(const InfoTables& tables, JsonWriter* json) {
  json->Key("gpus");
  json->StartArray();
  for (const query::Agent& agent : tables.agents) {
    if (!agent.is_gpu) continue;
    json->StartObject();
    JsonNumber(json, "process", static_cast<uint64_t>(agent.process));
    JsonNumber(json, "gpu", static_cast<uint64_t>(agent.gpu));
    JsonText(json, "name", agent.name);
    JsonText(json, "product", agent.product);
    JsonText(json, "uuid", agent.uuid);
    JsonNumber(json, "compute_units", agent.compute_units);
    if (agent.timestamp_hz > 0) JsonNumber(json, "timestamp_hz", agent.timestamp_hz);
    json->EndObject();
  }
  json->EndArray();
}

void Queues(const InfoTables& tables, JsonWriter* json) {
  JsonRows(json, "queues", tables.queues, 0, [&](const query::Queue& queue) {
    JsonNumber(json, "process", static_cast<uint64_t>(queue.process));
    JsonNumber(json, "gpu", static_cast<uint64_t>(queue.gpu));
    JsonNumber(json, "queue", queue.queue);
    JsonNumber(json, "hsa_id", queue.hsa_id);
    JsonNumber(json, "packets", queue.size);
    JsonNumber(json, "seen", queue.seen);
    JsonNumber(json, "recorded", queue.recorded);
    JsonText(json, "losses", queue.losses);
  });
}

void Completeness(const query::Metadata& metadata, JsonWriter* json) {
  json->Key("events");
  json->StartObject();
  for (const analysis::KindCompleteness& each : analysis::ReadCompleteness(metadata)) {
    json->Key(each.kind.c_str());
    json->StartObject();
    JsonNumber(json, "seen", each.seen);
    JsonNumber(json, "recorded", each.recorded);
    json->Key("losses");
    json->StartObject();
    for (const analysis::LossLine& loss : each.losses) {
      JsonNumber(json, loss.name.c_str(), loss.events);
    }
    json->EndObject();
    json->EndObject();
  }
  json->EndObject();
}

}  // namespace

std::string InfoAsJson(const query::TraceReader& trace, const InfoTables& tables) {
  return JsonDocument([&](JsonWriter* json) {
    JsonText(json, "trace", trace.path());
    json->Key("metadata");
    json->StartObject();
    for (const auto& [tag, value] : trace.metadata()) {
      std::string scratch;
      const std::string key(exporting::RepairUtf8(tag, &scratch));
      JsonText(json, key.c_str(), value);
    }
    json->EndObject();
    Processes(tables, json);
    Agents(tables, json);
    Queues(tables, json);
    Completeness(trace.metadata(), json);
  });
}

}  // namespace rtl::cli
