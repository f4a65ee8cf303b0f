// SPDX-License-Identifier: MIT
#include "cli/analyze/steps_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/text.h"
#include "cli/base/table.h"

namespace rtl::cli {
namespace {

using analysis::Duration;
using analysis::Grouped;
using analysis::Percent;
using analysis::SlowStep;
using analysis::StepGroup;

uint64_t Per(uint64_t all, uint64_t steps) { return steps == 0 ? 0 : all / steps; }

std::string GroupTitle(const StepGroup& group, bool several) {
  std::string text = analysis::StepKindName(group.kind);
  text += group.name.empty() ? ", found by repetition" : ": " + Shown(group.name);
  if (group.steps > 1 && !group.name.empty()) text += ", …";
  if (!several) return text;
  return text + (group.rank >= 0 ? fmt::format(", rank {}", group.rank)
                                 : fmt::format(", process {}", group.pid));
}

// "first slow step: 7 of 12 (ProfilerStep#7, at 1.2 s), 31 ms; gemm took 12 ms, usually 2 ms"
std::string SlowLine(const StepGroup& group, uint64_t origin) {
  const SlowStep& slow = *group.slow;
  std::string text = fmt::format("  first slow {}: {} of {} (", analysis::StepKindName(group.kind),
                                 Grouped(slow.number), Grouped(group.steps));
  if (!slow.name.empty()) text += Shown(slow.name) + ", ";
  text += "at " + Duration(slow.at - std::min(slow.at, origin)) + "), " + Duration(slow.time) +
          ", median " + Duration(group.median) + ": ";
  if (slow.kernel.empty()) return text + "no kernel took that much longer, the host did\n";
  return text + Shown(slow.kernel) + " took " + Duration(slow.kernel_time) + ", usually " +
         Duration(slow.kernel_usual) + "\n";
}

std::string LaunchLine(const StepGroup& group) {
  return fmt::format(
      "  {} is launch-bound: {} kernels in {} launches; a graph would save at most {} of {}\n",
      analysis::StepKindName(group.kind), Grouped(Per(group.kernels, group.steps)),
      Grouped(Per(group.launches, group.steps)), Duration(Per(group.launch_gaps, group.steps)),
      Duration(Per(group.total, group.steps)));
}

}  // namespace

std::string StepsAsText(const std::vector<StepGroup>& groups, uint64_t origin, size_t rows,
                        size_t width) {
  if (groups.empty()) return "";
  const bool several = std::any_of(groups.begin(), groups.end(), [&](const StepGroup& group) {
    return group.process != groups.front().process;
  });
  Table table({Right("steps", 0),
               {"median"},
               Right("min", 5),
               Right("max", 4),
               Right("variation", 3),
               Right("GPU busy", 2),
               Right("kernels", 1),
               {"each", Align::kLeft}});
  std::string remarks;
  const size_t shown = RowsToShow(rows, groups.size());
  for (size_t i = 0; i < shown; ++i) {
    const StepGroup& group = groups[i];
    table.AddRow({Grouped(group.steps), Duration(group.median), Duration(group.min),
                  Duration(group.max), Percent(group.variation),
                  Duration(Per(group.gpu_busy, group.steps)),
                  Grouped(Per(group.kernels, group.steps)), GroupTitle(group, several)});
    if (group.slow) remarks += SlowLine(group, origin);
    if (group.is_launch_bound()) remarks += LaunchLine(group);
  }
  std::string text =
      "\nSteps (GPU busy, kernels: of one step on average)\n\n" + table.Render(width);
  if (shown < groups.size()) {
    text += "  ... and " + Grouped(groups.size() - shown) + " more (-n 0 prints all)\n";
  }
  return text + remarks;
}

std::string StepsAsCsv(const std::vector<StepGroup>& groups, size_t rows) {
  std::string text =
      "Pid,Rank,Kind,Name,Steps,MedianNs,MinNs,MaxNs,TotalNs,Variation,Kernels,Launches,GpuBusyNs,"
      "LaunchGapNs,SlowStep,SlowNs,SlowKernel\n";
  for (size_t i = 0; i < RowsToShow(rows, groups.size()); ++i) {
    const StepGroup& group = groups[i];
    text += fmt::format(
        "{},{},{},{},{},{},{},{},{},{:.4f},{},{},{},{},{},{},{}\n", group.pid, group.rank,
        analysis::StepKindName(group.kind), CsvText(group.name), group.steps, group.median,
        group.min, group.max, group.total, group.variation, group.kernels, group.launches,
        group.gpu_busy, group.launch_gaps, group.slow ? group.slow->number : 0,
        group.slow ? group.slow->time : 0, CsvText(group.slow ? group.slow->kernel : ""));
  }
  return text;
}

void AddSteps(const std::vector<StepGroup>& groups, size_t rows, JsonWriter* json) {
  JsonRows(json, "steps", groups, rows, [&](const StepGroup& group) {
    JsonNumber(json, "pid", group.pid);
    json->Key("rank");
    json->Int(group.rank);
    JsonText(json, "kind", analysis::StepKindName(group.kind));
    JsonText(json, "name", group.name);
    json->Key("by_repetition");
    json->Bool(group.name.empty());
    JsonNumber(json, "steps", group.steps);
    JsonNumber(json, "median_ns", group.median);
    JsonNumber(json, "min_ns", group.min);
    JsonNumber(json, "max_ns", group.max);
    JsonNumber(json, "total_ns", group.total);
    json->Key("variation");
    json->Double(group.variation);
    JsonNumber(json, "kernels", group.kernels);
    JsonNumber(json, "launches", group.launches);
    JsonNumber(json, "gpu_busy_ns", group.gpu_busy);
    JsonNumber(json, "launch_gap_ns", group.launch_gaps);
    json->Key("launch_bound");
    json->Bool(group.is_launch_bound());
    if (group.slow) {
      json->Key("first_slow");
      json->StartObject();
      JsonNumber(json, "step", group.slow->number);
      JsonText(json, "name", group.slow->name);
      JsonNumber(json, "at_ns", group.slow->at);
      JsonNumber(json, "time_ns", group.slow->time);
      JsonText(json, "kernel", group.slow->kernel);
      JsonNumber(json, "kernel_ns", group.slow->kernel_time);
      JsonNumber(json, "kernel_usual_ns", group.slow->kernel_usual);
      json->EndObject();
    }
  });
}

}  // namespace rtl::cli
