// SPDX-License-Identifier: MIT
#include "export/counter_steps.h"

#include <algorithm>
#include <map>
#include <queue>
#include <tuple>
#include <utility>
#include <vector>

#include "export/timeline.h"
#include "trace/read/counter_table.h"

namespace rtl::exporting {
namespace {

constexpr char kByteUnit[] = "bytes";

// For example "Agent [1]", with the number that the arguments of kernels have.
std::string AgentLabel(int32_t gpu) { return "Agent [" + std::to_string(AgentOf(gpu)) + "]"; }

std::string NameOf(const char* what, int32_t gpu) {
  return std::string(what) + " " + AgentLabel(gpu) + " (" + AgentTypeOf(gpu) + ")";
}

using Place = std::pair<int64_t, int32_t>;  // process, GPU

// Counts the bytes of copies under way to one GPU or to the host.
class CopiesUnderWay {
 public:
  CopiesUnderWay(const query::CopyRow& row, const CounterVisitor& visit)
      : step_{.process = row.process,
              .pid = row.pid,
              .gpu = row.dst_gpu,
              .name = NameOf("COPY BYTES to", row.dst_gpu),
              .unit = kByteUnit},
        visit_(visit) {}

  Status Add(const query::CopyRow& row) {
    RTL_TRY(EndUntil(row.start));
    ends_.emplace(std::max(row.start, row.end), row.bytes);
    sum_ += row.bytes;
    return Tell(row.start);
  }
  Status EndUntil(uint64_t time) {
    while (!ends_.empty() && ends_.top().first <= time) {
      const uint64_t end = ends_.top().first;
      sum_ -= ends_.top().second;
      ends_.pop();
      RTL_TRY(Tell(end));
    }
    return Status::Ok();
  }

 private:
  using End = std::pair<uint64_t, uint64_t>;  // time, bytes

  Status Tell(uint64_t time) {
    step_.time = time;
    step_.value = static_cast<double>(sum_);
    return visit_(step_);
  }

  CounterStep step_;
  const CounterVisitor& visit_;
  std::priority_queue<End, std::vector<End>, std::greater<>> ends_;
  uint64_t sum_ = 0;
};

// Counts allocated memory. The value changes when a call that changes it begins.
class HeldBytes {
 public:
  HeldBytes(const char* what, const CounterVisitor& visit) : what_(what), visit_(visit) {}

  Status Hold(const query::EventRow& row, uint64_t key, int32_t gpu, uint64_t bytes) {
    auto& [old_gpu, old_bytes] = held_[{row.process, key}];
    if (old_gpu != gpu) RTL_TRY(Change(row, old_gpu, -static_cast<int64_t>(old_bytes)));
    const uint64_t kept = old_gpu == gpu ? old_bytes : 0;
    old_gpu = gpu;
    old_bytes = bytes;
    return Change(row, gpu, static_cast<int64_t>(bytes - kept));
  }
  Status Release(const query::EventRow& row, uint64_t key) {
    const auto held = held_.find({row.process, key});
    if (held == held_.end()) return Status::Ok();
    const auto [gpu, bytes] = held->second;
    held_.erase(held);
    return Change(row, gpu, -static_cast<int64_t>(bytes));
  }

 private:
  Status Change(const query::EventRow& row, int32_t gpu, int64_t bytes) {
    if (bytes == 0) return Status::Ok();
    int64_t& sum = sums_[{row.process, gpu}];
    sum += bytes;
    return visit_({.process = row.process,
                   .pid = row.pid,
                   .gpu = gpu,
                   .name = NameOf(what_, gpu),
                   .unit = kByteUnit,
                   .time = row.start,
                   .value = static_cast<double>(sum)});
  }

  const char* const what_;
  const CounterVisitor& visit_;
  std::map<std::pair<int64_t, uint64_t>, std::pair<int32_t, uint64_t>> held_;
  std::map<Place, int64_t> sums_;
};

template <typename Take>
Status ForEachEvent(query::TraceReader& trace, EventKind kind, const Take& take) {
  query::EventCursor cursor;
  RTL_TRY(trace.EventsByStart(kind, &cursor));
  return cursor.Each([&](const query::EventRow& row) {
    std::string_view name;
    RTL_TRY(trace.Text(row.name, &name));
    return take(row, name);
  });
}

}  // namespace

Status VisitCopiedBytes(query::TraceReader& trace, const CounterVisitor& visit) {
  std::map<Place, CopiesUnderWay> places;
  query::CopyCursor cursor;
  RTL_TRY(trace.CopiesByStart(&cursor));
  RTL_TRY(cursor.Each([&](const query::CopyRow& row) {
    if (row.bytes == 0) return Status::Ok();
    const auto place = places.try_emplace({row.process, row.dst_gpu}, row, visit).first;
    return place->second.Add(row);
  }));
  for (auto& [place, copies] : places) RTL_TRY(copies.EndUntil(UINT64_MAX));
  return Status::Ok();
}

Status VisitAllocatedBytes(query::TraceReader& trace, const CounterVisitor& visit) {
  HeldBytes held("ALLOCATE BYTES on", visit);
  const auto take = [&](const query::EventRow& row, std::string_view name) {
    const auto values = row.As<AllocationValues>();
    if (values.status != 0) return Status::Ok();
    if (name.ends_with("allocate")) return held.Hold(row, values.address, row.gpu, values.bytes);
    return held.Release(row, values.address);
  };
  return ForEachEvent(trace, EventKind::kAllocation, take);
}

Status VisitScratchBytes(query::TraceReader& trace, const CounterVisitor& visit) {
  HeldBytes held("SCRATCH MEMORY on", visit);
  const auto take = [&](const query::EventRow& row, std::string_view name) {
    const auto values = row.As<ScratchValues>();
    if (name.ends_with("allocate")) return held.Hold(row, values.queue, row.gpu, values.bytes);
    return held.Release(row, values.queue);
  };
  return ForEachEvent(trace, EventKind::kScratch, take);
}

// A kernel's counter has its value from the start of the kernel to its end.
Status VisitHardwareCounters(query::TraceReader& trace, const CounterVisitor& visit) {
  query::CounterTable table;
  RTL_TRY(table.Load(trace));
  if (table.empty()) return Status::Ok();
  struct Counter {
    uint32_t pid = 0;
    std::vector<std::pair<uint64_t, double>> steps;  // time, value
  };
  std::map<std::tuple<int64_t, int32_t, std::string>, Counter> counters;
  query::KernelCursor cursor;
  RTL_TRY(trace.KernelsBySubmit(&cursor));
  RTL_TRY(cursor.Each([&](const query::KernelRow& row) {
    for (const query::CounterSum& sum : table.Of(row.process, row.dispatch)) {
      if (sum.not_modelled || row.gpu < 0) continue;
      Counter& counter = counters[{row.process, row.gpu, sum.name}];
      counter.pid = row.pid;
      counter.steps.emplace_back(row.start, sum.value);
      counter.steps.emplace_back(std::max(row.start, row.end), 0);
    }
  }));
  for (auto& [key, counter] : counters) {
    const auto& [process, gpu, name] = key;
    CounterStep step = {.process = process, .pid = counter.pid, .gpu = gpu};
    step.name = AgentLabel(gpu) + " PMC " + name;
    std::stable_sort(counter.steps.begin(), counter.steps.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [time, value] : counter.steps) {
      step.time = time;
      step.value = value;
      RTL_TRY(visit(step));
    }
  }
  return Status::Ok();
}

}  // namespace rtl::exporting
