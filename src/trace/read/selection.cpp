// SPDX-License-Identifier: MIT
#include "trace/read/selection.h"

#include <algorithm>
#include <string_view>

#include "trace/read/trace_reader.h"
#include "trace/write/choice.h"

namespace rtl::query {
namespace {

std::string Seconds(uint64_t nanoseconds) {
  char text[64];
  snprintf(text, sizeof text, "%.9g s", static_cast<double>(nanoseconds) / 1e9);
  return text;
}

}  // namespace

std::string ComplaintOfPattern(const std::string& pattern) {
  return store::NamePattern().Compile(pattern);
}

std::string SelectionRequest::AsText() const {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  if (!kernel.empty()) add("kernels that match " + kernel);
  if (gpu) add("of GPU " + std::to_string(*gpu));
  if (rank) add("of rank " + std::to_string(*rank));
  if (!range.empty()) add("during ranges " + range);
  if (from) add("from " + Seconds(*from));
  if (to) add("to " + Seconds(*to));
  return text;
}

Status Selection::Make(TraceReader& trace, const SelectionRequest& request, Selection* out) {
  *out = {};
  RTL_TRY(out->FindProcesses(trace, request));
  if (!request.kernel.empty()) RTL_TRY(out->FindKernels(trace, request.kernel));
  if (!request.range.empty()) RTL_TRY(out->FindRanges(trace, request.range));
  out->gpu_ = request.gpu;
  if (!request.gpu) return Status::Ok();
  const bool is_there = std::ranges::any_of(
      out->gpu_of_agent_, [&](const auto& gpu) { return gpu.second == *request.gpu; });
  if (is_there) return Status::Ok();
  return Status::Error("%s: the trace has no GPU %d", trace.path().c_str(), *request.gpu);
}

Status Selection::Apply(TraceReader& trace, const SelectionRequest& request, Selection* out) {
  if (request.empty()) return Status::Ok();
  RTL_TRY(Make(trace, request, out));
  trace.Select(out);
  return Status::Ok();
}

Status Selection::FindKernels(TraceReader& trace, const std::string& pattern) {
  store::NamePattern expression;
  const std::string why = expression.Compile(pattern);
  if (!why.empty()) return Status::Error("%s: %s", pattern.c_str(), why.c_str());
  std::vector<KernelInfo> kernels;
  RTL_TRY(trace.tables().Kernels(&kernels));
  for (const KernelInfo& kernel : kernels) {
    std::string_view name;
    RTL_TRY(trace.Text(kernel.name, &name));
    if (expression.IsIn(std::string(name))) kernel_names_.insert(kernel.name);
  }
  by_kernel_ = true;
  if (!kernel_names_.empty()) return Status::Ok();
  return Status::Error("%s: no kernel in it matches %s", trace.path().c_str(), pattern.c_str());
}

Status Selection::FindRanges(TraceReader& trace, const std::string& name) {
  MarkerCursor cursor;
  RTL_TRY(trace.MarkersByStart(&cursor));
  std::unordered_map<int64_t, bool> is_name;
  const auto add = [&](const MarkerRow& row) {
    const auto [known, is_new] = is_name.try_emplace(row.name, false);
    if (is_new) {
      std::string_view text;
      RTL_TRY(trace.Text(row.name, &text));
      known->second = text == name;
    }
    if (row.is_mark || !known->second) return Status::Ok();
    std::vector<Interval>& intervals = ranges_[row.process];  // rows come in the order of start
    if (!intervals.empty() && row.start <= intervals.back().end) {
      intervals.back().end = std::max(intervals.back().end, row.end);
    } else {
      intervals.push_back({row.start, row.end});
    }
    return Status::Ok();
  };
  RTL_TRY(cursor.Each(add));
  by_range_ = true;
  if (!ranges_.empty()) return Status::Ok();
  return Status::Error("%s: no range in it is named %s", trace.path().c_str(), name.c_str());
}

Status Selection::FindProcesses(TraceReader& trace, const SelectionRequest& request) {
  std::vector<Process> processes;
  RTL_TRY(trace.tables().Processes(&processes));
  uint64_t began = UINT64_MAX;
  for (const Process& process : processes) {
    if (process.started > 0) began = std::min(began, process.started);
    if (request.rank && process.rank == *request.rank) processes_.insert(process.id);
  }
  if (began == UINT64_MAX) began = 0;
  if (request.from) from_ = began + *request.from;
  if (request.to) to_ = began + *request.to;
  std::vector<Queue> queues;
  RTL_TRY(trace.tables().Queues(&queues));
  for (const Queue& queue : queues) process_of_queue_[queue.id] = queue.process;
  std::vector<KernelInfo> kernels;
  RTL_TRY(trace.tables().Kernels(&kernels));
  for (const KernelInfo& kernel : kernels) name_of_kernel_[kernel.id] = kernel.name;
  RTL_TRY(trace.tables().GpusOfAgents(&gpu_of_agent_));
  by_rank_ = request.rank.has_value();
  if (!by_rank_ || !processes_.empty()) return Status::Ok();
  return Status::Error("%s: no process in it has rank %d", trace.path().c_str(), *request.rank);
}

// A row that overlaps the selected time is selected as a whole; a row without a duration is
// selected if it lies in that time.
bool Selection::TakesTime(int64_t process, uint64_t start, uint64_t end) const {
  if (by_rank_ && processes_.count(process) == 0) return false;
  if (start >= to_ || std::max(end, start + 1) <= from_) return false;
  if (!by_range_) return true;
  const auto found = ranges_.find(process);
  if (found == ranges_.end()) return false;
  const std::vector<Interval>& intervals = found->second;
  const auto next =
      std::upper_bound(intervals.begin(), intervals.end(), std::max(start, end),
                       [](uint64_t time, const Interval& range) { return time < range.start; });
  return next != intervals.begin() && start < std::prev(next)->end;
}

bool Selection::TakesKernel(int64_t name, int32_t gpu, int64_t queue, uint64_t start,
                            uint64_t end) const {
  if (by_kernel_ && kernel_names_.count(name) == 0) return false;
  if (!TakesGpu(gpu)) return false;
  const auto known = process_of_queue_.find(queue);
  return TakesTime(known == process_of_queue_.end() ? 0 : known->second, start, end);
}

bool Selection::Takes(const KernelSpan& row) const {
  return TakesKernel(row.name, row.gpu, row.queue, row.start, row.end);
}

bool Selection::Takes(const LaunchRow& row) const {
  return TakesKernel(row.name, row.gpu, row.queue, row.start, row.end);
}

bool Selection::Takes(const KernelRow& row) const {
  if (by_kernel_ && kernel_names_.count(row.name) == 0) return false;
  return TakesGpu(row.gpu) && TakesTimeOf(row);
}

bool Selection::Takes(const SampleRow& row) const {
  const auto name = name_of_kernel_.find(row.kernel);
  if (by_kernel_ && (name == name_of_kernel_.end() || kernel_names_.count(name->second) == 0))
    return false;
  const auto gpu = gpu_of_agent_.find({row.process, row.agent});
  return gpu != gpu_of_agent_.end() && TakesGpu(gpu->second) &&
         TakesTime(row.process, row.time, row.time);
}

bool Selection::Takes(const CopyRow& row) const {
  return (TakesGpu(row.dst_gpu) || TakesGpu(row.src_gpu)) && TakesTimeOf(row);
}

bool Selection::Takes(const HostWorkRow& row) const {
  return TakesTime(row.process, row.start, row.start + row.duration);
}

}  // namespace rtl::query
