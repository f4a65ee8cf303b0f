// SPDX-License-Identifier: MIT
#include "cli/summary/summary_tables.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/text.h"
#include "cli/summary/counter_tables.h"
#include "trace/read/gpu_names.h"

namespace rtl::cli {
namespace {

using analysis::ApiSummary;
using analysis::CopySummary;
using analysis::Duration;
using analysis::EventSummary;
using analysis::GpuSummary;
using analysis::Grouped;
using analysis::KernelSummary;
using analysis::KindCompleteness;
using analysis::MarkerSummary;
using analysis::Percent;

// The line after a table that does not show all rows.
std::string More(const SummaryTables& tables, size_t most, size_t all) {
  return MoreRows(most, all, tables.all + " prints all");
}

std::string KernelTable(const SummaryTables& tables, size_t rows, size_t width) {
  const auto& kernels = tables.summary.kernels;
  Table table({Right("calls", 1),
               {"total"},
               Right("%", 2),
               Right("average", 3),
               Right("median", 4),
               Right("min", 6),
               Right("max", 5),
               {"kernel", Align::kLeft, Shorten::kFunction}});
  for (const KernelSummary& kernel : FirstRows(rows, kernels)) {
    table.AddRow({Grouped(kernel.calls), Duration(kernel.total),
                  fmt::format("{:.1f}", kernel.share * 100), Duration(kernel.average()),
                  Duration(kernel.median), Duration(kernel.min), Duration(kernel.max),
                  Printable(kernel.name)});
  }
  return table.Render(width) + More(tables, rows, kernels.size());
}

std::string MarkerTable(const SummaryTables& tables, size_t rows, size_t width) {
  Table table({Right("ranges", 1),
               Right("marks", 2),
               {"total"},
               Right("average", 3),
               Right("median", 4),
               Right("min", 6),
               Right("max", 5),
               {"roctx", Align::kLeft}});
  for (const MarkerSummary& marker : FirstRows(rows, tables.markers)) {
    const auto time = [&](uint64_t ns) { return marker.ranges > 0 ? Duration(ns) : "-"; };
    table.AddRow({Grouped(marker.ranges), Grouped(marker.marks), time(marker.total),
                  time(marker.average()), time(marker.median), time(marker.min), time(marker.max),
                  Printable(marker.name)});
  }
  return table.Render(width) + More(tables, rows, tables.markers.size());
}

std::string ApiTable(const SummaryTables& tables, size_t rows, size_t width) {
  Table table({Right("calls", 1),
               Right("errors", 2),
               {"total"},
               Right("average", 3),
               Right("median", 4),
               Right("min", 6),
               Right("max", 5),
               {"api", Align::kLeft}});
  for (const ApiSummary& api : FirstRows(rows, tables.apis)) {
    table.AddRow({Grouped(api.calls), Grouped(api.errors), Duration(api.total),
                  Duration(api.average()), Duration(api.median), Duration(api.min),
                  Duration(api.max), Printable(api.name)});
  }
  return table.Render(width) + More(tables, rows, tables.apis.size());
}

// "GPU 0"; for host memory "host".
std::string Place(int32_t gpu) { return gpu >= 0 ? "GPU " + std::to_string(gpu) : "host"; }

std::string Bytes(uint64_t bytes) {
  constexpr const char* kUnits[] = {"B", "KB", "MB", "GB", "TB"};
  double value = static_cast<double>(bytes);
  size_t unit = 0;
  for (; value >= 1000 && unit + 1 < std::size(kUnits); ++unit) value /= 1000;
  return unit == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.2f} {}", value, kUnits[unit]);
}

std::string CopyTable(const SummaryTables& tables, size_t rows, size_t width) {
  Table table({Right("copies", 1),
               Right("bytes", 2),
               {"total"},
               Right("GB/s", 3),
               Right("average", 4),
               Right("median", 5),
               Right("min", 7),
               Right("max", 6),
               {"copy", Align::kLeft}});
  for (const CopySummary& copy : FirstRows(rows, tables.copies)) {
    table.AddRow(
        {Grouped(copy.copies), Bytes(copy.bytes), Duration(copy.total),
         fmt::format("{:.2f}", copy.gigabytes_per_second()), Duration(copy.average()),
         Duration(copy.median), Duration(copy.min), Duration(copy.max),
         Printable(copy.name) + ": " + Place(copy.src_gpu) + " to " + Place(copy.dst_gpu)});
  }
  return table.Render(width) + More(tables, rows, tables.copies.size());
}

// A table for each span kind that has events.
std::string EventTables(const SummaryTables& tables, size_t rows, size_t width) {
  std::string text;
  for (auto first = tables.events.begin(); first != tables.events.end();) {
    const SpanKind& kind = *first->kind;
    const auto last = std::find_if(first, tables.events.end(),
                                   [&](const EventSummary& event) { return event.kind != &kind; });
    const bool has_bytes = analysis::BytesField(kind) < kind.field_count;
    const std::span events(first, last);
    std::vector<Column> columns = {{"events"}, {"total"}, {"average"}, {"min"}, {"max"}};
    if (has_bytes) columns.push_back({"bytes"});
    columns.push_back({kind.category, Align::kLeft});
    Table table(std::move(columns));
    for (const EventSummary& event : FirstRows(rows, events)) {
      std::vector<std::string> row = {Grouped(event.events), Duration(event.total),
                                      Duration(event.average()), Duration(event.min),
                                      Duration(event.max)};
      if (has_bytes) row.push_back(Bytes(event.bytes));
      row.push_back(Printable(event.name));
      table.AddRow(std::move(row));
    }
    text += "\n" + table.Render(width) + More(tables, rows, events.size());
    first = last;
  }
  return text;
}

std::string GpuLine(const GpuSummary& gpu, uint64_t wall) {
  std::string line = "GPU " + std::to_string(gpu.gpu);
  const std::string name = query::GpuName{gpu.name, gpu.place}.Text();
  if (!name.empty()) line += " (" + Printable(name) + ")";
  line += ": " + Counted(gpu.kernels, "kernel") + " on " + Counted(gpu.queues, "queue") +
          ", busy " + Duration(gpu.busy) + " of " + Duration(wall);
  if (wall > 0) line += ", " + Percent(Share(gpu.busy, wall));
  return line + "\n";
}

// Only some kinds of rows have a median.
template <typename Row>
void JsonTimes(const Row& row, JsonWriter* json) {
  JsonNumber(json, "total_ns", row.total);
  JsonNumber(json, "average_ns", row.average());
  if constexpr (requires { row.median; }) JsonNumber(json, "median_ns", row.median);
  JsonNumber(json, "min_ns", row.min);
  JsonNumber(json, "max_ns", row.max);
}

void JsonKernels(const SummaryTables& tables, size_t rows, JsonWriter* json) {
  JsonRows(json, "kernels", tables.summary.kernels, rows, [&](const KernelSummary& kernel) {
    JsonText(json, "name", kernel.name);
    JsonNumber(json, "calls", kernel.calls);
    JsonTimes(kernel, json);
    JsonNumber(json, "share", kernel.share);
  });
}

void JsonGpus(const SummaryTables& tables, JsonWriter* json) {
  JsonRows(json, "gpus", tables.summary.gpus, 0, [&](const GpuSummary& gpu) {
    JsonNumber(json, "gpu", static_cast<uint64_t>(gpu.gpu));
    JsonText(json, "name", gpu.name);
    if (!gpu.place.empty()) JsonText(json, "place", gpu.place);
    JsonNumber(json, "kernels", gpu.kernels);
    JsonNumber(json, "queues", gpu.queues);
    JsonNumber(json, "busy_ns", gpu.busy);
  });
}

void JsonMarkers(const SummaryTables& tables, size_t rows, JsonWriter* json) {
  JsonRows(json, "markers", tables.markers, rows, [&](const MarkerSummary& marker) {
    JsonText(json, "name", marker.name);
    JsonNumber(json, "ranges", marker.ranges);
    JsonNumber(json, "marks", marker.marks);
    JsonTimes(marker, json);
  });
}

void JsonApis(const SummaryTables& tables, size_t rows, JsonWriter* json) {
  JsonRows(json, "apis", tables.apis, rows, [&](const ApiSummary& api) {
    JsonText(json, "name", api.name);
    JsonNumber(json, "calls", api.calls);
    JsonNumber(json, "errors", api.errors);
    JsonTimes(api, json);
  });
}

void JsonEvents(const SummaryTables& tables, JsonWriter* json) {
  JsonRows(json, "spans", tables.events, 0, [&](const EventSummary& event) {
    JsonText(json, "kind", EventKindName(event.kind->kind));
    JsonText(json, "name", event.name);
    JsonNumber(json, "events", event.events);
    if (analysis::BytesField(*event.kind) < event.kind->field_count)
      JsonNumber(json, "bytes", event.bytes);
    JsonTimes(event, json);
  });
}

void JsonCopies(const SummaryTables& tables, size_t rows, JsonWriter* json) {
  JsonRows(json, "copies", tables.copies, rows, [&](const CopySummary& copy) {
    JsonText(json, "name", copy.name);
    JsonNumber(json, "src_gpu", copy.src_gpu);
    JsonNumber(json, "dst_gpu", copy.dst_gpu);
    JsonNumber(json, "copies", copy.copies);
    JsonNumber(json, "bytes", copy.bytes);
    JsonTimes(copy, json);
  });
}

}  // namespace

