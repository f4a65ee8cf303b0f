// SPDX-License-Identifier: MIT
#include "analysis/launches.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "analysis/quantile.h"

namespace rtl::analysis {
namespace {

struct Totals {
  LaunchSummary summary;
  QuantileSketch launch, queue, start, run;
};

uint64_t Since(uint64_t from, uint64_t to) { return to > from ? to - from : 0; }

LaunchPhase PhaseOf(const QuantileSketch& sketch) { return {sketch.At(0.5), sketch.At(0.99)}; }

void Add(const query::LaunchRow& row, Totals* totals) {
  ++totals->summary.kernels;
  const bool submitted = row.submit != 0;
  if (submitted && row.submit < row.call_start) {
    ++totals->summary.impossible;
    return;
  }
  if (row.start < (submitted ? row.submit : row.call_start)) ++totals->summary.early;
  if (submitted) {
    totals->launch.Add(row.submit - row.call_start);
    totals->queue.Add(Since(row.submit, row.start));
  } else {
    ++totals->summary.unsubmitted;
  }
  totals->start.Add(Since(row.call_start, row.start));
  totals->run.Add(Since(row.start, row.end));
  totals->summary.total += Since(row.start, row.end);
}

}  // namespace

Status SummarizeLaunches(query::TraceReader& trace, std::vector<LaunchSummary>* out) {
  query::LaunchCursor cursor;
  RTL_TRY(trace.Launches(&cursor));
  std::unordered_map<int64_t, Totals> by_name;
  while (true) {
    query::LaunchRow row;
    bool has_row = false;
    RTL_TRY(cursor.Next(&row, &has_row));
    if (!has_row) break;
    Add(row, &by_name[row.name]);
  }
  out->clear();
  for (auto& [id, totals] : by_name) {
    std::string_view name;
    RTL_TRY(trace.Text(id, &name));
    LaunchSummary& summary = totals.summary;
    summary.name = std::string(name);
    summary.launch = PhaseOf(totals.launch);
    summary.queue = PhaseOf(totals.queue);
    summary.start = PhaseOf(totals.start);
    summary.run = PhaseOf(totals.run);
    out->push_back(std::move(summary));
  }
  std::sort(out->begin(), out->end(), [](const LaunchSummary& a, const LaunchSummary& b) {
    return a.total != b.total ? a.total > b.total : a.name < b.name;
  });
  return Status::Ok();
}

void Sort(SummaryOrder order, std::vector<LaunchSummary>* launches) {
  const auto key = [order](const LaunchSummary& launch) {
    if (order == SummaryOrder::kTotal) return launch.total;
    return order == SummaryOrder::kCalls ? launch.kernels : launch.average();
  };
  std::stable_sort(launches->begin(), launches->end(),
                   [&](const LaunchSummary& a, const LaunchSummary& b) { return key(a) > key(b); });
}

}  // namespace rtl::analysis
