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
  const auto found = steps_.find(process);
  if (found == steps_.end()) return std::nullopt;
  const std::vector<Step>& steps = found->second;
  const auto next =
      std::upper_bound(steps.begin(), steps.end(), time,
                       [](uint64_t moment, const Step& step) { return moment < step.start; });
  if (next == steps.begin() || time >= std::prev(next)->end) return std::nullopt;
  return std::prev(next)->number;
}

}  // namespace rtl::tables
