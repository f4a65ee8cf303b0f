// SPDX-License-Identifier: MIT
#include "analysis/repetition.h"

#include <algorithm>
#include <unordered_map>

namespace rtl::analysis {
namespace {

constexpr size_t kFewest = 3;                   // repetitions
constexpr double kLeastAlike = 0.75;            // of the pieces between two places
constexpr uint64_t kBase = 0x9e3779b97f4a7c15;  // odd

// Hashes of pieces of the sequence, each in constant time.
class HashedSequence {
 public:
  explicit HashedSequence(const std::vector<int64_t>& sequence)
      : sums_(sequence.size() + 1), powers_(sequence.size() + 1, 1) {
    for (size_t i = 0; i < sequence.size(); ++i) {
      const uint64_t mixed = (static_cast<uint64_t>(sequence[i]) + 1) * kBase;
      sums_[i + 1] = sums_[i] * kBase + (mixed ^ mixed >> 29);
      powers_[i + 1] = powers_[i] * kBase;
    }
  }
  uint64_t Hash(size_t begin, size_t end) const {
    return sums_[end] - sums_[begin] * powers_[end - begin];
  }

 private:
  std::vector<uint64_t> sums_, powers_;
};

struct Candidate {
  double alike = 0;  // the share of its pieces that are the same
  size_t places = 0;
  size_t first = 0;
  int64_t element = 0;
};

bool IsBetter(const Candidate& a, const Candidate& b) {
  if (a.alike != b.alike) return a.alike > b.alike;
  // Fewer places: a step, not a layer of it.
  return a.places != b.places ? a.places < b.places : a.first < b.first;
}

}  // namespace

std::vector<size_t> FindRepetition(const std::vector<int64_t>& sequence) {
  std::unordered_map<int64_t, std::vector<size_t>> places;
  for (size_t i = 0; i < sequence.size(); ++i) places[sequence[i]].push_back(i);
  const HashedSequence pieces(sequence);
  Candidate best;
  for (const auto& [element, at] : places) {
    if (at.size() <= kFewest) continue;
    std::unordered_map<uint64_t, size_t> counts;
    size_t most = 0, covered = 0;
    for (size_t i = 0; i + 1 < at.size(); ++i) {
      const size_t count = ++counts[pieces.Hash(at[i], at[i + 1])];
      if (count <= most) continue;
      most = count;
      covered = at[i + 1] - at[i];
    }
    const Candidate found = {static_cast<double>(most) / static_cast<double>(at.size() - 1),
                             at.size(), at.front(), element};
    const bool repeats = most >= kFewest && covered >= 2 && found.alike >= kLeastAlike;
    // It has most of the sequence: not a loop in one corner of it.
    const bool is_all = (at.back() - at.front()) * 2 >= sequence.size();
    if (repeats && is_all && (best.places == 0 || IsBetter(found, best))) best = found;
  }
  return best.places == 0 ? std::vector<size_t>() : places[best.element];
}

}  // namespace rtl::analysis
