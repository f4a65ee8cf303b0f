// SPDX-License-Identifier: MIT
// summary.h: the summary of a trace: time by kernel, GPU, marker, call and copy.
//
// Threads    as the given reader
// Memory     one entry per kernel name, GPU, marker name and API function
// Errors     those of the reader
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "analysis/quantile.h"
#include "base/status.h"
#include "trace/read/trace_reader.h"

namespace rtl::analysis {

struct KernelSummary : Durations {
  std::string name;
  uint64_t calls = 0;
  double share = 0;  // share of the total of all kernels, 0..1

  uint64_t average() const { return calls == 0 ? 0 : total / calls; }
};

struct GpuSummary {
  int32_t gpu = 0;
  std::string name;   // "gfx906", empty when it is not in the trace
  std::string place;  // query::GpuName::place
  uint64_t kernels = 0;
  uint64_t queues = 0;  // queues with kernels
  uint64_t busy = 0;    // time with at least one kernel running
  uint64_t first = 0;   // first start
  uint64_t last = 0;    // last end
};

struct MarkerSummary : Durations {  // of the ranges
  std::string name;
  uint64_t ranges = 0;
  uint64_t marks = 0;

  uint64_t average() const { return ranges == 0 ? 0 : total / ranges; }
};

struct ApiSummary : Durations {
  std::string name;
  uint64_t calls = 0;
  uint64_t errors = 0;  // calls with an error as result

  uint64_t average() const { return calls == 0 ? 0 : total / calls; }
};

// Copies of one direction between the same two memories.
struct CopySummary : Durations {
  std::string name;      // "CopyHostToDevice"
  int32_t dst_gpu = -1;  // -1: host memory, or not known
  int32_t src_gpu = -1;
  uint64_t copies = 0;
  uint64_t bytes = 0;

  uint64_t average() const { return copies == 0 ? 0 : total / copies; }
  double gigabytes_per_second() const {
    return total == 0 ? 0 : static_cast<double>(bytes) / static_cast<double>(total);
  }
};

// Events of a span kind with one name.
struct EventSummary {
  const SpanKind* kind = nullptr;
  std::string name;  // "hsa_init", "allocate"
  uint64_t events = 0;
  uint64_t bytes = 0;  // only for kinds with a field of bytes
  uint64_t total = 0;
  uint64_t min = 0;
  uint64_t max = 0;

  uint64_t average() const { return events == 0 ? 0 : total / events; }
};
// The index of the field of a kind that holds a number of bytes; kMostEventFields if there is none.
uint32_t BytesField(const SpanKind& kind);

struct Summary {
  std::vector<KernelSummary> kernels;  // largest total first
  std::vector<GpuSummary> gpus;        // by ordinal
  uint64_t calls = 0;
  uint64_t total = 0;

  // From the first start to the last end on any GPU.
  uint64_t wall() const;
};

enum class SummaryOrder : uint8_t { kTotal, kCalls, kAverage };

// The value by which a row with so many calls is sorted.
template <typename Row>
uint64_t SortKey(SummaryOrder order, uint64_t calls, const Row& row) {
  if (order == SummaryOrder::kTotal) return row.total;
  return order == SummaryOrder::kCalls ? calls : row.average();
}

// The greatest total comes first. Rows of the same total are sorted by name.
template <typename Rows>
void SortByTotal(Rows* rows) {
  std::stable_sort(rows->begin(), rows->end(), [](const auto& a, const auto& b) {
    return a.total != b.total ? a.total > b.total : a.name < b.name;
  });
}

Status Summarize(query::TraceReader& trace, Summary* out);
void Sort(SummaryOrder order, std::vector<KernelSummary>* kernels);
// Sorts rows by `order`. Rows that are equal in it keep their order, which is that of the total.
void Sort(SummaryOrder order, std::vector<ApiSummary>* apis);
void Sort(SummaryOrder order, std::vector<CopySummary>* copies);
void Sort(SummaryOrder order, std::vector<MarkerSummary>* markers);
// Sorts the rows of each kind separately.
void Sort(SummaryOrder order, std::vector<EventSummary>* events);

// Largest total first.
Status SummarizeMarkers(query::TraceReader& trace, std::vector<MarkerSummary>* out);

// Largest total first.
Status SummarizeApis(query::TraceReader& trace, std::vector<ApiSummary>* out);

// The rows of all span kinds, one kind after the other. Within a kind the largest total comes
// first.
Status SummarizeEvents(query::TraceReader& trace, std::vector<EventSummary>* out);

// Largest total first.
Status SummarizeCopies(query::TraceReader& trace, std::vector<CopySummary>* out);

}  // namespace rtl::analysis
