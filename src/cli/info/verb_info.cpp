// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <time.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>
#include <set>
#include <vector>

#include "analysis/text.h"
#include "cli/base/live_spool.h"
#include "cli/base/open_trace.h"
#include "cli/base/print.h"
#include "cli/base/verbs.h"
#include "cli/info/in_flight_report.h"
#include "cli/summary/summary_tables.h"
#include "spool/process_stat.h"
#include "trace/read/gpu_names.h"
#include "trace/read/trace_reader.h"
#include "trace/write/in_flight_row.h"

namespace rtl::cli {
namespace {

using analysis::Duration;
using analysis::Grouped;

constexpr uint64_t kNsPerSecond = 1'000'000'000;

std::string Tag(const query::Metadata& metadata, std::string_view tag) {
  const auto found = metadata.find(tag);
  return found == metadata.end() ? "" : Shown(found->second);
}

// A BOOTTIME value as a time of day in UTC. Empty if the trace does not have the distance of the
// clocks.
std::string WallClock(const query::Metadata& metadata, uint64_t boot_ns) {
  const auto shift = metadata.find("realtime_minus_boottime");
  if (shift == metadata.end() || boot_ns == 0) return "";
  const int64_t offset = std::strtoll(shift->second.c_str(), nullptr, 10);
  const uint64_t real = boot_ns + static_cast<uint64_t>(offset);
  const time_t seconds = static_cast<time_t>(real / kNsPerSecond);
  tm utc = {};
  if (gmtime_r(&seconds, &utc) == nullptr) return "";
  char text[32];
  if (strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S UTC", &utc) == 0) return "";
  return text;
}

// Makes "full: this runtime hands over one packet at a time".
std::string Mode(const query::Metadata& metadata) {
  const std::string reason = Tag(metadata, "mode_reason");
  return Tag(metadata, "mode") + (reason.empty() ? "" : ": " + reason);
}

std::string HowItEnded(const query::Metadata& metadata) {
  const std::string code = Tag(metadata, "exit_code");
  if (!code.empty()) return "exit code " + code;
  const std::string signal = Tag(metadata, "signal");
  return signal.empty() ? "" : "ended by signal " + signal;
}

// The files "a.db, b.db". Empty: the trace was not merged.
std::string MergedFrom(const query::Metadata& metadata) {
  std::string files;
  for (int number = 1;; ++number) {
    const std::string file = Tag(metadata, "part." + std::to_string(number) + ".file");
    if (file.empty()) return files;
    files += (files.empty() ? "from " : ", ") + file;
  }
}

std::string Frequency(uint64_t hz) {
  return hz == 0 ? "-" : fmt::format("{:g} MHz", static_cast<double>(hz) / 1e6);
}

// The facts about a trace, without its events.
struct InfoTables {
  std::vector<query::Process> processes;
  std::vector<query::Agent> gpus;
  std::vector<query::Queue> queues;
};

void AddProcesses(const InfoTables& tables, JsonWriter* json) {
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

void AddGpus(const InfoTables& tables, JsonWriter* json) {
  JsonRows(json, "gpus", tables.gpus, 0, [&](const query::Agent& agent) {
    JsonNumber(json, "process", static_cast<uint64_t>(agent.process));
    JsonNumber(json, "gpu", static_cast<uint64_t>(agent.gpu));
    JsonText(json, "name", agent.name);
    JsonText(json, "product", agent.product);
    JsonText(json, "uuid", agent.uuid);
    JsonNumber(json, "compute_units", agent.compute_units);
    const auto hz = static_cast<uint64_t>(agent.timestamp_hz.value_or(0));
    if (hz > 0) JsonNumber(json, "timestamp_hz", hz);
  });
}

void AddQueues(const InfoTables& tables, JsonWriter* json) {
  JsonRows(json, "queues", tables.queues, 0, [&](const query::Queue& queue) {
    JsonNumber(json, "process", static_cast<uint64_t>(queue.process));
    JsonNumber(json, "gpu", static_cast<uint64_t>(queue.gpu));
    JsonNumber(json, "queue", queue.queue);
    JsonNumber(json, "hsa_id", queue.hsa_id);
    JsonNumber(json, "packets", queue.size);
    JsonNumber(json, "submitted", queue.submitted);
    JsonNumber(json, "seen", queue.submitted);  // alias
    JsonNumber(json, "recorded", queue.recorded);
    JsonText(json, "losses", queue.losses);
  });
}

class Info {
 public:
  Info(query::TraceReader& trace, size_t width) : trace_(trace), width_(width) {}

  Status Read() {
    RTL_TRY(trace_.tables().Processes(&tables_.processes));
    RTL_TRY(trace_.tables().Agents(&tables_.gpus));
    std::erase_if(tables_.gpus, [](const query::Agent& agent) { return !agent.is_gpu; });
    return trace_.tables().Queues(&tables_.queues);
  }

  std::string Json() const {
    return JsonDocument([&](JsonWriter* json) {
      JsonText(json, "trace", trace_.path());
      JsonObject(json, "metadata", [&] {
        for (const auto& [tag, value] : trace_.metadata()) {
          std::string scratch;
          const std::string key(exporting::RepairUtf8(tag, &scratch));
          JsonText(json, key.c_str(), value);
        }
      });
      AddProcesses(tables_, json);
      AddGpus(tables_, json);
      AddQueues(tables_, json);
      JsonCompleteness(analysis::ReadCompleteness(trace_.metadata()), json);
    });
  }

  std::string Render() const {
    return Head() + ProcessTable() + GpuTable() + QueueTable() + Completeness() + Warnings();
  }

 private:
  std::string Head() const {
    const query::Metadata& metadata = trace_.metadata();
    const bool is_foreign = query::SourceOf(metadata) != nullptr;
    std::string text =
        Printable(trace_.path()) + (is_foreign ? ": imported by rtl " : ": written by rtl ") +
        Tag(metadata, "rtl_version") + ", schema " + Tag(metadata, "schema_version") + "\n";
    const uint64_t started = trace_.version().Number("started");
    const uint64_t ended = trace_.version().Number("ended");
    std::string ran = ended > started ? Duration(ended - started) : "";
    const std::string ending = HowItEnded(metadata);
    if (!ran.empty() && !ending.empty()) ran += ", ";
    for (const auto& [label, value] :
         {std::pair<const char*, std::string>{"command", Tag(metadata, "command")},
          {"merged", MergedFrom(metadata)},
          // Of several hosts: printed with each process instead.
          {"host", Hosts().size() > 1 ? "" : Tag(metadata, "host")},
          {"started", WallClock(metadata, started)},
          {"ran", ran + ending},
          {"mode", Mode(metadata)},
          {"loaded", Tag(metadata, "loaded_by")},
          {"runtime", Tag(metadata, "runtime")},
          {"clock", Tag(metadata, "clock")}}) {
      if (!value.empty()) text += fmt::format("  {:<9}{}\n", label, value);
    }
    return text;
  }

  std::set<std::string> Hosts() const {
    std::set<std::string> hosts;
    for (const query::Process& process : tables_.processes) hosts.insert(process.host);
    return hosts;
  }

  std::string ProcessTable() const {
    const std::set<std::string> hosts = Hosts();
    std::vector<Column> columns = {{"process"}, Right("parent", 2), Right("rank", 1), {"ran"}};
    if (hosts.size() > 1) columns.push_back({"host", Align::kLeft});
    columns.push_back({"command", Align::kLeft});
    Table table(columns);
    for (const query::Process& process : tables_.processes) {
      const bool timed = process.ended > process.started;
      std::vector<std::string> cells = {std::to_string(process.pid),
                                        std::to_string(process.parent_pid),
                                        process.rank < 0 ? "-" : std::to_string(process.rank),
                                        timed ? Duration(process.ended - process.started) : "-"};
      if (hosts.size() > 1) cells.push_back(Printable(process.host));
      cells.push_back(Printable(process.command));
      table.AddRow(std::move(cells));
    }
    return Section(table);
  }

  std::string GpuTable() const {
    Table table({{"process"},
                 {"GPU"},
                 {"name", Align::kLeft},
                 Right("units", 1),
                 {"bus", Align::kLeft, Shorten::kMiddle, 2},
                 Right("clock", 3),
                 {"product", Align::kLeft}});
    for (const query::Agent& agent : tables_.gpus) {
      table.AddRow({std::to_string(agent.pid), std::to_string(agent.gpu), Printable(agent.name),
                    std::to_string(agent.compute_units), query::BusText(agent.bdf),
                    Frequency(static_cast<uint64_t>(agent.timestamp_hz.value_or(0))),
                    Printable(agent.product)});
    }
    return Section(table);
  }

  std::string QueueTable() const {
    Table table({Right("process", 1),
                 {"GPU"},
                 {"queue"},
                 Right("packets", 4),
                 {"kernels"},
                 {"recorded"},
                 Right("lived", 2),
                 Right("hsa", 3),
                 {"missing", Align::kLeft}});
    for (const query::Queue& queue : tables_.queues) {
      const bool timed = queue.destroyed > queue.created;
      table.AddRow(
          {std::to_string(queue.pid), std::to_string(queue.gpu), std::to_string(queue.queue),
           Grouped(queue.size), Grouped(queue.submitted), Grouped(queue.recorded),
           timed ? Duration(queue.destroyed - queue.created) : "-", std::to_string(queue.hsa_id),
           queue.losses.empty() ? "-" : Printable(queue.losses)});
    }
    return Section(table);
  }

  std::string Completeness() const {
    std::string text = "\n";
    const std::vector<analysis::KindCompleteness> completeness =
        analysis::ReadCompleteness(trace_.metadata());
    for (const analysis::KindCompleteness& each : completeness) {
      const bool always = &each == &completeness.front();  // the line of kernels is always printed
      if (!always && each.submitted == 0 && each.recorded == 0 && each.losses.empty()) continue;
      text += analysis::CompletenessLine(each) + "\n";
      for (const analysis::LossLine& loss : each.losses) {
        text += "  " + Grouped(loss.events) + " " + Printable(loss.text) + " (" +
                Printable(loss.name) + ")\n";
      }
    }
    return text;
  }

  std::string Warnings() const {
    constexpr std::string_view kPrefix = "warning.";
    std::string text;
    const query::Metadata& metadata = trace_.metadata();
    for (auto tag = metadata.lower_bound(kPrefix); tag != metadata.end(); ++tag) {
      if (!tag->first.starts_with(kPrefix)) break;
      text += "warning: " + Printable(tag->second) + "\n";
    }
    return text;
  }

  std::string Section(const Table& table) const {
    return table.empty() ? "" : "\n" + table.Render(width_);
  }

  query::TraceReader& trace_;
  size_t width_;
  InfoTables tables_;
};

Status ReadInFlight(const std::string& name, std::vector<query::InFlightRow>* kernels,
                    std::vector<query::FaultRow>* faults, query::RequestedEvents* requested,
                    bool* live) {
  constexpr uint64_t kLimitNs = 10'000'000'000;
  std::string spool;
  uint32_t pid = 0;
  RTL_TRY(LiveSpool(name, &spool, &pid));
  *live = !spool.empty();
  if (*live) {
    RTL_TRY(store::AskInFlight(spool, kLimitNs, kernels));
    // The pid inside its own PID namespace.
    const uint32_t own = pid == 0 ? 0 : spool::PidInItsNamespace(pid);
    std::erase_if(*kernels,
                  [&](const query::InFlightRow& row) { return own != 0 && row.pid != own; });
    return Status::Ok();
  }
  std::unique_ptr<query::TraceReader> trace;
  RTL_TRY(query::TraceReader::Open(name, &trace));
  RTL_TRY(trace->tables().Faults(faults));
  RTL_TRY(requested->Load(*trace));
  return trace->InFlight(kernels);
}

int PrintInFlight(const std::string& name, bool json) {
  std::vector<query::InFlightRow> kernels;
  std::vector<query::FaultRow> faults;
  query::RequestedEvents requested;
  bool live = false;
  const Status read = ReadInFlight(name, &kernels, &faults, &requested, &live);
  if (!read.ok()) return Fail(read);
  if (json) return PrintResult(InFlightAsJson(name, kernels, faults));
  if (!kernels.empty() || !faults.empty()) {
    return PrintResult(FaultsAsText(faults, requested) +
                       InFlightAsText(kernels, 0, TerminalWidth(STDOUT_FILENO), ""));
  }
  return PrintResult(Printable(name) + (live ? ": no kernel is in flight\n"
                                             : ": no kernel was in flight when a process ended\n"));
}

}  // namespace

int RunVerb(const InfoOptions& options) {
  if (options.in_flight) return PrintInFlight(options.file, options.json);
  std::unique_ptr<query::TraceReader> trace;
  const Status opened = OpenTrace(options.file, &trace);
  if (!opened.ok()) return Fail(opened);
  Info info(*trace, TerminalWidth(STDOUT_FILENO));
  const Status read = info.Read();
  if (!read.ok()) return Fail(read);
  return PrintResult(options.json ? info.Json() : info.Render());
}

}  // namespace rtl::cli
