// SPDX-License-Identifier: MIT
#include "analysis/summary.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <unordered_map>

#include "trace/read/gpu_names.h"

namespace rtl::analysis {
namespace {

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

// The durations of one name, and its row so far.
template <typename Row>
struct NamedSum {
  Row row;
  QuantileSketch durations;
};

void Add(uint64_t start, uint64_t end, QuantileSketch* durations) {
  durations->Add(end > start ? end - start : 0);
}

// Completes the rows. `count`: the member with the number of durations. `name_of`: the id of the
// name, from the key of a sum.
template <typename Sums, typename Row, typename NameOf>
Status Finish(query::TraceReader& trace, Sums* sums, uint64_t Row::*count, const NameOf& name_of,
              std::vector<Row>* out) {
  out->clear();
  for (auto& [key, sum] : *sums) {
    Row& row = out->emplace_back(std::move(sum.row));
    static_cast<Durations&>(row) = sum.durations.Sums();
    row.*count = sum.durations.count();
    RTL_TRY(trace.Text(name_of(key), &row.name));
  }
  SortByTotal(out);
  return Status::Ok();
}

int64_t SameId(int64_t name) { return name; }

// Equal rows keep their order.
template <typename Row, typename Calls>
void SortRows(SummaryOrder order, const Calls& calls, std::vector<Row>* rows) {
  std::stable_sort(rows->begin(), rows->end(), [&](const Row& a, const Row& b) {
    return SortKey(order, calls(a), a) > SortKey(order, calls(b), b);
  });
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
    const uint64_t key_a = SortKey(order, a.calls, a), key_b = SortKey(order, b.calls, b);
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
  const auto key = [order](const EventSummary& row) { return SortKey(order, row.events, row); };
  std::stable_sort(events->begin(), events->end(),
                   [&](const EventSummary& a, const EventSummary& b) {
                     return std::pair(a.kind->kind, key(b)) < std::pair(b.kind->kind, key(a));
                   });
}

Status Summarize(query::TraceReader& trace, Summary* out) {
  *out = {};
  query::KernelSpanCursor cursor;
  RTL_TRY(trace.SpansByStart(&cursor));
  std::unordered_map<int64_t, NamedSum<KernelSummary>> by_name;
  std::map<int32_t, GpuCallTotals> by_gpu;
  RTL_TRY(cursor.Each([&](const query::KernelSpan& span) {
    Add(span.start, span.end, &by_name[span.name].durations);
    Add(span, &by_gpu[span.gpu]);
  }));
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
  RTL_TRY(Finish(trace, &by_name, &KernelSummary::calls, SameId, &out->kernels));
  for (const KernelSummary& kernel : out->kernels) {
    out->calls += kernel.calls;
    out->total += kernel.total;
  }
  for (KernelSummary& kernel : out->kernels) {
    if (out->total == 0) break;
    kernel.share = static_cast<double>(kernel.total) / static_cast<double>(out->total);
  }
  return Status::Ok();
}

Status SummarizeMarkers(query::TraceReader& trace, std::vector<MarkerSummary>* out) {
  query::MarkerCursor cursor;
  RTL_TRY(trace.MarkersByStart(&cursor));
  std::unordered_map<int64_t, NamedSum<MarkerSummary>> by_name;
  RTL_TRY(cursor.Each([&](const query::MarkerRow& row) {
    auto& [marker, durations] = by_name[row.name];
    if (row.is_mark) {
      ++marker.marks;
    } else {
      Add(row.start, row.end, &durations);
    }
  }));
  return Finish(trace, &by_name, &MarkerSummary::ranges, SameId, out);
}

Status SummarizeApis(query::TraceReader& trace, std::vector<ApiSummary>* out) {
  query::CallSpanCursor cursor;
  RTL_TRY(trace.CallSpans(&cursor));
  std::unordered_map<int64_t, NamedSum<ApiSummary>> by_name;
  RTL_TRY(cursor.Each([&](const query::CallSpan& row) {
    auto& [api, durations] = by_name[row.name];
    Add(row.start, row.end, &durations);
    if (row.failed) ++api.errors;
  }));
  return Finish(trace, &by_name, &ApiSummary::calls, SameId, out);
}

Status SummarizeCopies(query::TraceReader& trace, std::vector<CopySummary>* out) {
  query::CopyCursor cursor;
  RTL_TRY(trace.CopiesByStart(&cursor));
  using Place = std::tuple<int64_t, int32_t, int32_t>;
  std::map<Place, NamedSum<CopySummary>> by_place;
  RTL_TRY(cursor.Each([&](const query::CopyRow& row) {
    auto& [copy, durations] = by_place[{row.name, row.dst_gpu, row.src_gpu}];
    Add(row.start, row.end, &durations);
    copy.dst_gpu = row.dst_gpu;
    copy.src_gpu = row.src_gpu;
    copy.bytes += row.bytes;
  }));
  const auto name_of = [](const Place& place) { return std::get<0>(place); };
  return Finish(trace, &by_place, &CopySummary::copies, name_of, out);
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
  RTL_TRY(cursor.Each([&](const query::EventRow& row) {
    EventSummary& summary = by_name[row.name];
    const uint64_t duration = row.end > row.start ? row.end - row.start : 0;
    summary.min = summary.events == 0 ? duration : std::min(summary.min, duration);
    summary.max = std::max(summary.max, duration);
    summary.total += duration;
    if (bytes < kind.field_count) summary.bytes += static_cast<uint64_t>(row.values[bytes]);
    ++summary.events;
  }));
  std::vector<EventSummary> rows;
  for (auto& [id, summary] : by_name) {
    summary.kind = &kind;
    RTL_TRY(trace.Text(id, &summary.name));
    rows.push_back(std::move(summary));
  }
  SortByTotal(&rows);
  std::move(rows.begin(), rows.end(), std::back_inserter(*out));
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

}  // namespace rtl::analysis
