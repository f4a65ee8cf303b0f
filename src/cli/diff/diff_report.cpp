// SPDX-License-Identifier: MIT
#include "cli/diff/diff_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

#include "analysis/text.h"
#include "cli/base/report_json.h"
#include "cli/base/table.h"

namespace rtl::cli {
namespace {

using analysis::Change;
using analysis::Difference;
using analysis::Duration;
using analysis::Grouped;
using analysis::SideTiming;
using analysis::Subject;

std::string Nanoseconds(double value) {
  return Duration(static_cast<uint64_t>(std::llround(std::abs(value))));
}

std::string SignedTime(double value) {
  if (std::llround(value) == 0) return "0 ns";
  return (value < 0 ? "-" : "+") + Nanoseconds(value);
}

std::string SignedPercent(double ratio) { return fmt::format("{:+.1f} %", ratio * 100); }

std::string Calls(double calls) {
  const double whole = std::round(calls);
  return whole == calls ? Grouped(static_cast<uint64_t>(whole)) : fmt::format("{:.1f}", calls);
}

std::string Median(const SideTiming& side) {
  return side.runs == 0 ? "-" : Nanoseconds(side.median);
}

// "aten::mm: Cijk_… -> nvjet_…": the name, after the operators if the kernel was paired by place.
std::string NameOf(const Difference& row) {
  return row.operation.empty() ? row.name : row.operation + ": " + row.name;
}

bool HasBoth(const Difference& difference) {
  return difference.before.runs > 0 && difference.after.runs > 0;
}

std::string NoiseText(const Difference& difference) {
  if (!HasBoth(difference)) return "-";
  if (std::isinf(difference.noise)) return "?";
  return fmt::format("{:.1f} %", difference.noise * 100);
}

std::vector<const Difference*> OfSubject(const DiffReport& report, Subject subject) {
  std::vector<const Difference*> rows;
  for (const Difference& difference : report.differences) {
    if (difference.subject == subject) rows.push_back(&difference);
  }
  return rows;
}

// Makes "kernels: 30.02 ms to 31.00 ms in total (+3.3 %); 1 slower, 3 same".
std::string Heading(Subject subject, const std::vector<const Difference*>& rows) {
  static constexpr std::string_view kMany[] = {"kernels", "copies", "ranges", "calls"};
  static constexpr Change kOrder[] = {Change::kSlower, Change::kFaster,  Change::kNew,
                                      Change::kGone,   Change::kUnknown, Change::kNone};
  double before = 0;
  double after = 0;
  uint64_t counts[std::size(kOrder)] = {};
  for (const Difference* row : rows) {
    before += row->before.total;
    after += row->after.total;
    ++counts[static_cast<size_t>(row->change)];
  }
  std::string text = fmt::format("{}: {} to {} in total", kMany[static_cast<size_t>(subject)],
                                 Nanoseconds(before), Nanoseconds(after));
  if (before > 0) text += " (" + SignedPercent(after / before - 1) + ")";
  const auto matched = std::count_if(rows.begin(), rows.end(),
                                     [](const Difference* row) { return !row->operation.empty(); });
  const char* separator = "; ";
  for (const Change change : kOrder) {
    const uint64_t count = counts[static_cast<size_t>(change)];
    if (count == 0) continue;
    text += separator + Grouped(count) + " " + std::string(ChangeWord(change));
    separator = ", ";
  }
  if (matched != 0) {
    text += fmt::format("; {} with another name, matched by operator and position", matched);
  }
  return text + "\n";
}

std::string SubjectTable(Subject subject, const std::vector<const Difference*>& all, size_t rows,
                         size_t width) {
  std::vector<const Difference*> changed;
  std::copy_if(all.begin(), all.end(), std::back_inserter(changed),
               [](const Difference* row) { return row->change != Change::kNone; });
  if (changed.empty()) return "";
  Table table({{"", Align::kLeft},
               Right("median", 1),
               Right("noise", 5),
               Right("before", 3),
               Right("after", 2),
               Right("total", 4),
               Right("calls", 7),
               Right("now", 6),
               {std::string(SubjectWord(subject)), Align::kLeft,
                subject == Subject::kKernel ? Shorten::kFunction : Shorten::kMiddle}});
  for (const Difference* row : FirstRows(rows, changed)) {
    table.AddRow({std::string(ChangeWord(row->change)),
                  HasBoth(*row) ? SignedPercent(row->ratio) : "-", NoiseText(*row),
                  Median(row->before), Median(row->after), SignedTime(row->total_change()),
                  Calls(row->before.calls), Calls(row->after.calls), Printable(NameOf(*row))});
  }
  return table.Render(width) + MoreRows(rows, changed.size());
}

// The name of a side: "a.db", or "5 runs".
std::string SideName(const std::vector<std::string>& files) {
  return files.size() == 1 ? Printable(files.front()) : Grouped(files.size()) + " runs";
}

void JsonSide(JsonWriter* json, const char* key, const SideTiming& side) {
  JsonObject(json, key, [&] {
    JsonNumber(json, "runs", side.runs);
    JsonNumber(json, "calls", side.calls);
    JsonNumber(json, "total_ns", side.total);
    JsonNumber(json, "median_ns", side.median);
  });
}

bool ParseLimit(std::string_view text, DiffLimit* out) {
  const size_t greater = text.find('>');
  if (greater == std::string_view::npos || !text.ends_with('%')) return false;
  const auto subject =
      std::find_if(std::begin(analysis::kSubjects), std::end(analysis::kSubjects),
                   [&](Subject s) { return SubjectWord(s) == text.substr(0, greater); });
  if (subject == std::end(analysis::kSubjects)) return false;
  out->subject = *subject;
  const char* const end = text.data() + text.size() - 1;
  const auto [rest, error] = std::from_chars(text.data() + greater + 1, end, out->percent);
  return error == std::errc() && rest == end && out->percent >= 0 && out->percent < 1e6;
}

bool IsBeyond(const Difference& row, const DiffLimit& limit) {
  return row.subject == limit.subject && HasBoth(row) && row.ratio * 100 > limit.percent;
}

}  // namespace

bool ParseLimits(const std::string& text, std::vector<DiffLimit>* out) {
  for (size_t from = 0; from <= text.size();) {
    const size_t comma = std::min(text.find(',', from), text.size());
    DiffLimit limit;
    if (!ParseLimit(std::string_view(text).substr(from, comma - from), &limit)) return false;
    out->push_back(limit);
    from = comma + 1;
  }
  return true;
}

std::string BrokenLimits(const DiffReport& report, const std::vector<DiffLimit>& limits) {
  std::string text;
  for (const DiffLimit& limit : limits) {
    for (const Difference& row : report.differences) {
      if (!IsBeyond(row, limit) || row.change != Change::kSlower) continue;
      text += fmt::format("rtl: {}>{}%: {} is slower by {:.1f} % ({} to {})\n",
                          SubjectWord(limit.subject), limit.percent, Shown(row.name),
                          row.ratio * 100, Median(row.before), Median(row.after));
    }
  }
  return text;
}

std::string UnjudgedLimits(const DiffReport& report, const std::vector<DiffLimit>& limits) {
  std::string text;
  for (const DiffLimit& limit : limits) {
    const auto unjudged = std::count_if(
        report.differences.begin(), report.differences.end(), [&](const Difference& row) {
          return IsBeyond(row, limit) && row.change != Change::kSlower;
        });
    if (unjudged == 0) continue;
    text += fmt::format(
        "rtl: {}>{}% cannot judge {} {} within the noise; more runs on each side can\n",
        SubjectWord(limit.subject), limit.percent, unjudged, unjudged == 1 ? "name" : "names");
  }
  return text;
}

std::string DiffAsText(const DiffReport& report, size_t rows, size_t width) {
  std::string text = SideName(report.before) + " to " + SideName(report.after);
  const size_t runs = std::max(report.before.size(), report.after.size());
  text += runs > 1 ? ": times are averages of the runs\n"
                   : ": one run on each side; the spread of equal runs is not known\n";
  for (const Subject subject : analysis::kSubjects) {
    const auto all = OfSubject(report, subject);
    if (all.empty()) continue;
    text += "\n" + Heading(subject, all) + SubjectTable(subject, all, rows, width);
  }
  return text;
}

std::string DiffAsCsv(const DiffReport& report, size_t rows) {
  std::string text =
      "Kind,Name,Change,MedianChangePercent,NoisePercent,MedianBeforeNs,MedianAfterNs,"
      "TotalBeforeNs,TotalAfterNs,CallsBefore,CallsAfter,RunsBefore,RunsAfter\n";
  for (const Difference& row : FirstRows(rows, report.differences)) {
    // These cells are empty if the value is not known.
    const std::string ratio = HasBoth(row) ? fmt::format("{:.3f}", row.ratio * 100) : "";
    const std::string noise =
        HasBoth(row) && !std::isinf(row.noise) ? fmt::format("{:.3f}", row.noise * 100) : "";
    text +=
        fmt::format("{},{},{},{},{},{:.0f},{:.0f},{:.0f},{:.0f},{},{},{},{}\n",
                    SubjectWord(row.subject), CsvText(row.name), ChangeWord(row.change), ratio,
                    noise, row.before.median, row.after.median, row.before.total, row.after.total,
                    row.before.calls, row.after.calls, row.before.runs, row.after.runs);
  }
  return text;
}

std::string DiffAsJson(const DiffReport& report, size_t rows) {
  return JsonDocument([&](JsonWriter* json) {
    JsonTexts(json, "before", report.before);
    JsonTexts(json, "after", report.after);
    JsonRows(json, "differences", report.differences, rows, [&](const Difference& row) {
      JsonText(json, "kind", SubjectWord(row.subject));
      JsonText(json, "name", row.name);
      if (!row.operation.empty()) JsonText(json, "operator", row.operation);
      JsonText(json, "change", ChangeWord(row.change));
      if (HasBoth(row)) {
        JsonNumber(json, "median_change", row.ratio);
        if (!std::isinf(row.noise)) JsonNumber(json, "noise", row.noise);
      }
      JsonSide(json, "before", row.before);
      JsonSide(json, "after", row.after);
    });
  });
}

}  // namespace rtl::cli
