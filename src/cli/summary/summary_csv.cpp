// SPDX-License-Identifier: MIT
// Writes the tables of rtl summary as comma-separated values, one table at a time.
#include <fmt/format.h>

#include "cli/base/table.h"
#include "cli/summary/summary_tables.h"

namespace rtl::cli {
namespace {

std::string KernelsAsCsv(const SummaryTables& tables, size_t rows) {
  std::string text = "Name,Calls,TotalNs,AvgNs,MedianNs,MinNs,MaxNs,Pct\n";
  for (const analysis::KernelSummary& kernel : FirstRows(rows, tables.summary.kernels)) {
    text += fmt::format("{},{},{},{},{},{},{},{:.2f}\n", CsvText(kernel.name), kernel.calls,
                        kernel.total, kernel.average(), kernel.median, kernel.min, kernel.max,
                        kernel.share * 100);
  }
  return text;
}

std::string GpusAsCsv(const SummaryTables& tables, size_t rows) {
  std::string text = "Gpu,Name,Kernels,Queues,BusyNs,WallNs,Place\n";
  for (const analysis::GpuSummary& gpu : FirstRows(rows, tables.summary.gpus)) {
    text += fmt::format("{},{},{},{},{},{},{}\n", gpu.gpu, CsvText(gpu.name), gpu.kernels,
                        gpu.queues, gpu.busy, tables.summary.wall(), CsvText(gpu.place));
  }
  return text;
}

std::string CallsAsCsv(const SummaryTables& tables, size_t rows) {
  std::string text = "Name,Calls,Errors,TotalNs,AvgNs,MedianNs,MinNs,MaxNs\n";
  for (const analysis::ApiSummary& api : FirstRows(rows, tables.apis)) {
    text += fmt::format("{},{},{},{},{},{},{},{}\n", CsvText(api.name), api.calls, api.errors,
                        api.total, api.average(), api.median, api.min, api.max);
  }
  return text;
}

// GPU -1 is the host.
std::string CopiesAsCsv(const SummaryTables& tables, size_t rows) {
  std::string text = "Name,SrcGpu,DstGpu,Copies,Bytes,TotalNs,AvgNs,MedianNs,MinNs,MaxNs\n";
  for (const analysis::CopySummary& copy : FirstRows(rows, tables.copies)) {
    text += fmt::format("{},{},{},{},{},{},{},{},{},{}\n", CsvText(copy.name), copy.src_gpu,
                        copy.dst_gpu, copy.copies, copy.bytes, copy.total, copy.average(),
                        copy.median, copy.min, copy.max);
  }
  return text;
}

std::string RangesAsCsv(const SummaryTables& tables, size_t rows) {
  std::string text = "Name,Ranges,Marks,TotalNs,AvgNs,MedianNs,MinNs,MaxNs\n";
  for (const analysis::MarkerSummary& marker : FirstRows(rows, tables.markers)) {
    text +=
        fmt::format("{},{},{},{},{},{},{},{}\n", CsvText(marker.name), marker.ranges, marker.marks,
                    marker.total, marker.average(), marker.median, marker.min, marker.max);
  }
  return text;
}

std::string EventsAsCsv(const SummaryTables& tables, size_t rows) {
  std::string text = "Kind,Name,Events,Bytes,TotalNs,AvgNs,MinNs,MaxNs\n";
  for (const analysis::EventSummary& event : FirstRows(rows, tables.events)) {
    text +=
        fmt::format("{},{},{},{},{},{},{},{}\n", event.kind->category, CsvText(event.name),
                    event.events, event.bytes, event.total, event.average(), event.min, event.max);
  }
  return text;
}

// A row for each kind. LeftOut: events left out on purpose.
std::string CompletenessAsCsv(const SummaryTables& tables, size_t rows) {
  std::string text = "Kind,Submitted,Recorded,LeftOut,Lost\n";
  for (const analysis::KindCompleteness& each : FirstRows(rows, tables.completeness)) {
    text += fmt::format("{},{},{},{},{}\n", each.kind, each.submitted, each.recorded,
                        each.left_out(), each.lost());
  }
  return text;
}

struct CsvTable {
  const char* name;
  std::string (*print)(const SummaryTables& tables, size_t rows);
};
constexpr CsvTable kCsvTables[] = {{"kernels", KernelsAsCsv},
                                   {"gpus", GpusAsCsv},
                                   {"calls", CallsAsCsv},
                                   {"copies", CopiesAsCsv},
                                   {"ranges", RangesAsCsv},
                                   {"events", EventsAsCsv},
                                   {"completeness", CompletenessAsCsv}};

}  // namespace

std::vector<std::string> CsvTables() {
  std::vector<std::string> names;
  for (const CsvTable& table : kCsvTables) names.emplace_back(table.name);
  return names;
}

std::string SummaryAsCsv(const SummaryTables& tables, size_t rows, const std::string& table) {
  for (const CsvTable& each : kCsvTables) {
    if (table == each.name) return each.print(tables, rows);
  }
  return "";
}

}  // namespace rtl::cli