Status ReadSummaryTables(query::TraceReader& trace, SummaryTables* out) {
  out->file = trace.path();
  RTL_TRY(analysis::Summarize(trace, &out->summary));
  RTL_TRY(analysis::SummarizeMarkers(trace, &out->markers));
  RTL_TRY(analysis::SummarizeCopies(trace, &out->copies));
  RTL_TRY(analysis::SummarizeApis(trace, &out->apis));
  RTL_TRY(analysis::SummarizeEvents(trace, &out->events));
  RTL_TRY(analysis::SummarizeCounters(trace, &out->counters));
  out->completeness = analysis::ReadCompleteness(trace.metadata());
  return Status::Ok();
}

void JsonCompleteness(const std::vector<KindCompleteness>& completeness, JsonWriter* json) {
  JsonObject(json, "events", [&] {
    for (const KindCompleteness& each : completeness) {
      JsonObject(json, each.kind.c_str(), [&] {
        JsonNumber(json, "submitted", each.submitted);
        JsonNumber(json, "seen", each.submitted);  // alias
        JsonNumber(json, "recorded", each.recorded);
        JsonObject(json, "losses", [&] {
          for (const auto& loss : each.losses) JsonNumber(json, loss.name.c_str(), loss.events);
        });
      });
    }
  });
}

