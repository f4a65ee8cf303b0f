// SPDX-License-Identifier: MIT
#include "analysis/launches.h"

#include <algorithm>
#include <unordered_map>

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
}

}  // namespace

Status SummarizeLaunches(query::TraceReader& trace, std::vector<LaunchSummary>* out) {
  query::LaunchCursor cursor;
  RTL_TRY(trace.Launches(&cursor));
  std::unordered_map<int64_t, Totals> by_name;
  RTL_TRY(cursor.Each([&](const query::LaunchRow& row) { Add(row, &by_name[row.name]); }));
  out->clear();
  for (auto& [id, totals] : by_name) {
    LaunchSummary& summary = totals.summary;
    RTL_TRY(trace.Text(id, &summary.name));
    summary.launch = PhaseOf(totals.launch);
    summary.queue = PhaseOf(totals.queue);
    summary.start = PhaseOf(totals.start);
    summary.run = PhaseOf(totals.run);
    summary.total = totals.run.total();
    out->push_back(std::move(summary));
  }
  SortByTotal(out);
  return Status::Ok();
}

void Sort(SummaryOrder order, std::vector<LaunchSummary>* launches) {
  const auto key = [order](const LaunchSummary& row) { return SortKey(order, row.kernels, row); };
  std::stable_sort(launches->begin(), launches->end(),
                   [&](const LaunchSummary& a, const LaunchSummary& b) { return key(a) > key(b); });
}

}  // namespace rtl::analysis
