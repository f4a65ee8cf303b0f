// SPDX-License-Identifier: MIT
#include "cli/analyze/host_lines_report.h"

#include <algorithm>

#include "analysis/text.h"
#include "cli/base/table.h"

namespace rtl::cli {
namespace {

constexpr size_t kMostLines = 5;
constexpr double kLeastShare = 0.05;

double OfIdle(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

std::string HostLinesAsText(const analysis::HostLines& lines) {
  std::string text;
  for (size_t i = 0; i < std::min(kMostLines, lines.lines.size()); ++i) {
    const analysis::HostLine& line = lines.lines[i];
    if (OfIdle(line.total, lines.idle) < kLeastShare) break;
    text += "    host code: " + Shown(line.Text()) + ", " +
            analysis::Percent(OfIdle(line.total, lines.idle));
    if (!line.inside.empty()) text += ", in " + Shown(line.inside);
    text += "\n";
    if (line.other.empty()) continue;
    text += "      meanwhile " + Shown(line.Other()) + ", " +
            analysis::Percent(OfIdle(line.other_total, line.total)) + " of that\n";
  }
  const uint64_t without = lines.idle - std::min(lines.idle, lines.sampled);
  if (OfIdle(without, lines.idle) >= kLeastShare)
    text +=
        "    host code without a sample: " + analysis::Percent(OfIdle(without, lines.idle)) + "\n";
  return text;
}

void AddHostLines(const analysis::HostLines& lines, JsonWriter* json) {
  JsonNumber(json, "host_code_ns", lines.idle);
  JsonNumber(json, "host_code_sampled_ns", lines.sampled);
  json->Key("host_lines");
  json->StartArray();
  for (const analysis::HostLine& line : lines.lines) {
    json->StartObject();
    JsonText(json, "function", line.function);
    JsonText(json, "file", line.file);
    JsonNumber(json, "line", line.line);
    JsonNumber(json, "idle_ns", line.total);
    JsonText(json, "inside", line.inside);
    if (!line.other.empty()) {
      JsonNumber(json, "other_pid", line.other_pid);
      JsonNumber(json, "other_tid", line.other_tid);
      JsonText(json, "other", line.other);
      JsonNumber(json, "other_ns", line.other_total);
    }
    json->EndObject();
  }
  json->EndArray();
}

}  // namespace rtl::cli
