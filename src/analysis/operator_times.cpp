// SPDX-License-Identifier: MIT
#include "analysis/operator_times.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <unordered_map>

#include "analysis/summary.h"

namespace rtl::analysis {
namespace {

using Kind = query::HostWorkRow::Kind;

constexpr std::string_view kModule = "nn.Module: ";
constexpr char kOutside[] = "(outside of any)";

class Sweep {
 public:
  Sweep(query::TraceReader& trace, TimesBy by, OperatorTimes* out)
      : trace_(trace), by_(by), out_(*out) {}

  void Add(const query::HostWorkRow& row) {
    if (row.process != process_ || row.thread != thread_) {
      open_.clear();
      process_ = row.process;
      thread_ = row.thread;
    }
    while (!open_.empty() && open_.back().end <= row.start) open_.pop_back();
    if (row.kind == Kind::kKernel) return AddKernel(row);
    if (!Counts(row)) return;
    out_.has_spans = true;
    OperatorTime* const time = TimeOf(row.name);
    if (!trace_.has_selection()) ++time->calls;
    open_.push_back({time, row.start + row.duration, trace_.has_selection()});
  }

  Status Finish() {
    RTL_TRY(failure_);
    for (auto& [name, time] : times_) {
      if (trace_.has_selection() && time.kernels == 0) continue;
      out_.rows.push_back(std::move(time));
    }
    return Status::Ok();
  }

 private:
  struct Open {
    OperatorTime* time;
    uint64_t end;
    bool is_uncounted;  // not yet counted in OperatorTime::calls
  };

  const std::string& Text(int64_t id) {
    const auto [known, added] = texts_.try_emplace(id);
    if (added) {
      std::string_view text;
      const Status read = trace_.Text(id, &text);
      if (!read.ok() && failure_.ok()) failure_ = read;
      known->second = text;
    }
    return known->second;
  }

  bool Counts(const query::HostWorkRow& row) {
    const bool is_function = row.kind == Kind::kPythonFunction;
    switch (by_) {
      case TimesBy::kOperator:
        return !is_function;
      case TimesBy::kModule:
        return is_function && Text(row.name).starts_with(kModule);
      case TimesBy::kLine:
        return is_function && !Text(row.name).starts_with(kModule);
      case TimesBy::kCategory:
        break;
    }
    return false;
  }

  OperatorTime* TimeNamed(const std::string& name) {
    OperatorTime& time = times_[name];
    if (time.name.empty()) time.name = name;
    return &time;
  }
  OperatorTime* TimeOf(int64_t id) {
    const std::string& text = Text(id);
    return TimeNamed(by_ == TimesBy::kModule ? text.substr(kModule.size()) : text);
  }

  void AddKernel(const query::HostWorkRow& row) {
    ++out_.linked_kernels;
    if (open_.empty()) return AddTime(TimeNamed(kOutside), row.duration, row.duration);
    // An operator that is open several times, because it calls itself, counts the kernel once.
    std::vector<OperatorTime*> around;
    for (Open& open : open_) {
      open.time->calls += open.is_uncounted ? 1 : 0;
      open.is_uncounted = false;
      if (std::find(around.begin(), around.end(), open.time) != around.end()) continue;
      around.push_back(open.time);
      AddTime(open.time, row.duration, 0);
    }
    open_.back().time->own_ns += row.duration;
  }
  static void AddTime(OperatorTime* time, uint64_t total, uint64_t own) {
    ++time->kernels;
    time->total_ns += total;
    time->own_ns += own;
  }

  query::TraceReader& trace_;
  TimesBy by_;
  OperatorTimes& out_;
  Status failure_ = Status::Ok();
  int64_t process_ = 0;
  uint32_t thread_ = 0;
  std::vector<Open> open_;
  std::map<std::string, OperatorTime> times_;  // by name; a map keeps the addresses valid
  std::unordered_map<int64_t, std::string> texts_;
};

}  // namespace

Status TimeByOperator(query::TraceReader& trace, TimesBy by, const KernelCategories& categories,
                      OperatorTimes* out) {
  *out = {};
  Summary summary;
  RTL_TRY(Summarize(trace, &summary));
  std::map<std::string, OperatorTime> by_category;
  for (const KernelSummary& kernel : summary.kernels) {
    out->kernels += kernel.calls;
    out->kernel_ns += kernel.total;
    if (by != TimesBy::kCategory) continue;
    OperatorTime& time = by_category[categories.Name(kernel.name)];
    time.calls += kernel.calls;
    time.kernels += kernel.calls;
    time.own_ns += kernel.total;
    time.total_ns += kernel.total;
  }
  for (auto& [name, time] : by_category) {
    time.name = name;
    out->rows.push_back(std::move(time));
  }
  if (by != TimesBy::kCategory) {
    Sweep sweep(trace, by, out);
    RTL_TRY(trace.HostWork([&](const query::HostWorkRow& row) { sweep.Add(row); }));
    RTL_TRY(sweep.Finish());
  }
  std::sort(out->rows.begin(), out->rows.end(), [](const auto& a, const auto& b) {
    if (a.total_ns != b.total_ns) return a.total_ns > b.total_ns;
    return a.own_ns != b.own_ns ? a.own_ns > b.own_ns : a.name < b.name;
  });
  return Status::Ok();
}

}  // namespace rtl::analysis
