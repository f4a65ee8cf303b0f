// SPDX-License-Identifier: MIT
#include "tables/steps.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <string>

namespace rtl::tables {
namespace {

constexpr std::string_view kWords[] = {"step", "iteration", "iter"};
constexpr std::string_view kBetween = " _#:=-/";  // characters between the word and the number

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

std::optional<int64_t> StepNumber(std::string_view name) {
  std::string lower(name);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  for (const std::string_view word : kWords) {
    for (size_t at = lower.find(word); at != std::string::npos; at = lower.find(word, at + 1)) {
      size_t begin = at + word.size();
      while (begin < lower.size() && kBetween.find(lower[begin]) != std::string_view::npos) ++begin;
      if (begin == lower.size() || !IsDigit(lower[begin])) continue;
      int64_t number = 0;
      const auto parsed =
          std::from_chars(lower.data() + begin, lower.data() + lower.size(), number);
      if (parsed.ec == std::errc()) return number;
    }
  }
  return std::nullopt;
}

Status Steps::Load(query::TraceReader& trace) {
  last_process_ = -1;
  query::MarkerCursor cursor;
  RTL_TRY(trace.MarkersByStart(&cursor));
  return cursor.Each([&](const query::MarkerRow& row) {
    if (row.is_mark) return Status::Ok();
    std::string_view name;
    RTL_TRY(trace.Text(row.name, &name));
    const std::optional<int64_t> number = StepNumber(name);
    if (!number) return Status::Ok();
    std::vector<Step>& steps = steps_[row.process];
    // A step that was open at the end of the last part comes again in this one.
    if (!steps.empty() && steps.back().is_open && row.start == steps.back().start &&
        *number == steps.back().number) {
      steps.pop_back();
    }
    if (!steps.empty() && row.start < steps.back().end) return Status::Ok();
    // An open step has no end yet: there may be kernels that were submitted after the last event of
    // its thread.
    const uint64_t end = row.is_unclosed ? UINT64_MAX : row.end;
    steps.push_back({row.start, end, *number, row.is_unclosed});
    return Status::Ok();
  });
}

void Steps::Add(int64_t process, const std::vector<RepeatedSteps::Begin>& begins) {
  last_process_ = -1;
  for (const RepeatedSteps::Begin& begin : begins) {
    std::vector<Step>& steps = steps_[process];
    if (!steps.empty()) {
      steps.back().end = std::min(steps.back().end, begin.time);
      steps.back().is_open = false;
    }
    if (begin.number) steps.push_back({begin.time, UINT64_MAX, *begin.number, true});
  }
}

Status Steps::LoadRepeated(query::TraceReader& trace) {
  std::vector<query::Process> processes;
  RTL_TRY(trace.tables().Processes(&processes));
  std::unordered_map<int64_t, RepeatedSteps> repeated;
  for (const query::Process& process : processes) {
    if (!HasAny(process.id)) repeated.try_emplace(process.id);
  }
  if (repeated.empty()) return Status::Ok();
  query::KernelCursor cursor;
  RTL_TRY(trace.KernelsBySubmit(&cursor));
  RTL_TRY(cursor.Each([&](const query::KernelRow& kernel) {
    const auto found = repeated.find(kernel.process);
    if (found == repeated.end()) return;
    found->second.Add(kernel.submit != 0 ? kernel.submit : kernel.start, kernel.name);
  }));
  for (auto& [process, steps] : repeated) {
    steps.Decide();
    Add(process, steps.TakeBegins());
  }
  return Status::Ok();
}

void Steps::ForgetBefore(uint64_t time) {
  last_process_ = -1;
  for (auto& [process, steps] : steps_) {
    if (steps.size() <= kKept) continue;
    const auto last = steps.end() - static_cast<ptrdiff_t>(kKept);
    const auto old =
        std::find_if(steps.begin(), last, [&](const Step& step) { return step.end >= time; });
    steps.erase(steps.begin(), old);
  }
}

Steps::Interval Steps::Find(int64_t process, uint64_t time) const {
  if (process != last_process_) {
    const auto found = steps_.find(process);
    last_steps_ = found == steps_.end() ? nullptr : &found->second;
    last_process_ = process;
    last_ = {};
  }
  if (last_steps_ == nullptr) return {};
  if (time - last_.start < last_.end - last_.start) {
    return {.number = last_.number, .start = last_.start};
  }
  const auto next =
      std::upper_bound(last_steps_->begin(), last_steps_->end(), time,
                       [](uint64_t moment, const Step& step) { return moment < step.start; });
  if (next == last_steps_->begin()) return {};
  const Step& step = *std::prev(next);
  if (time >= step.end) return {.number = std::nullopt, .start = step.end};
  last_ = step;
  return {.number = step.number, .start = step.start};
}

void Collectives::Sort() {
  if (added_.empty()) return;
  std::ranges::sort(added_);
  const auto middle = static_cast<ptrdiff_t>(submits_.size());
  submits_.insert(submits_.end(), added_.begin(), added_.end());
  added_.clear();
  std::inplace_merge(submits_.begin(), submits_.begin() + middle, submits_.end());
  if (submits_.size() <= 2 * kMost) return;
  const auto old = static_cast<ptrdiff_t>(submits_.size() - kMost);
  submits_.erase(submits_.begin(), submits_.begin() + old);
  dropped_ += old;
}

int64_t Collectives::Ordinal(uint64_t start, uint64_t submit) {
  Sort();
  const auto before = [&](uint64_t time) {
    const auto place = std::ranges::lower_bound(submits_, time);
    return dropped_ + (place - submits_.begin());
  };
  // The count before `start` is kept: the submissions that it counts may be dropped before the next
  // call.
  if (start != start_ || before_ == 0) {
    start_ = start;
    before_ = before(start);
  }
  return before(submit) - before_;
}

}  // namespace rtl::tables
