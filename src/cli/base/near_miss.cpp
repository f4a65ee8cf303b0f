// SPDX-License-Identifier: MIT
#include "cli/base/near_miss.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace rtl::cli {
namespace {

// Names that other tools use for verbs like ours.
constexpr const char* kElsewhere[][2] = {
    {"stats", "summary"}, {"stat", "summary"},   {"profile", "trace"},      {"record", "trace"},
    {"run", "trace"},     {"start", "trace"},    {"launch", "trace"},       {"export", "convert"},
    {"check", "doctor"},  {"status", "info"},    {"describe", "info"},      {"avail", "counters"},
    {"compare", "diff"},  {"recipe", "analyze"}, {"attach", "trace --pid"}, {"cancel", "dump"},
    {"sessions", "info"},
};

// Reports of nsys's `stats --report`, by the end of their names: cuda_gpu_kern_sum, nvtx_sum, …
constexpr const char* kReports[][2] = {
    {"kern_exec_sum", "summary --launch"},
    {"nvtx_kern_sum", "summary --range NAME"},
    {"nvtx_gpu_proj_sum", "summary --range NAME"},
    {"gpu_kern_sum", "summary"},
    {"gpu_kern_gb_sum", "summary"},
    {"gpu_mem_time_sum", "summary"},
    {"gpu_mem_size_sum", "summary"},
    {"gpu_sum", "summary"},
    {"api_sum", "summary"},
    {"nvtx_sum", "summary"},
    {"nvtx_pushpop_sum", "summary"},
    {"nvtx_startend_sum", "summary"},
    {"gpu_trace", "convert --to csv"},
    {"api_trace", "convert --to csv"},
    {"kern_exec_trace", "convert --to csv"},
    {"nvtx_pushpop_trace", "convert --to csv"},
    {"nvtx_gpu_proj_trace", "convert --to csv"},
    {"gpu_gaps", "analyze"},
    {"gpu_time_util", "analyze"},
    {"memcpy_sync", "analyze"},
    {"memcpy_async", "analyze"},
    {"memset_sync", "analyze"},
    {"api_sync", "analyze"},
};

// The number of edits that turn `a` into `b`: change, add or remove a character, or swap two
// neighbours.
size_t Distance(const std::string& a, const std::string& b) {
  std::vector<std::vector<size_t>> rows(a.size() + 1, std::vector<size_t>(b.size() + 1));
  std::iota(rows[0].begin(), rows[0].end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    rows[i][0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
      rows[i][j] = std::min({rows[i - 1][j] + 1, rows[i][j - 1] + 1, rows[i - 1][j - 1] + change});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) rows[i][j] = std::min(rows[i][j], rows[i - 2][j - 2] + 1);
    }
  }
  return rows[a.size()][b.size()];
}

std::string Question(const std::string& meant) { return " (did you mean " + meant + "?)"; }

}  // namespace

std::string DidYouMeanReport(const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    for (const auto& [report, ours] : kReports) {
      if (word.ends_with(report)) return Question(ours);
    }
  }
  return "";
}

std::string DidYouMean(const std::string& word, const std::vector<std::string>& words) {
  constexpr size_t kLongest = 20;  // longer words are no typing errors
  if (word.size() > kLongest) return "";
  std::string meant;
  size_t nearest = 3;  // at most two typing errors are accepted
  for (const std::string& candidate : words) {
    const size_t distance = Distance(word, candidate);
    if (distance >= nearest || distance >= candidate.size() / 2 + 1) continue;
    nearest = distance;
    meant = candidate;
  }
  for (const auto& [elsewhere, ours] : kElsewhere) {
    if (meant.empty() && word == elsewhere) meant = ours;
  }
  return meant.empty() ? "" : Question(meant);
}

}  // namespace rtl::cli
