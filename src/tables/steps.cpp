// SPDX-License-Identifier: MIT
#include "tables/steps.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <string>

namespace rtl::tables {
namespace {

constexpr std::string_view kWords[] = {"step", "iteration", "iter"};
constexpr std::string_view kBetween = " _#:=-/";  // the word and the number

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
  query::MarkerCursor cursor;
  RTL_TRY(trace.MarkersByStart(&cursor));
  for (;;) {
    query::MarkerRow row;
    bool has_row = false;
    RTL_TRY(cursor.Next(&row, &has_row));
    if (!has_row) return Status::Ok();
    if (row.is_mark) continue;
    std::string_view name;
    RTL_TRY(trace.Text(row.name, &name));
    const std::optional<int64_t> number = StepNumber(name);
    if (!number) continue;
    std::vector<Step>& steps = steps_[row.process];
    if (!steps.empty() && row.start < steps.back().end) continue;
    steps.push_back({row.start, row.end, *number});
  }
}

std::optional<int64_t> Steps::At(int64_t process, uint64_t time) const {
  if (process != last_process_) {
    const auto found = steps_.find(process);
    last_steps_ = found == steps_.end() ? nullptr : &found->second;
    last_process_ = process;
    last_ = {};
  }
  if (last_steps_ == nullptr) return std::nullopt;
  if (time - last_.start < last_.end - last_.start) return last_.number;
  const auto next =
      std::upper_bound(last_steps_->begin(), last_steps_->end(), time,
                       [](uint64_t moment, const Step& step) { return moment < step.start; });
  if (next == last_steps_->begin() || time >= std::prev(next)->end) return std::nullopt;
  last_ = *std::prev(next);
  return last_.number;
}

}  // namespace rtl::tables
