// SPDX-License-Identifier: MIT
#include "dataset/summaries.h"

#include <algorithm>

namespace rtl::dataset {

const char* TextOf(KernelKind kind) {
  constexpr const char* kTexts[] = {"compute", "communication", "copy"};
  return kTexts[static_cast<size_t>(kind)];
}

// Rows are sorted by name, then by step, so that neighbouring rows have similar numbers.
SummaryFiles::SummaryFiles(const std::string& folder, const Owner& owner)
    : steps(folder, Describe(TableId::kSteps), owner),
      kernels(folder, Describe(TableId::kStepKernels), owner, {"name_id", "step"}),
      histogram(folder, Describe(TableId::kStepHistogram), owner, {"name_id", "low", "step"}) {}

Status SummaryFiles::End() {
  RTL_TRY(steps.EndFile());
  RTL_TRY(kernels.EndFile());
  return histogram.EndFile();
}

void SummaryFiles::AddFilesTo(std::vector<WrittenFile>* files) const {
  for (const TableWriter* const writer : {&steps, &kernels, &histogram}) writer->AddFilesTo(files);
}

Status Summaries::Add(const SummaryKernel& kernel) {
  const auto [known, is_new] = open_.try_emplace(kernel.step);
  Step& step = known->second;
  const int64_t end = kernel.start + kernel.duration;
  if (is_new || kernel.start < step.start) step.start = kernel.start;
  const auto beyond = [&](int64_t before) {
    return std::max<int64_t>(end - std::max(kernel.start, before), 0);
  };
  step.busy += beyond(end_);
  int64_t& end_of_kind = ends_[static_cast<size_t>(kernel.kind)];
  if (kernel.kind == KernelKind::kCompute) step.computing += beyond(end_of_kind);
  if (kernel.kind == KernelKind::kCommunication) {
    step.communicating += beyond(end_of_kind);
    ++step.collectives;
  }
  if (end_ != 0) step.longest_gap = std::max(step.longest_gap, kernel.start - end_);
  end_ = std::max(end_, end);
  end_of_kind = std::max(end_of_kind, end);
  step.end = std::max(step.end, end);
  ++step.kernels;
  OfName& name = step.names[kernel.name_id];
  name.kind = kernel.kind;
  name.shortest = name.kernels == 0 ? kernel.duration : std::min(name.shortest, kernel.duration);
  name.longest = std::max(name.longest, kernel.duration);
  name.total += kernel.duration;
  ++name.kernels;
  ++name.histogram[LowOf(kernel.duration)];
  if (open_.size() <= kOpenSteps) return Status::Ok();
  // Too many steps are open, so the oldest is complete. The sums of kernels outside of steps stay
  // open, because such kernels come again and again.
  const auto oldest =
      std::min_element(open_.begin(), open_.end(), [](const auto& a, const auto& b) {
        return a.first.has_value() != b.first.has_value() ? a.first.has_value()
                                                          : a.second.start < b.second.start;
      });
  RTL_TRY(Write(oldest->first, oldest->second));
  open_.erase(oldest);
  return Status::Ok();
}

Status Summaries::End() {
  for (const auto& [number, step] : open_) RTL_TRY(Write(number, step));
  open_.clear();
  return Status::Ok();
}

template <typename Columns>
void Summaries::SetRank(TableWriter* table) const {
  if (process_.rank) table->Set(Columns::rank, *process_.rank);
  if (!process_.host.empty()) table->SetText(Columns::host, process_.host);
}

Status Summaries::Write(std::optional<int64_t> number, const Step& step) {
  using S = StepsColumn;
  TableWriter& steps = files_->steps;
  steps.Set(S::process, process_.process);
  steps.Set(S::pid, process_.pid);
  SetRank<S>(&steps);
  if (number) steps.Set(S::step, *number);
  steps.Set(S::start, step.start);
  steps.Set(S::span, step.end - step.start);
  steps.Set(S::busy, step.busy);
  steps.Set(S::computing, step.computing);
  steps.Set(S::communicating, step.communicating);
  steps.Set(S::exposed, step.busy - step.computing);
  steps.Set(S::longest_gap, step.longest_gap);
  steps.Set(S::kernels, step.kernels);
  steps.Set(S::collectives, step.collectives);
  RTL_TRY(steps.EndRow());
  for (const auto& [name_id, name] : step.names) {
    using K = StepKernelsColumn;
    TableWriter& kernels = files_->kernels;
    SetRank<K>(&kernels);
    if (number) kernels.Set(K::step, *number);
    kernels.Set(K::name_id, name_id);
    kernels.SetText(K::kind, TextOf(name.kind));
    kernels.Set(K::kernels, name.kernels);
    kernels.Set(K::total, name.total);
    kernels.Set(K::shortest, name.shortest);
    kernels.Set(K::longest, name.longest);
    RTL_TRY(kernels.EndRow());
    using H = StepHistogramColumn;
    for (const auto& [low, count] : name.histogram) {
      SetRank<H>(&files_->histogram);
      if (number) files_->histogram.Set(H::step, *number);
      files_->histogram.Set(H::name_id, name_id);
      files_->histogram.Set(H::low, low);
      files_->histogram.Set(H::kernels, count);
      RTL_TRY(files_->histogram.EndRow());
    }
  }
  return Status::Ok();
}

}  // namespace rtl::dataset
