// SPDX-License-Identifier: MIT
#include "cli/analyze/analyze_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "analysis/text.h"
#include "cli/analyze/analyze_sql.h"
#include "cli/analyze/analyze_tables.h"
#include "cli/base/colours.h"
#include "cli/base/report_json.h"
#include "cli/base/table.h"

namespace rtl::cli {
namespace {

using analysis::Duration;
using analysis::GpuTime;
using analysis::Grouped;
using analysis::IdleCause;
using analysis::IdleTime;
using analysis::Percent;

using analysis::kLeastCost;

std::string NameOf(const AnalyzeReport& report, int32_t gpu) {
  const std::string name = report.NameOf(gpu).Text();
  return fmt::format("GPU {}{}", gpu, name.empty() ? "" : " (" + Shown(name) + ")");
}

std::string BusyLine(const AnalyzeReport& report, const GpuTime& gpu) {
  const uint64_t all = gpu.elapsed();
  return fmt::format("{}: busy {} of {} (kernels {}, copies {}, both {}), idle {} in {}",
                     NameOf(report, gpu.gpu), Percent(Share(gpu.busy(), all)), Duration(all),
                     Percent(Share(gpu.kernels, all)), Percent(Share(gpu.copies, all)),
                     Percent(Share(gpu.both, all)), Duration(gpu.idle), Counted(gpu.gaps, "gap"));
}

// "host code in range load data", "HIP call hipMalloc"
std::string CauseText(const IdleTime& idle) {
  std::string text = analysis::IdleCauseName(idle.cause);
  if (idle.where.empty()) return text;
  const bool is_range = idle.cause == IdleCause::kHostCode;
  return text + (is_range ? " in range \"" : ", ") + Shown(idle.where) + (is_range ? "\"" : "");
}

std::string FindingText(const analysis::Finding& finding) {
  return analysis::FindingText(finding, Shown(finding.where));
}

// Breaks lines between words at the terminal's width, and indents the continuation.
std::string Folded(const std::string& text, size_t width) {
  constexpr size_t kDeeper = 4;
  if (width <= 2 * kDeeper) return text;
  std::string folded;
  std::string_view rest = text;
  for (size_t room = width; DisplayWidth(rest) > room; room = width - kDeeper) {
    size_t space = rest.rfind(' ', room);
    const bool has_words = space != std::string_view::npos && space > rest.find_first_not_of(' ');
    if (!has_words) space = rest.find(' ', std::max(room, rest.find_first_not_of(' ')));
    if (space == std::string_view::npos) break;
    folded += std::string(rest.substr(0, space)) + "\n" + std::string(kDeeper, ' ');
    rest.remove_prefix(space + 1);
  }
  return folded + std::string(rest);
}

// "  292.18 ms (48.2 %): host code. The program ..."
std::string CostLine(uint64_t cost, uint64_t during, const std::string& what,
                     const std::string& advice, size_t width) {
  const std::string head = Duration(cost) + " (" + Percent(Share(cost, during)) + ")";
  std::string line = Folded("  " + head + ": " + what + ". " + advice, width);
  const size_t at = line.find(head);
  if (at != std::string::npos)
    line.replace(at, head.size(), PaintedFor(width, Paint::kWarning, head));
  return line + "\n";
}

std::string FindingLine(const analysis::Finding& finding, size_t width) {
  return CostLine(finding.cost, finding.during, FindingText(finding),
                  analysis::FindingAdvice(finding.kind), width);
}

// Describes the time before the first work, which is not part of the GPU's shares.
std::string StartLine(const GpuTime& gpu, size_t width) {
  const uint64_t all = gpu.elapsed() + gpu.start.total;
  if (Share(gpu.start.total, all) < kLeastCost) return "";
  return Folded("  before that: " + Duration(gpu.start.total) + " since the program began" +
                    (gpu.start.where.empty() ? "" : ", most of it in " + Shown(gpu.start.where)),
                width) +
         "\n";
}

// The findings about this GPU; for -1 those about ranks.
std::string FindingLines(const AnalyzeReport& report, int32_t gpu, size_t width) {
  std::string text;
  for (const analysis::Finding& finding : report.findings) {
    if (finding.gpu == gpu) text += FindingLine(finding, width);
  }
  return text;
}

// Whether SQL can compute the finding. A line of SQL covers the whole trace, so the selection may
// have a GPU at most.
bool HasSql(const AnalyzeReport& report, const analysis::Finding& finding) {
  query::SelectionRequest others = report.selection;
  if (finding.gpu >= 0) others.gpu.reset();
  return others.empty();
}

std::string SqlOf(const AnalyzeReport& report, int32_t gpu, const IdleTime& idle) {
  return !report.has_gap_view ? "" : CauseSql(gpu, idle, report.selection);
}

std::string SqlOfStart(const GpuTime& gpu) { return gpu.start.gaps == 0 ? "" : StartSql(gpu.gpu); }

std::string SqlOfIdle(const AnalyzeReport& report, const GpuTime& gpu) {
  return IdleTimeSql(gpu.gpu, report.selection, report.origin);
}

// Lines of SQL that compute the numbers of the table.
std::string CausesBySql(const AnalyzeReport& report, const GpuTime& gpu, size_t rows) {
  std::vector<std::string> lines = {SqlOfIdle(report, gpu)};
  for (const IdleTime& idle : FirstRows(rows, gpu.causes))
    lines.push_back(SqlOf(report, gpu.gpu, idle));
  lines.push_back(SqlOfStart(gpu));
  std::string text;
  for (const std::string& sql : lines) {
    if (!sql.empty()) text += SqlCommand(report.file, sql);
  }
  return text.empty() ? "" : "\n" + text;
}

std::string FindingsBySql(const AnalyzeReport& report) {
  std::string text;
  for (const analysis::Finding& finding : report.findings) {
    if (!HasSql(report, finding)) continue;
    text += "\n" + FindingText(finding) + "\n" + SqlCommand(report.file, FindingSql(finding));
  }
  return text;
}

std::string Findings(const GpuTime& gpu, const query::RequestedEvents& requested, size_t width) {
  std::string text;
  for (const IdleTime& idle : gpu.causes) {
    if (Share(idle.total, gpu.elapsed()) < kLeastCost) continue;
    text += CostLine(idle.total, gpu.elapsed(), CauseText(idle),
                     analysis::IdleCauseAdvice(idle, requested), width);
  }
  return text;
}

std::string CauseTable(const AnalyzeReport& report, const GpuTime& gpu, size_t rows, size_t width) {
  Table table({{"idle"},
               Right("%", 1),
               {"gaps"},
               Right("longest", 2),
               Right("at", 3),
               {"cause", Align::kLeft}});
  for (const IdleTime& idle : FirstRows(rows, gpu.causes)) {
    const uint64_t at = idle.longest_at - std::min(idle.longest_at, report.origin);
    table.AddRow({Duration(idle.total), Percent(Share(idle.total, gpu.elapsed())),
                  Grouped(idle.gaps), Duration(idle.longest), Duration(at), CauseText(idle)});
  }
  if (gpu.start.gaps > 0) {
    const std::string took = Duration(gpu.start.total);
    table.AddRow({took, "-", "1", took, Duration(gpu.start.longest_at - report.origin),
                  CauseText(gpu.start)});
  }
  return table.Render(width) + MoreRows(rows, gpu.causes.size());
}

}  // namespace

std::string AnalyzeAsText(const AnalyzeReport& report, size_t rows, size_t width) {
  if (report.idle.gpus.empty() && report.findings.empty())
    return Printable(report.file) + ": no kernel and no copy is in this trace\n";
  std::string text;
  for (const GpuTime& gpu : report.idle.gpus) {
    text += Folded(Printable(report.file) + ": " + BusyLine(report, gpu), width) + "\n";
    for (const analysis::WorkShares& shares : report.shares) {
      if (shares.gpu == gpu.gpu) text += Folded("  " + SharesLine(shares), width) + "\n";
    }
    text += StartLine(gpu, width);
    const auto lines = report.host_lines.find(gpu.gpu);
    const std::string findings =
        Findings(gpu, report.idle.requested, width) +
        (lines == report.host_lines.end() ? "" : HostLinesAsText(lines->second)) +
        FindingLines(report, gpu.gpu, width);
    text += findings.empty()
                ? "  " +
                      PaintedFor(width, Paint::kGood,
                                 "no cause of idle time reaches " + Percent(kLeastCost)) +
                      "\n"
                : findings;
  }
  text += FindingLines(report, -1, width);
  if (!report.idle.has_calls && !report.idle.gpus.empty()) {
    const bool advise = report.idle.requested.ToAdvise(EventKind::kHipCall);
    text += Folded("The host's activity is not known without HIP calls" +
                       std::string(advise ? ": trace with --mode hip." : "."),
                   width) +
            "\n";
  }
  for (const analysis::WorkShares& gpu : report.shares) {
    text += CategoriesAsText(NameOf(report, gpu.gpu), gpu, width);
  }
  for (const GpuTime& gpu : report.idle.gpus) {
    if (gpu.causes.empty() && gpu.start.gaps == 0) continue;
    text += "\n" + NameOf(report, gpu.gpu) + ", idle by cause (at: since the program began)\n\n";
    text += CauseTable(report, gpu, rows, width);
    if (report.sql) text += CausesBySql(report, gpu, rows);
  }
  if (report.sql) text += FindingsBySql(report);
  text += StepsAsText(report.steps, report.origin, rows, width);
  return text + WorkTables(report.work, rows, width);
}

std::string AnalyzeAsJson(const AnalyzeReport& report, size_t rows) {
  const auto add = [&](JsonWriter* json) {
    JsonText(json, "file", report.file);
    JsonNumber(json, "has_hip_calls", report.idle.has_calls);
    JsonRows(json, "gpus", report.idle.gpus, 0, [&](const GpuTime& gpu) {
      const query::GpuName name = report.NameOf(gpu.gpu);
      JsonNumber(json, "gpu", gpu.gpu);
      JsonText(json, "name", name.name);
      if (!name.place.empty()) JsonText(json, "place", name.place);
      JsonNumber(json, "elapsed_ns", gpu.elapsed());
      JsonNumber(json, "kernels_ns", gpu.kernels);
      JsonNumber(json, "copies_ns", gpu.copies);
      JsonNumber(json, "both_ns", gpu.both);
      JsonNumber(json, "idle_ns", gpu.idle);
      JsonNumber(json, "gaps", gpu.gaps);
      JsonText(json, "idle_sql", SqlOfIdle(report, gpu));
      JsonNumber(json, "start_ns", gpu.start.total);
      JsonText(json, "start_where", gpu.start.where);
      JsonText(json, "start_sql", SqlOfStart(gpu));
      JsonRows(json, "causes", gpu.causes, rows, [&](const IdleTime& idle) {
        JsonText(json, "cause", analysis::IdleCauseName(idle.cause));
        JsonText(json, "where", idle.where);
        JsonNumber(json, "gaps", idle.gaps);
        JsonNumber(json, "idle_ns", idle.total);
        JsonNumber(json, "longest_ns", idle.longest);
        JsonNumber(json, "longest_at_ns", idle.longest_at);
        JsonText(json, "sql", SqlOf(report, gpu.gpu, idle));
      });
      const auto lines = report.host_lines.find(gpu.gpu);
      if (lines != report.host_lines.end()) AddHostLines(lines->second, json);
      for (const analysis::WorkShares& shares : report.shares) {
        if (shares.gpu == gpu.gpu) AddShares(shares, json);
      }
    });
    JsonRows(json, "findings", report.findings, 0, [&](const analysis::Finding& finding) {
      JsonText(json, "finding", analysis::FindingName(finding.kind));
      JsonNumber(json, finding.gpu >= 0 ? "gpu" : "rank",
                 finding.gpu >= 0 ? finding.gpu : finding.rank);
      JsonText(json, "where", finding.where);
      JsonNumber(json, "count", finding.count);
      JsonNumber(json, "of", finding.all);
      JsonNumber(json, "cost_ns", finding.cost);
      JsonNumber(json, "during_ns", finding.during);
      JsonText(json, "sql", HasSql(report, finding) ? FindingSql(finding) : "");
    });
    AddSteps(report.steps, rows, json);
    AddWork(report.work, rows, json);
  };
  return JsonDocument(add, 4);
}

}  // namespace rtl::cli
