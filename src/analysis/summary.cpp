// SPDX-License-Identifier: MIT
#include "analysis/summary.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <unordered_map>

#include "analysis/quantile.h"
#include "trace/read/gpu_names.h"

namespace rtl::analysis {
namespace {

// Totals of a kernel name or an API function.
struct CallTotals {
  uint64_t calls = 0;
  uint64_t total = 0;
  uint64_t min = UINT64_MAX;
  uint64_t max = 0;
  QuantileSketch sketch;
};

void Add(uint64_t duration, CallTotals* totals) {
  ++totals->calls;
  totals->total += duration;
  totals->min = std::min(totals->min, duration);
  totals->max = std::max(totals->max, duration);
  totals->sketch.Add(duration);
}

template <typename Row>
void SetTotals(const CallTotals& totals, uint64_t* count, Row* row) {
  *count = totals.calls;
  if (totals.calls == 0) return;
  row->total = totals.total;
  row->min = totals.min;
  row->max = totals.max;
  row->median = std::clamp(totals.sketch.At(0.5), totals.min, totals.max);
}

// Kernels must be added in the order of start. Then the union of their intervals needs only its end
// so far.
struct GpuCallTotals {
  uint64_t kernels = 0;
  uint64_t busy = 0;
  uint64_t first = 0;
  uint64_t covered_until = 0;
  std::set<int64_t> queues;
};

void Add(const query::KernelSpan& span, GpuCallTotals* totals) {
  if (totals->kernels == 0) totals->first = span.start;
  ++totals->kernels;
  totals->queues.insert(span.queue);
  const uint64_t from = std::max(span.start, totals->covered_until);
  if (span.end > from) totals->busy += span.end - from;
  totals->covered_until = std::max(totals->covered_until, std::max(span.start, span.end));
}

Status NameGpus(query::TraceReader& trace, std::vector<GpuSummary>* gpus) {
  std::map<int32_t, query::GpuName> names;
  RTL_TRY(query::NameGpus(trace, &names));
  for (GpuSummary& gpu : *gpus) {
    const auto known = names.find(gpu.gpu);
    if (known == names.end()) continue;
    gpu.name = known->second.name;
    gpu.place = known->second.place;
  }
  return Status::Ok();
}

// In a sound trace no two string ids have the same text. Merging by text costs nothing and makes
// other traces right.
using KernelsById = std::unordered_map<int64_t, CallTotals>;

Status NameKernels(query::TraceReader& trace, const KernelsById& by_id, Summary* out) {
  for (const auto& [id, totals] : by_id) {
    std::string_view name;
    RTL_TRY(trace.Text(id, &name));
    KernelSummary kernel;
    kernel.name = std::string(name);
    kernel.calls = totals.calls;
    kernel.total = totals.total;
    kernel.min = totals.min;
    kernel.max = totals.max;
    kernel.median = std::clamp(totals.sketch.At(0.5), totals.min, totals.max);
    if (out->total > 0) {
      kernel.share = static_cast<double>(totals.total) / static_cast<double>(out->total);
    }
    out->kernels.push_back(std::move(kernel));
  }
  Sort(SummaryOrder::kTotal, &out->kernels);
  return Status::Ok();
}

uint64_t SortKey(SummaryOrder order, const KernelSummary& kernel) {
  switch (order) {
    case SummaryOrder::kTotal:
      return kernel.total;
    case SummaryOrder::kCalls:
      return kernel.calls;
    case SummaryOrder::kAverage:
      return kernel.average();
  }
  return 0;
}

// Equal rows keep their order.
template <typename Row, typename Calls>
void SortRows(SummaryOrder order, const Calls& calls, std::vector<Row>* rows) {
  const auto key = [&](const Row& row) -> uint64_t {
    if (order == SummaryOrder::kTotal) return row.total;
    return order == SummaryOrder::kCalls ? calls(row) : row.average();
  };
  std::stable_sort(rows->begin(), rows->end(),
                   [&](const Row& a, const Row& b) { return key(a) > key(b); });
}

}  // namespace

uint64_t Summary::wall() const {
  if (gpus.empty()) return 0;
  uint64_t first = UINT64_MAX;
  uint64_t last = 0;
  for (const GpuSummary& gpu : gpus) {
    first = std::min(first, gpu.first);
    last = std::max(last, gpu.last);
  }
  return last - first;
}

void Sort(SummaryOrder order, std::vector<KernelSummary>* kernels) {
  std::sort(kernels->begin(), kernels->end(), [&](const KernelSummary& a, const KernelSummary& b) {
    const uint64_t key_a = SortKey(order, a);
    const uint64_t key_b = SortKey(order, b);
    return key_a != key_b ? key_a > key_b : a.name < b.name;
  });
}

void Sort(SummaryOrder order, std::vector<ApiSummary>* apis) {
  SortRows(
      order, [](const ApiSummary& api) { return api.calls; }, apis);
}

void Sort(SummaryOrder order, std::vector<CopySummary>* copies) {
  SortRows(
      order, [](const CopySummary& copy) { return copy.copies; }, copies);
}

void Sort(SummaryOrder order, std::vector<MarkerSummary>* markers) {
  SortRows(
      order, [](const MarkerSummary& marker) { return marker.ranges + marker.marks; }, markers);
}

void Sort(SummaryOrder order, std::vector<EventSummary>* events) {
  const auto key = [order](const EventSummary& event) {
    if (order == SummaryOrder::kTotal) return event.total;
    return order == SummaryOrder::kCalls ? event.events : event.average();
  };
  std::stable_sort(events->begin(), events->end(),
                   [&](const EventSummary& a, const EventSummary& b) {
                     return std::pair(a.kind->kind, key(b)) < std::pair(b.kind->kind, key(a));
                   });
}

Status Summarize(query::TraceReader& trace, Summary* out) {
  *out = {};
  query::KernelSpanCursor cursor;
  RTL_TRY(trace.SpansByStart(&cursor));
  KernelsById by_id;
  std::map<int32_t, GpuCallTotals> by_gpu;
  while (true) {
    query::KernelSpan span;
    bool has_row = false;
    RTL_TRY(cursor.Next(&span, &has_row));
    if (!has_row) break;
    const uint64_t duration = span.end > span.start ? span.end - span.start : 0;
    Add(duration, &by_id[span.name]);
    Add(span, &by_gpu[span.gpu]);
    ++out->calls;
    out->total += duration;
  }
  for (const auto& [gpu, totals] : by_gpu) {
    out->gpus.push_back({.gpu = gpu,
                         .name = {},
                         .place = {},
                         .kernels = totals.kernels,
                         .queues = totals.queues.size(),
                         .busy = totals.busy,
                         .first = totals.first,
                         .last = totals.covered_until});
  }
  RTL_TRY(NameGpus(trace, &out->gpus));
  return NameKernels(trace, by_id, out);
}

Status SummarizeMarkers(query::TraceReader& trace, std::vector<MarkerSummary>* out) {
  query::MarkerCursor cursor;
  RTL_TRY(trace.MarkersByStart(&cursor));
  struct Named {
    MarkerSummary marker;
    CallTotals totals;
  };
  std::unordered_map<int64_t, Named> by_name;
  while (true) {
    query::MarkerRow row;
    bool has_row = false;
    RTL_TRY(cursor.Next(&row, &has_row));
    if (!has_row) break;
    auto& [marker, totals] = by_name[row.name];
    if (row.is_mark) {
      ++marker.marks;
      continue;
    }
    Add(row.end > row.start ? row.end - row.start : 0, &totals);
  }
  out->clear();
  for (auto& [id, named] : by_name) {
    auto& [marker, totals] = named;
    SetTotals(totals, &marker.ranges, &marker);
    std::string_view name;
    RTL_TRY(trace.Text(id, &name));
    marker.name = std::string(name);
    out->push_back(std::move(marker));
  }
  std::sort(out->begin(), out->end(), [](const MarkerSummary& a, const MarkerSummary& b) {
    return a.total != b.total ? a.total > b.total : a.name < b.name;
  });
  return Status::Ok();
}

Status SummarizeApis(query::TraceReader& trace, std::vector<ApiSummary>* out) {
  query::CallSpanCursor cursor;
  RTL_TRY(trace.CallSpans(&cursor));
  // Totals by name, with the number of calls that failed.
  std::unordered_map<int64_t, std::pair<CallTotals, uint64_t>> by_name;
  while (true) {
    query::CallSpan row;
    bool has_row = false;
    RTL_TRY(cursor.Next(&row, &has_row));
    if (!has_row) break;
    auto& [totals, errors] = by_name[row.name];
    Add(row.end > row.start ? row.end - row.start : 0, &totals);
    if (row.failed) ++errors;
  }
  out->clear();
  for (const auto& [id, entry] : by_name) {
    const auto& [totals, errors] = entry;
    std::string_view name;
    RTL_TRY(trace.Text(id, &name));
    out->push_back({.name = std::string(name),
                    .calls = totals.calls,
                    .errors = errors,
                    .total = totals.total,
                    .min = totals.min,
                    .max = totals.max,
                    .median = std::clamp(totals.sketch.At(0.5), totals.min, totals.max)});
  }
  std::sort(out->begin(), out->end(), [](const ApiSummary& a, const ApiSummary& b) {
    return a.total != b.total ? a.total > b.total : a.name < b.name;
  });
  return Status::Ok();
}

uint32_t BytesField(const SpanKind& kind) {
  for (uint32_t i = 0; i < kind.field_count; ++i) {
    if (kind.fields[i].form == FieldForm::kBytes) return i;
  }
  return kMostEventFields;
}

namespace {

Status SummarizeKind(query::TraceReader& trace, const SpanKind& kind,
                     std::vector<EventSummary>* out) {
  query::EventCursor cursor;
  RTL_TRY(trace.EventsByStart(kind.kind, &cursor));
  const uint32_t bytes = BytesField(kind);
  std::unordered_map<int64_t, EventSummary> by_name;
  while (true) {
    query::EventRow row;
    bool has_row = false;
    RTL_TRY(cursor.Next(&row, &has_row));
    if (!has_row) break;
    EventSummary& summary = by_name[row.name];
    const uint64_t duration = row.end > row.start ? row.end - row.start : 0;
    summary.min = summary.events == 0 ? duration : std::min(summary.min, duration);
    summary.max = std::max(summary.max, duration);
    summary.total += duration;
    if (bytes < kind.field_count) summary.bytes += static_cast<uint64_t>(row.values[bytes]);
    ++summary.events;
  }
  const auto first = static_cast<std::ptrdiff_t>(out->size());
  for (auto& [id, summary] : by_name) {
    std::string_view name;
    RTL_TRY(trace.Text(id, &name));
    summary.kind = &kind;
    summary.name = std::string(name);
    out->push_back(std::move(summary));
  }
  std::sort(out->begin() + first, out->end(), [](const EventSummary& a, const EventSummary& b) {
    return a.total != b.total ? a.total > b.total : a.name < b.name;
  });
  return Status::Ok();
}

}  // namespace

Status SummarizeEvents(query::TraceReader& trace, std::vector<EventSummary>* out) {
  out->clear();
  for (size_t i = 0; i < kEventKindCount; ++i) {
    const SpanKind* const kind = FindSpanKind(static_cast<EventKind>(i));
    if (kind != nullptr) RTL_TRY(SummarizeKind(trace, *kind, out));
  }
  return Status::Ok();
}

Status SummarizeCopies(query::TraceReader& trace, std::vector<CopySummary>* out) {
  query::CopyCursor cursor;
  RTL_TRY(trace.CopiesByStart(&cursor));
  struct Placed {
    CopySummary copy;
    CallTotals totals;
  };
  std::map<std::tuple<int64_t, int32_t, int32_t>, Placed> by_place;
  while (true) {
    query::CopyRow row;
    bool has_row = false;
    RTL_TRY(cursor.Next(&row, &has_row));
    if (!has_row) break;
    auto& [copy, totals] = by_place[{row.name, row.dst_gpu, row.src_gpu}];
    Add(row.end > row.start ? row.end - row.start : 0, &totals);
    copy.dst_gpu = row.dst_gpu;
    copy.src_gpu = row.src_gpu;
    copy.bytes += row.bytes;
  }
  out->clear();
  for (auto& [place, placed] : by_place) {
    auto& [copy, totals] = placed;
    SetTotals(totals, &copy.copies, &copy);
    std::string_view name;
    RTL_TRY(trace.Text(std::get<0>(place), &name));
    copy.name = std::string(name);
    out->push_back(std::move(copy));
  }
  std::stable_sort(out->begin(), out->end(), [](const CopySummary& a, const CopySummary& b) {
    return a.total != b.total ? a.total > b.total : a.name < b.name;
  });
  return Status::Ok();
}

}  // namespace rtl::analysis