std::string CompletenessLines(const std::vector<KindCompleteness>& completeness) {
  std::string text;
  for (const KindCompleteness& each : completeness) {
    const bool always = &each == &completeness.front();
    if (always || each.submitted > 0) text += analysis::CompletenessLine(each) + "\n";
  }
  return text;
}

std::string SummaryAsText(const SummaryTables& tables, size_t rows, size_t width) {
  const analysis::Summary& summary = tables.summary;
  std::string text = Printable(tables.file) + ": " + Counted(summary.calls, "kernel") + " of " +
                     Counted(summary.kernels.size(), "name") + ", " + Duration(summary.total) +
                     " in total\n";
  for (const GpuSummary& gpu : summary.gpus) text += GpuLine(gpu, summary.wall());
  if (!summary.kernels.empty()) text += "\n" + KernelTable(tables, rows, width);
  if (!tables.counters.empty()) text += "\n" + CounterTable(tables.counters, rows, width);
  if (!tables.apis.empty()) text += "\n" + ApiTable(tables, rows, width);
  text += EventTables(tables, rows, width);
  if (!tables.copies.empty()) text += "\n" + CopyTable(tables, rows, width);
  if (!tables.markers.empty()) text += "\n" + MarkerTable(tables, rows, width);
  return text + "\n" + CompletenessLines(tables.completeness);
}

std::string SummaryAsJson(const SummaryTables& tables, size_t rows) {
  return JsonDocument([&](JsonWriter* json) {
    JsonText(json, "trace", tables.file);
    JsonNumber(json, "calls", tables.summary.calls);
    JsonNumber(json, "total_ns", tables.summary.total);
    JsonNumber(json, "wall_ns", tables.summary.wall());
    JsonKernels(tables, rows, json);
    JsonGpus(tables, json);
    JsonCopies(tables, rows, json);
    JsonMarkers(tables, rows, json);
    JsonApis(tables, rows, json);
    JsonEvents(tables, json);
    JsonCompleteness(tables.completeness, json);
  });
}

}  // namespace rtl::cli
