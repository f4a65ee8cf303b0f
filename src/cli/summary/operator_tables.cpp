// SPDX-License-Identifier: MIT
#include "cli/summary/operator_tables.h"

#include <fmt/format.h>

#include "analysis/text.h"
#include "cli/base/report_json.h"
#include "cli/base/table.h"

namespace rtl::cli {
namespace {

using analysis::Duration;
using analysis::Grouped;
using analysis::OperatorTime;
using analysis::OperatorTimes;
using analysis::TimesBy;

const char* TitleOf(TimesBy by) {
  switch (by) {
    case TimesBy::kOperator:
      return "operator";
    case TimesBy::kModule:
      return "module";
    case TimesBy::kLine:
      return "function of Python";
    case TimesBy::kCategory:
      break;
  }
  return "category";
}

std::string ShareOf(uint64_t part, uint64_t whole) {
  return whole == 0 ? "-" : analysis::Percent(Share(part, whole));
}

// Why the rows do not include every kernel. Empty if they do.
std::string Remainder(TimesBy by, const OperatorTimes& times) {
  if (by == TimesBy::kCategory || times.linked_kernels == times.kernels) return "";
  return Grouped(times.kernels - times.linked_kernels) + " of " + Grouped(times.kernels) +
         " kernels have no call in the trace and are in no row\n";
}

}  // namespace

std::string OperatorsAsText(const std::string& file, const std::string* source, TimesBy by,
                            const OperatorTimes& times, size_t rows, size_t width) {
  if (by != TimesBy::kCategory && !times.has_spans) {
    const bool by_torch = source != nullptr && *source == "torch.profiler";
    const char* const hint =
        by_torch ? " (torch.profiler records them with record_shapes and with_stack)"
                 : " (traces of torch.profiler do, those with record_shapes and with_stack most)";
    return Printable(file) + ": the trace knows no " + TitleOf(by) + hint + "\n";
  }
  Table table({{"total"},
               {"%"},
               Right("own", 3),
               Right("calls", 2),
               Right("kernels", 1),
               {TitleOf(by), Align::kLeft}});
  for (const OperatorTime& each : FirstRows(rows, times.rows)) {
    table.AddRow({Duration(each.total_ns), ShareOf(each.total_ns, times.kernel_ns),
                  Duration(each.own_ns), Grouped(each.calls), Grouped(each.kernels),
                  Printable(each.name)});
  }
  return table.Render(width) + MoreRows(rows, times.rows.size(), "-n 0") + Remainder(by, times);
}

std::string OperatorsAsCsv(const OperatorTimes& times, size_t rows) {
  std::string text = "Name,Calls,Kernels,TotalNs,OwnNs\n";
  for (const OperatorTime& each : FirstRows(rows, times.rows)) {
    text += fmt::format("{},{},{},{},{}\n", CsvText(each.name), each.calls, each.kernels,
                        each.total_ns, each.own_ns);
  }
  return text;
}

std::string OperatorsAsJson(const std::string& file, const OperatorTimes& times, size_t rows) {
  return JsonDocument([&](JsonWriter* json) {
    JsonText(json, "trace", file);
    JsonNumber(json, "kernels", times.kernels);
    JsonNumber(json, "linked_kernels", times.linked_kernels);
    JsonNumber(json, "kernel_ns", times.kernel_ns);
    JsonRows(json, "rows", times.rows, rows, [&](const OperatorTime& each) {
      JsonText(json, "name", each.name);
      JsonNumber(json, "calls", each.calls);
      JsonNumber(json, "kernels", each.kernels);
      JsonNumber(json, "total_ns", each.total_ns);
      JsonNumber(json, "own_ns", each.own_ns);
    });
  });
}

}  // namespace rtl::cli
