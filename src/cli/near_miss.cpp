// SPDX-License-Identifier: MIT
#include "cli/near_miss.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace rtl::cli {
namespace {

// What other tools call what ours does.
constexpr const char* kElsewhere[][2] = {
    {"stats", "summary"}, {"stat", "summary"},  {"report", "summary"}, {"profile", "trace"},
    {"record", "trace"},  {"run", "trace"},     {"export", "convert"}, {"check", "doctor"},
    {"status", "info"},   {"describe", "info"}, {"avail", "doctor"},
};

// How many characters have to be changed, added, left out or swapped with the next.
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

}  // namespace

std::string DidYouMean(const std::string& word, const std::vector<std::string>& words) {
  constexpr size_t kLongest = 20;  // words of this length are no slips of anybody's
  if (word.size() > kLongest) return "";
  std::string meant;
  size_t nearest = 3;  // two slips are the most
  for (const std::string& candidate : words) {
    const size_t distance = Distance(word, candidate);
    if (distance >= nearest || distance >= candidate.size() / 2 + 1) continue;
    nearest = distance;
    meant = candidate;
  }
  for (const auto& [elsewhere, ours] : kElsewhere) {
    if (meant.empty() && word == elsewhere) meant = ours;
  }
  return meant.empty() ? "" : " (did you mean " + meant + "?)";
}

}  // namespace rtl::cli
