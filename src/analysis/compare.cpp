// SPDX-License-Identifier: MIT
#include "analysis/compare.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace rtl::analysis {
namespace {

constexpr double kUnknownNoise = std::numeric_limits<double>::infinity();
// Of a normal distribution: the two-sided quantile of 0.1 %; the standard error of a median, and
// the distance between the quartiles, both in standard deviations.
constexpr double kConfidence = 3.29;
constexpr double kErrorOfMedian = 1.2533;
constexpr double kQuartiles = 1.349;
// With fewer calls the quartiles say little about the spread.
constexpr uint64_t kFewestCalls = 8;

// Adds each row of the cursor for which `counts` is true to the timing of its name.
template <typename Cursor, typename Counts>
Status ReadSubject(query::TraceReader& trace, Subject subject, Cursor& cursor, const Counts& counts,
                   Timings* out) {
  std::unordered_map<int64_t, QuantileSketch> by_id;
  RTL_TRY(cursor.Each([&](const auto& row) {
    if (counts(row)) by_id[row.name].Add(row.end > row.start ? row.end - row.start : 0);
  }));
  for (const auto& [id, durations] : by_id) {
    std::string name;
    RTL_TRY(trace.Text(id, &name));
    (*out)[{subject, name}] = TimingOf(durations);
  }
  return Status::Ok();
}

// The two-sided 0.1 % quantile of Student's distribution, by degrees of freedom. Between two
// entries the one with fewer degrees is used, which gives the wider interval.
double Student(uint64_t degrees) {
  static constexpr std::pair<uint64_t, double> kTable[] = {
      {1, 636.62}, {2, 31.599}, {3, 12.924}, {4, 8.610},  {5, 6.869},  {6, 5.959},  {7, 5.408},
      {8, 5.041},  {9, 4.781},  {10, 4.587}, {12, 4.318}, {15, 4.073}, {20, 3.850}, {30, 3.646}};
  double value = kTable[0].second;
  for (const auto& [least, quantile] : kTable) {
    if (degrees >= least) value = quantile;
  }
  return value;
}

// The runs of one side; null: the run does not have this name.
using Runs = std::vector<const Timing*>;

SideTiming Average(const Runs& runs) {
  SideTiming side;
  for (const Timing* run : runs) {
    if (run == nullptr) continue;
    ++side.runs;
    side.calls += static_cast<double>(run->calls);
    side.total += static_cast<double>(run->total);
    side.median += static_cast<double>(run->median);
  }
  side.calls /= static_cast<double>(runs.size());
  side.total /= static_cast<double>(runs.size());
  if (side.runs > 0) side.median /= static_cast<double>(side.runs);
  return side;
}

double SquaresAround(double mean, const Runs& runs) {
  double sum = 0;
  for (const Timing* run : runs) {
    if (run != nullptr) sum += std::pow(static_cast<double>(run->median) - mean, 2);
  }
  return sum;
}

// The variance of one run's median, from the spread of its calls; negative: not known.
double VarianceWithin(const Runs& runs) {
  for (const Timing* run : runs) {
    if (run == nullptr) continue;
    if (run->calls < kFewestCalls) return -1;
    const double deviation = static_cast<double>(run->quartiles) / kQuartiles;
    return std::pow(kErrorOfMedian * deviation, 2) / static_cast<double>(run->calls);
  }
  return -1;
}

double Noise(const Runs& before, const SideTiming& a, const Runs& after, const SideTiming& b) {
  if (a.median <= 0) return kUnknownNoise;
  const uint64_t degrees = a.runs + b.runs - 2;
  if (degrees == 0) {
    const double one = VarianceWithin(before);
    const double other = VarianceWithin(after);
    if (one < 0 || other < 0) return kUnknownNoise;
    return std::max(kLeastNoise, kConfidence * std::sqrt(one + other) / a.median);
  }
  const double squares = SquaresAround(a.median, before) + SquaresAround(b.median, after);
  const double variance = squares / static_cast<double>(degrees);
  const double error =
      std::sqrt(variance * (1 / static_cast<double>(a.runs) + 1 / static_cast<double>(b.runs)));
  return std::max(kLeastNoise, Student(degrees) * error / a.median);
}

void Judge(const Runs& before, const Runs& after, Difference* difference) {
  difference->before = Average(before);
  difference->after = Average(after);
  const SideTiming& a = difference->before;
  const SideTiming& b = difference->after;
  if (a.runs == 0 || b.runs == 0) {
    difference->change = a.runs == 0 ? Change::kNew : Change::kGone;
    return;
  }
  if (a.median > 0) difference->ratio = b.median / a.median - 1;
  difference->noise = Noise(before, a, after, b);
  if (std::isinf(difference->noise)) {
    difference->change = a.median == b.median ? Change::kNone : Change::kUnknown;
  } else if (std::abs(difference->ratio) > difference->noise) {
    difference->change = difference->ratio > 0 ? Change::kSlower : Change::kFaster;
  }
}

Runs RunsOf(const Timings::key_type& key, const std::vector<Timings>& side) {
  Runs runs;
  for (const Timings& run : side) {
    const auto found = run.find(key);
    runs.push_back(found == run.end() ? nullptr : &found->second);
  }
  return runs;
}

}  // namespace

std::string_view SubjectWord(Subject subject) {
  static constexpr std::string_view kWords[] = {"kernel", "copy", "range", "call"};
  return kWords[static_cast<size_t>(subject)];
}

std::string_view ChangeWord(Change change) {
  static constexpr std::string_view kWords[] = {"same", "slower", "faster",
                                                "new",  "gone",   "unknown"};
  return kWords[static_cast<size_t>(change)];
}

Status ReadTimings(query::TraceReader& trace, Timings* out) {
  out->clear();
  const auto all = [](const auto&) { return true; };
  query::KernelSpanCursor kernels;
  RTL_TRY(trace.SpansByStart(&kernels));
  RTL_TRY(ReadSubject(trace, Subject::kKernel, kernels, all, out));
  query::CopyCursor copies;
  RTL_TRY(trace.CopiesByStart(&copies));
  RTL_TRY(ReadSubject(trace, Subject::kCopy, copies, all, out));
  query::MarkerCursor markers;
  RTL_TRY(trace.MarkersByStart(&markers));
  const auto closed = [](const query::MarkerRow& row) { return !row.is_mark && !row.is_unclosed; };
  RTL_TRY(ReadSubject(trace, Subject::kRange, markers, closed, out));
  query::CallSpanCursor calls;
  RTL_TRY(trace.CallSpans(&calls));
  return ReadSubject(trace, Subject::kCall, calls, all, out);
}

std::vector<Difference> Compare(const std::vector<Timings>& before,
                                const std::vector<Timings>& after) {
  std::map<Timings::key_type, Difference> by_key;
  for (const auto* side : {&before, &after}) {
    for (const Timings& run : *side) {
      for (const auto& [key, timing] : run) by_key[key];
    }
  }
  std::vector<Difference> differences;
  for (auto& [key, difference] : by_key) {
    difference.subject = key.first;
    difference.name = key.second;
    Judge(RunsOf(key, before), RunsOf(key, after), &difference);
    differences.push_back(std::move(difference));
  }
  std::stable_sort(differences.begin(), differences.end(),
                   [](const Difference& a, const Difference& b) {
                     return std::abs(a.total_change()) > std::abs(b.total_change());
                   });
  return differences;
}

}  // namespace rtl::analysis
