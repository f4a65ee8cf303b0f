// SPDX-License-Identifier: MIT
#include "cli/trace/manifest.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "cli/base/report_json.h"
#include "trace/read/error.h"
#include "trace/write/output_file.h"

namespace rtl::cli {
namespace {

using store::ExitStatus;
using store::KindTotals;
using store::ProcessResult;

void JsonNumberOrNull(JsonWriter* json, const char* key, int64_t value, bool known) {
  if (known) return JsonNumber(json, key, value);
  json->Key(key);
  json->Null();
}

void JsonExit(JsonWriter* json, const ExitStatus& exit) {
  if (exit.how == ExitStatus::How::kUnknown) return JsonNumberOrNull(json, "exit", 0, false);
  JsonObject(json, "exit", [&] {
    JsonNumber(json, exit.how == ExitStatus::How::kExited ? "code" : "signal", exit.number);
  });
}

void JsonGpus(JsonWriter* json, const ProcessResult& process) {
  JsonRows(json, "gpus", process.gpus, 0, [&](const store::Gpu& gpu) {
    JsonNumber(json, "gpu", gpu.gpu);
    JsonText(json, "uuid", gpu.uuid);
    JsonText(json, "name", gpu.name);
    JsonText(
        json, "bus",
        fmt::format("{:02x}:{:02x}.{:x}", gpu.bdf >> 8 & 0xff, gpu.bdf >> 3 & 0x1f, gpu.bdf & 7));
  });
}

void JsonEvents(JsonWriter* json, const ProcessResult& process) {
  JsonObject(json, "events", [&] {
    for (size_t k = 0; k < kEventKindCount; ++k) {
      const auto kind = static_cast<EventKind>(k);
      const KindTotals& totals = process.kind(kind);
      JsonObject(json, EventKindName(kind), [&] {
        JsonNumber(json, "submitted", totals.submitted);
        JsonNumber(json, "seen", totals.submitted);  // alias
        JsonNumber(json, "recorded", totals.recorded);
        JsonObject(json, "losses", [&] {
          for (size_t i = 0; i < kLossCount; ++i) {
            const auto why = static_cast<Loss>(i);
            if (totals.loss(why) != 0) JsonNumber(json, LossName(why), totals.loss(why));
          }
        });
      });
    }
  });
}

void JsonProcess(JsonWriter* json, const ProcessResult& process) {
  JsonText(json, "file", std::filesystem::path(process.output).filename().string());
  JsonNumber(json, "rows", process.rows);
  JsonText(json, "host", process.host);
  JsonText(json, "boot_id", process.boot_id);
  JsonNumber(json, "pid", process.pid);
  JsonNumber(json, "parent_pid", process.parent_pid);
  JsonNumber(json, "start_ticks", process.start_ticks);
  JsonNumber(json, "started", process.started);
  JsonNumber(json, "ended", process.ended);
  JsonNumber(json, "realtime_minus_boottime", process.realtime_minus_boottime);
  JsonText(json, "end", ProcessEndName(process.end));
  JsonNumberOrNull(json, "rank", process.rank, process.rank >= 0);
  JsonNumberOrNull(json, "local_rank", process.local_rank, process.local_rank >= 0);
  JsonNumberOrNull(json, "world", process.world, process.world != 0);
  JsonText(json, "job", process.job);
  JsonText(json, "command", process.command);
  JsonText(json, "mode", process.mode);
  JsonGpus(json, process);
  JsonEvents(json, process);
  JsonTexts(json, "warnings", process.warnings);
}

}  // namespace

std::string ManifestName(const std::string& output) {
  return std::filesystem::path(output).replace_extension(".manifest.json").string();
}

std::string ManifestText(const store::CollectResult& result, const std::string& command,
                         const ExitStatus& exit) {
  return JsonDocument([&](JsonWriter* json) {
    JsonNumber(json, "manifest_version", kManifestVersion);
    JsonText(json, "rtl_version", RTL_VERSION);
    JsonText(json, "command", command);
    JsonExit(json, exit);
    JsonText(json, "clock", "CLOCK_BOOTTIME ns");
    JsonRows(json, "processes", result.processes, 0,
             [&](const ProcessResult& process) { JsonProcess(json, process); });
  });
}

Status WriteManifest(const std::string& name, const std::string& text, std::string* written) {
  store::OutputFile file;
  RTL_TRY(file.Make(name));
  std::ofstream out(file.temporary(), std::ios::binary);
  out << text;
  out.close();
  if (!out) return query::FileErrno(name, "writing failed", errno);
  return file.Publish(written);
}

}  // namespace rtl::cli
