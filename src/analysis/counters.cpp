// SPDX-License-Identifier: MIT
#include "analysis/counters.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "trace/read/counter_table.h"

namespace rtl::analysis {
namespace {

void Add(const query::CounterSum& sum, CounterSummary* out) {
  const bool first = !out->known();
  ++out->launches;
  if (sum.not_modelled) {
    ++out->not_modelled;
    return;
  }
  out->total += sum.value;
  out->min = first ? sum.value : std::min(out->min, sum.value);
  out->max = first ? sum.value : std::max(out->max, sum.value);
}

}  // namespace

Status SummarizeCounters(query::TraceReader& trace, std::vector<CounterSummary>* out) {
  out->clear();
  query::CounterTable table;
  RTL_TRY(table.Load(trace));
  if (table.empty()) return Status::Ok();
  query::KernelCursor cursor;
  RTL_TRY(trace.KernelsBySubmit(&cursor));
  std::map<std::pair<int64_t, std::string>, CounterSummary> by_name;
  std::map<int64_t, uint64_t> times;
  RTL_TRY(cursor.Each([&](const query::KernelRow& row) {
    times[row.name] += row.end > row.start ? row.end - row.start : 0;
    for (const query::CounterSum& sum : table.Of(row.process, row.dispatch))
      Add(sum, &by_name[{row.name, sum.name}]);
  }));
  for (auto& [key, summary] : by_name) {
    RTL_TRY(trace.Text(key.first, &summary.kernel));
    summary.counter = key.second;
    summary.time = times[key.first];
    out->push_back(std::move(summary));
  }
  std::sort(out->begin(), out->end(), [](const CounterSummary& a, const CounterSummary& b) {
    return std::tie(b.time, a.kernel, a.counter) < std::tie(a.time, b.kernel, b.counter);
  });
  return Status::Ok();
}

std::string CounterText(double value) {
  const std::string text = fmt::format("{:.6g}", value);
  return text.find('e') == std::string::npos ? text : fmt::format("{:.0f}", value);
}

void Sort(SummaryOrder order, std::vector<CounterSummary>* counters) {
  std::map<std::string, uint64_t> launches;  // the most launches with a value, by kernel
  for (const CounterSummary& each : *counters) {
    uint64_t& most = launches[each.kernel];
    most = std::max(most, each.launches);
  }
  const auto key = [&](const CounterSummary& each) {
    const uint64_t count = launches[each.kernel];
    if (order == SummaryOrder::kTotal) return each.time;
    return order == SummaryOrder::kCalls || count == 0 ? count : each.time / count;
  };
  std::stable_sort(counters->begin(), counters->end(),
                   [&](const CounterSummary& a, const CounterSummary& b) {
                     return std::pair(key(b), a.kernel) < std::pair(key(a), b.kernel);
                   });
}

}  // namespace rtl::analysis
