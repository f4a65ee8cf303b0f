// SPDX-License-Identifier: MIT
#include "cli/summary/counter_tables.h"

#include <fmt/format.h>

#include "analysis/text.h"
#include "cli/base/report_json.h"
#include "cli/base/table.h"

namespace rtl::cli {
namespace {

using analysis::CounterSummary;
using analysis::CounterText;
using analysis::Grouped;

constexpr char kNotModelled[] = "not modelled";

}  // namespace

std::string CounterTable(const std::vector<CounterSummary>& counters, size_t rows, size_t width) {
  Table table({{"counter", Align::kLeft},
               Right("kernels", 1),
               {"average"},
               Right("min", 3),
               Right("max", 2),
               Right("total", 4),
               {"kernel", Align::kLeft, Shorten::kFunction}});
  for (const CounterSummary& each : FirstRows(rows, counters)) {
    const auto value = [&](double number) {
      return each.known() ? CounterText(number) : std::string("-");
    };
    table.AddRow({each.counter, Grouped(each.launches),
                  each.known() ? CounterText(each.average()) : kNotModelled, value(each.min),
                  value(each.max), value(each.total), Printable(each.kernel)});
  }
  return table.Render(width) + MoreRows(rows, counters.size(), "rtl summary --counters -n 0");
}

std::string CountersAsText(const std::string& file, const query::RequestedEvents& requested,
                           const std::vector<CounterSummary>& counters, size_t rows, size_t width) {
  if (counters.empty()) {
    return Printable(file) + ": no kernel was counted" +
           (requested.ToAdvise(EventKind::kCounter)
                ? " (rtl trace --pmc SQ_WAVES,... counts them)\n"
                : "\n");
  }
  return CounterTable(counters, rows, width);
}

std::string CountersAsCsv(const std::vector<CounterSummary>& counters, size_t rows) {
  std::string text = "Kernel,Counter,Kernels,NotModelled,Average,Min,Max,Total\n";
  for (const CounterSummary& each : FirstRows(rows, counters)) {
    text += fmt::format("{},{},{},{}", CsvText(each.kernel), each.counter, each.launches,
                        each.not_modelled);
    text += each.known()
                ? fmt::format(",{},{},{},{}\n", each.average(), each.min, each.max, each.total)
                : ",,,,\n";
  }
  return text;
}

std::string CountersAsJson(const std::string& file, const std::vector<CounterSummary>& counters,
                           size_t rows) {
  return JsonDocument([&](JsonWriter* json) {
    JsonText(json, "trace", file);
    JsonRows(json, "counters", counters, rows, [&](const CounterSummary& each) {
      JsonText(json, "kernel", each.kernel);
      JsonText(json, "counter", each.counter);
      JsonNumber(json, "kernels", each.launches);
      JsonNumber(json, "not_modelled", each.not_modelled);
      const std::pair<const char*, double> values[] = {
          {"average", each.average()}, {"min", each.min}, {"max", each.max}, {"total", each.total}};
      for (const auto& [key, value] : values) {
        if (each.known()) JsonNumber(json, key, value);
      }
    });
  });
}

}  // namespace rtl::cli
