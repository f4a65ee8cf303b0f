// SPDX-License-Identifier: MIT
#include "cli/analyze/analyze_tables.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/text.h"
#include "cli/base/table.h"

namespace rtl::cli {
namespace {

using analysis::CategoryTime;
using analysis::Duration;
using analysis::Grouped;
using analysis::WorkShares;

std::string PercentOf(uint64_t part, uint64_t whole) {
  return analysis::Percent(Share(part, whole));
}

std::string Exposed(const char* what, uint64_t exposed, uint64_t all, uint64_t elapsed) {
  if (all == 0) return "";
  return ", exposed " + std::string(what) + " " + PercentOf(exposed, elapsed) + " (of " +
         PercentOf(all, elapsed) + ")";
}

}  // namespace

std::string SharesLine(const WorkShares& shares) {
  const uint64_t all = shares.elapsed();
  return "computation " + PercentOf(shares.computation, all) +
         Exposed("communication", shares.exposed_communication, shares.communication, all) +
         Exposed("copies", shares.exposed_copies, shares.copies, all) + ", idle " +
         PercentOf(shares.idle(), all);
}

std::string CategoriesAsText(const std::string& gpu, const WorkShares& shares, size_t width) {
  Table table({{"total"},
               {"%"},
               Right("busy", 2),
               Right("alone", 3),
               Right("kernels", 1),
               {"category", Align::kLeft}});
  for (const CategoryTime& time : shares.categories) {
    table.AddRow({Duration(time.total), PercentOf(time.busy, shares.elapsed()), Duration(time.busy),
                  Duration(time.alone), Grouped(time.kernels), Printable(time.category)});
  }
  return "\n" + gpu +
         ", by category (busy: at least one ran; alone: and nothing of another category)\n\n" +
         table.Render(width);
}

void AddShares(const WorkShares& shares, JsonWriter* json) {
  JsonNumber(json, "computation_ns", shares.computation);
  JsonNumber(json, "communication_ns", shares.communication);
  JsonNumber(json, "exposed_communication_ns", shares.exposed_communication);
  JsonNumber(json, "copying_ns", shares.copies);
  JsonNumber(json, "exposed_copying_ns", shares.exposed_copies);
  JsonNumber(json, "busy_ns", shares.busy);
  JsonRows(json, "categories", shares.categories, 0, [&](const CategoryTime& time) {
    JsonText(json, "category", time.category);
    JsonNumber(json, "kernels", time.kernels);
    JsonNumber(json, "total_ns", time.total);
    JsonNumber(json, "busy_ns", time.busy);
    JsonNumber(json, "alone_ns", time.alone);
  });
}

namespace {

constexpr size_t kMostLines = 5;
constexpr double kLeastShare = 0.05;

}  // namespace

std::string HostLinesAsText(const analysis::HostLines& lines) {
  std::string text;
  for (const analysis::HostLine& line : FirstRows(kMostLines, lines.lines)) {
    if (Share(line.total, lines.idle) < kLeastShare) break;
    text += "    host code: " + Shown(line.Text()) + ", " + PercentOf(line.total, lines.idle);
    if (!line.inside.empty()) text += ", in " + Shown(line.inside);
    text += "\n";
    if (line.other.empty()) continue;
    text += "      meanwhile " + Shown(line.Other()) + ", " +
            PercentOf(line.other_total, line.total) + " of that\n";
  }
  const uint64_t without = lines.idle - std::min(lines.idle, lines.sampled);
  if (Share(without, lines.idle) >= kLeastShare)
    text += "    host code without a sample: " + PercentOf(without, lines.idle) + "\n";
  return text;
}

void AddHostLines(const analysis::HostLines& lines, JsonWriter* json) {
  JsonNumber(json, "host_code_ns", lines.idle);
  JsonNumber(json, "host_code_sampled_ns", lines.sampled);
  JsonRows(json, "host_lines", lines.lines, 0, [&](const analysis::HostLine& line) {
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
  });
}

namespace {

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
  for (const StepGroup& group : FirstRows(rows, groups)) {
    table.AddRow({Grouped(group.steps), Duration(group.median), Duration(group.min),
                  Duration(group.max), Percent(group.variation),
                  Duration(Per(group.gpu_busy, group.steps)),
                  Grouped(Per(group.kernels, group.steps)), GroupTitle(group, several)});
    if (group.slow) remarks += SlowLine(group, origin);
    if (group.is_launch_bound()) remarks += LaunchLine(group);
  }
  return "\nSteps (GPU busy, kernels: of one step on average)\n\n" + table.Render(width) +
         MoreRows(rows, groups.size()) + remarks;
}

void AddSteps(const std::vector<StepGroup>& groups, size_t rows, JsonWriter* json) {
  JsonRows(json, "steps", groups, rows, [&](const StepGroup& group) {
    JsonNumber(json, "pid", group.pid);
    JsonNumber(json, "rank", group.rank);
    JsonText(json, "kind", analysis::StepKindName(group.kind));
    JsonText(json, "name", group.name);
    JsonNumber(json, "by_repetition", group.name.empty());
    JsonNumber(json, "steps", group.steps);
    JsonNumber(json, "median_ns", group.median);
    JsonNumber(json, "min_ns", group.min);
    JsonNumber(json, "max_ns", group.max);
    JsonNumber(json, "total_ns", group.total);
    JsonNumber(json, "variation", group.variation);
    JsonNumber(json, "kernels", group.kernels);
    JsonNumber(json, "launches", group.launches);
    JsonNumber(json, "gpu_busy_ns", group.gpu_busy);
    JsonNumber(json, "launch_gap_ns", group.launch_gaps);
    JsonNumber(json, "launch_bound", group.is_launch_bound());
    if (!group.slow) return;
    JsonObject(json, "first_slow", [&] {
      JsonNumber(json, "step", group.slow->number);
      JsonText(json, "name", group.slow->name);
      JsonNumber(json, "at_ns", group.slow->at);
      JsonNumber(json, "time_ns", group.slow->time);
      JsonText(json, "kernel", group.slow->kernel);
      JsonNumber(json, "kernel_ns", group.slow->kernel_time);
      JsonNumber(json, "kernel_usual_ns", group.slow->kernel_usual);
    });
  });
}

namespace {

using analysis::GraphNode;
using analysis::Projection;
using analysis::RangeWork;
using analysis::StreamWork;

std::string StreamTitle(const StreamWork& stream, bool with_pid) {
  std::string text = stream.gpu >= 0 ? fmt::format("GPU {}, ", stream.gpu) : "host, ";
  text += stream.stream >= 0 ? fmt::format("stream {}", stream.stream) : "no stream is known";
  if (!stream.name.empty()) text += " (" + Shown(stream.name) + ")";
  return with_pid ? text + fmt::format(", process {}", stream.pid) : text;
}

std::string RangeTable(const Projection& projection, size_t rows, size_t width) {
  Table table({Right("ranges", 2),
               Right("kernels", 1),
               Right("copies", 6),
               Right("kernel time", 3),
               {"on the GPU"},
               Right("average", 5),
               Right("median", 7),
               Right("max", 4),
               {"range", Align::kLeft}});
  for (const RangeWork& range : FirstRows(rows, projection.ranges)) {
    table.AddRow({Grouped(range.ranges), Grouped(range.kernels), Grouped(range.copies),
                  Duration(range.kernel_time), Duration(range.total), Duration(range.average()),
                  Duration(range.median), Duration(range.max), Printable(range.name)});
  }
  return "\nRanges on the GPU: from the first start to the last end of the work that each "
         "submitted\n\n" +
         table.Render(width) + MoreRows(rows, projection.ranges.size());
}

std::string StreamTable(const Projection& projection, size_t rows, size_t width) {
  bool several = false;
  for (const StreamWork& stream : projection.streams)
    several = several || stream.pid != projection.streams.front().pid;
  Table table({Right("kernels", 0),
               {"kernel time"},
               Right("copies", 1),
               Right("copy time", 2),
               Right("first to last", 3),
               {"stream", Align::kLeft}});
  for (const StreamWork& stream : FirstRows(rows, projection.streams)) {
    table.AddRow({Grouped(stream.kernels), Duration(stream.kernel_time), Grouped(stream.copies),
                  Duration(stream.copy_time), Duration(stream.last - stream.first),
                  StreamTitle(stream, several)});
  }
  return "\nHIP streams\n\n" + table.Render(width) + MoreRows(rows, projection.streams.size());
}

std::string NodeTable(const Projection& projection, size_t rows, size_t width) {
  Table table({Right("graph", 0),
               Right("node", 0),
               Right("launches", 3),
               {"total"},
               Right("average", 1),
               Right("min", 5),
               Right("max", 4),
               Right("waited", 2),
               {"kernel", Align::kLeft, Shorten::kFunction}});
  for (const GraphNode& node : FirstRows(rows, projection.nodes)) {
    table.AddRow({std::to_string(node.graph), std::to_string(node.node), Grouped(node.launches),
                  Duration(node.total), Duration(node.average()), Duration(node.min),
                  Duration(node.max), Duration(node.wait), Printable(node.kernel)});
  }
  return "\nNodes of HIP graphs (waited: since the nodes before it had ended, in total)\n\n" +
         table.Render(width) + MoreRows(rows, projection.nodes.size());
}

void AddRanges(const Projection& projection, size_t rows, JsonWriter* json) {
  JsonRows(json, "ranges", projection.ranges, rows, [&](const RangeWork& range) {
    JsonText(json, "name", range.name);
    JsonNumber(json, "ranges", range.ranges);
    JsonNumber(json, "kernels", range.kernels);
    JsonNumber(json, "copies", range.copies);
    JsonNumber(json, "kernel_ns", range.kernel_time);
    JsonNumber(json, "copy_ns", range.copy_time);
    JsonNumber(json, "total_ns", range.total);
    JsonNumber(json, "average_ns", range.average());
    JsonNumber(json, "median_ns", range.median);
    JsonNumber(json, "min_ns", range.min);
    JsonNumber(json, "max_ns", range.max);
  });
}

void AddStreams(const Projection& projection, size_t rows, JsonWriter* json) {
  JsonRows(json, "streams", projection.streams, rows, [&](const StreamWork& stream) {
    JsonNumber(json, "pid", stream.pid);
    JsonNumber(json, "gpu", stream.gpu);
    JsonNumber(json, "stream", stream.stream);
    JsonText(json, "name", stream.name);
    JsonNumber(json, "kernels", stream.kernels);
    JsonNumber(json, "kernel_ns", stream.kernel_time);
    JsonNumber(json, "copies", stream.copies);
    JsonNumber(json, "copy_ns", stream.copy_time);
    JsonNumber(json, "first_ns", stream.first);
    JsonNumber(json, "last_ns", stream.last);
  });
}

void AddNodes(const Projection& projection, size_t rows, JsonWriter* json) {
  JsonRows(json, "graph_nodes", projection.nodes, rows, [&](const GraphNode& node) {
    JsonNumber(json, "graph", node.graph);
    JsonNumber(json, "node", node.node);
    JsonText(json, "kernel", node.kernel);
    JsonNumber(json, "launches", node.launches);
    JsonNumber(json, "total_ns", node.total);
    JsonNumber(json, "average_ns", node.average());
    JsonNumber(json, "min_ns", node.min);
    JsonNumber(json, "max_ns", node.max);
    JsonNumber(json, "wait_ns", node.wait);
  });
}

}  // namespace

std::string WorkTables(const Projection& projection, size_t rows, size_t width) {
  std::string text;
  if (!projection.ranges.empty()) text += RangeTable(projection, rows, width);
  if (!projection.ranges.empty() && projection.unsubmitted != 0) {
    text += "  in no range, because their time of submission is not known: " +
            Grouped(projection.unsubmitted) + "\n";
  }
  if (!projection.streams.empty()) text += StreamTable(projection, rows, width);
  if (!projection.nodes.empty()) text += NodeTable(projection, rows, width);
  return text;
}

void AddWork(const Projection& projection, size_t rows, JsonWriter* json) {
  AddRanges(projection, rows, json);
  AddStreams(projection, rows, json);
  AddNodes(projection, rows, json);
}

}  // namespace rtl::cli
