// SPDX-License-Identifier: MIT
// Writes the tables of rtl analyze as comma-separated values, one table at a time.
#include <fmt/format.h>

#include "cli/analyze/analyze_report.h"
#include "cli/base/table.h"

namespace rtl::cli {
namespace {

using analysis::GpuTime;

std::string CausesAsCsv(const AnalyzeReport& report, size_t rows) {
  std::string text = "Gpu,Cause,Where,Gaps,IdleNs,LongestNs,LongestAtNs\n";
  for (const GpuTime& gpu : report.idle.gpus) {
    for (const analysis::IdleTime& idle : FirstRows(rows, gpu.causes)) {
      text +=
          fmt::format("{},{},{},{},{},{},{}\n", gpu.gpu, analysis::IdleCauseName(idle.cause),
                      CsvText(idle.where), idle.gaps, idle.total, idle.longest, idle.longest_at);
    }
  }
  return text;
}

std::string GpuTimesAsCsv(const AnalyzeReport& report, size_t rows) {
  std::string text =
      "Gpu,StartNs,StartWhere,ElapsedNs,KernelsNs,CopiesNs,BothNs,IdleNs,Gaps,Name,Place\n";
  for (const GpuTime& gpu : FirstRows(rows, report.idle.gpus)) {
    const query::GpuName name = report.NameOf(gpu.gpu);
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{}\n", gpu.gpu, gpu.start.total,
                        CsvText(gpu.start.where), gpu.elapsed(), gpu.kernels, gpu.copies, gpu.both,
                        gpu.idle, gpu.gaps, CsvText(name.name), CsvText(name.place));
  }
  return text;
}

std::string CategoriesAsCsv(const AnalyzeReport& report, size_t rows) {
  std::string text = "Gpu,Category,Kernels,TotalNs,BusyNs,AloneNs\n";
  for (const analysis::WorkShares& gpu : report.shares) {
    for (const analysis::CategoryTime& time : FirstRows(rows, gpu.categories)) {
      text += fmt::format("{},{},{},{},{},{}\n", gpu.gpu, CsvText(time.category), time.kernels,
                          time.total, time.busy, time.alone);
    }
  }
  return text;
}

// One of the columns Gpu and Rank is always empty.
std::string FindingsAsCsv(const AnalyzeReport& report, size_t rows) {
  std::string text = "Finding,Gpu,Rank,Where,Count,Of,CostNs,DuringNs\n";
  for (const analysis::Finding& found : FirstRows(rows, report.findings)) {
    const bool of_gpu = found.gpu >= 0;
    text += fmt::format("{},{},{},{},{},{},{},{}\n", analysis::FindingName(found.kind),
                        of_gpu ? std::to_string(found.gpu) : "",
                        of_gpu ? "" : std::to_string(found.rank), CsvText(found.where), found.count,
                        found.all, found.cost, found.during);
  }
  return text;
}

std::string RangeWorkAsCsv(const AnalyzeReport& report, size_t rows) {
  std::string text =
      "Name,Ranges,Kernels,Copies,KernelNs,CopyNs,TotalNs,AvgNs,MedianNs,MinNs,MaxNs\n";
  for (const analysis::RangeWork& range : FirstRows(rows, report.work.ranges)) {
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{}\n", CsvText(range.name), range.ranges,
                        range.kernels, range.copies, range.kernel_time, range.copy_time,
                        range.total, range.average(), range.median, range.min, range.max);
  }
  return text;
}

// Stream -1: not known. GPU -1: the host.
std::string StreamsAsCsv(const AnalyzeReport& report, size_t rows) {
  std::string text = "Pid,Gpu,Stream,Name,Kernels,KernelNs,Copies,CopyNs,FirstNs,LastNs\n";
  for (const analysis::StreamWork& stream : FirstRows(rows, report.work.streams)) {
    text += fmt::format("{},{},{},{},{},{},{},{},{},{}\n", stream.pid, stream.gpu, stream.stream,
                        CsvText(stream.name), stream.kernels, stream.kernel_time, stream.copies,
                        stream.copy_time, stream.first, stream.last);
  }
  return text;
}

std::string NodesAsCsv(const AnalyzeReport& report, size_t rows) {
  std::string text = "Graph,Node,Kernel,Launches,TotalNs,AvgNs,MinNs,MaxNs,WaitNs\n";
  for (const analysis::GraphNode& node : FirstRows(rows, report.work.nodes)) {
    text += fmt::format("{},{},{},{},{},{},{},{},{}\n", node.graph, node.node, CsvText(node.kernel),
                        node.launches, node.total, node.average(), node.min, node.max, node.wait);
  }
  return text;
}

std::string StepsAsCsv(const AnalyzeReport& report, size_t rows) {
  std::string text =
      "Pid,Rank,Kind,Name,Steps,MedianNs,MinNs,MaxNs,TotalNs,Variation,Kernels,Launches,GpuBusyNs,"
      "LaunchGapNs,SlowStep,SlowNs,SlowKernel\n";
  for (const analysis::StepGroup& group : FirstRows(rows, report.steps)) {
    text += fmt::format(
        "{},{},{},{},{},{},{},{},{},{:.4f},{},{},{},{},{},{},{}\n", group.pid, group.rank,
        analysis::StepKindName(group.kind), CsvText(group.name), group.steps, group.median,
        group.min, group.max, group.total, group.variation, group.kernels, group.launches,
        group.gpu_busy, group.launch_gaps, group.slow ? group.slow->number : 0,
        group.slow ? group.slow->time : 0, CsvText(group.slow ? group.slow->kernel : ""));
  }
  return text;
}

struct AnalyzeTable {
  const char* name;
  std::string (*print)(const AnalyzeReport& report, size_t rows);
};
constexpr AnalyzeTable kAnalyzeTables[] = {
    {"causes", CausesAsCsv},     {"gpus", GpuTimesAsCsv}, {"categories", CategoriesAsCsv},
    {"findings", FindingsAsCsv}, {"steps", StepsAsCsv},   {"ranges", RangeWorkAsCsv},
    {"streams", StreamsAsCsv},   {"nodes", NodesAsCsv}};

}  // namespace

std::vector<std::string> AnalyzeTables() {
  std::vector<std::string> names;
  for (const AnalyzeTable& table : kAnalyzeTables) names.emplace_back(table.name);
  return names;
}

std::string AnalyzeAsCsv(const AnalyzeReport& report, size_t rows, const std::string& table) {
  for (const AnalyzeTable& each : kAnalyzeTables) {
    if (table == each.name) return each.print(report, rows);
  }
  return "";
}

}  // namespace rtl::cli
