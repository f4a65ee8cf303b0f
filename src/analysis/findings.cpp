// SPDX-License-Identifier: MIT
#include "analysis/findings.h"

#include <fmt/format.h>

#include <cmath>

#include "analysis/text.h"

namespace rtl::analysis {
namespace {

// Fewer gaps could be the beginning or the end of a program.
constexpr uint64_t kLeastGaps = 10;
constexpr uint64_t kLeastCopies = 3;
// The accepted chance of a false finding: in one of a hundred ranges a rank seems slow although all
// ranks are alike.
constexpr double kLeastChance = 0.01;

// By FindingKind.
constexpr struct {
  const char* name;
  const char* advice;
} kTexts[] = {
    {"launch-bound kernel",
     "The GPU waited while it was being launched: merge kernels, give each more work, or use a "
     "graph."},
    {"serial copies",
     "No kernel ran beside them: copy on another stream, a step ahead of the kernels."},
    {"rank tail",
     "The other ranks wait for it: compare its kernels and its host with theirs (--rank)."},
};

bool IsCostly(uint64_t cost, uint64_t during) {
  return static_cast<double>(cost) >= kLeastCost * static_cast<double>(during);
}

void AddOfGpu(const GpuTime& gpu, std::vector<Finding>* out) {
  for (const LaunchBound& bound : gpu.launch_bound) {
    if (bound.gaps < kLeastGaps || !IsCostly(bound.idle, gpu.elapsed())) continue;
    out->push_back({.kind = FindingKind::kLaunchBound,
                    .gpu = gpu.gpu,
                    .where = bound.kernel,
                    .count = bound.gaps,
                    .all = bound.kernels,
                    .cost = bound.idle,
                    .during = gpu.elapsed()});
  }
  const SerialCopies& serial = gpu.serial;
  if (serial.copies < kLeastCopies || !IsCostly(serial.total, gpu.elapsed())) return;
  out->push_back({.kind = FindingKind::kSerialCopies,
                  .gpu = gpu.gpu,
                  .count = serial.copies,
                  .all = serial.copies,
                  .cost = serial.total,
                  .during = gpu.elapsed()});
}

// If all ranks are alike, each is equally likely to be the slowest of a step. Returns the chance
// that any of them is the slowest in as many steps as this one: the upper tail of a binomial
// distribution, times the number of ranks.
double ChanceOfLateRank(const RankTail& tail) {
  const auto steps = static_cast<double>(tail.steps), ranks = static_cast<double>(tail.ranks);
  double chance = 0;
  for (uint64_t late = tail.late_steps; late <= tail.steps; ++late) {
    const auto times = static_cast<double>(late);
    const double ways =
        std::lgamma(steps + 1) - std::lgamma(times + 1) - std::lgamma(steps - times + 1);
    const double term =
        std::exp(ways - times * std::log(ranks) + (steps - times) * std::log1p(-1 / ranks));
    chance += term;
    if (term < chance * 1e-9) break;  // beyond the mean each term is smaller than the one before
  }
  return ranks * chance;
}

void AddOfRank(const RankTail& tail, std::vector<Finding>* out) {
  const uint64_t during = tail.cost + tail.median;
  const bool is_habit = tail.ranks > 1 && 2 * tail.late_steps > tail.steps;
  if (!is_habit || !IsCostly(tail.cost, during) || ChanceOfLateRank(tail) > kLeastChance) return;
  out->push_back({.kind = FindingKind::kRankTail,
                  .rank = tail.rank,
                  .where = tail.range,
                  .job = tail.job,
                  .ranks = tail.ranks,
                  .count = tail.late_steps,
                  .all = tail.steps,
                  .cost = tail.cost,
                  .during = during});
}

}  // namespace

const char* FindingName(FindingKind kind) { return kTexts[static_cast<size_t>(kind)].name; }

std::string FindingText(const Finding& finding, const std::string& where) {
  const std::string name = FindingName(finding.kind);
  switch (finding.kind) {
    case FindingKind::kLaunchBound:
      return fmt::format("{} {}, {} of {} launches", name, where, Grouped(finding.count),
                         Grouped(finding.all));
    case FindingKind::kSerialCopies:
      return fmt::format("{}, {} copies", name, Grouped(finding.count));
    case FindingKind::kRankTail:
      return fmt::format("{}: rank {} of {} is the slowest in {} of {} ranges \"{}\"", name,
                         finding.rank, finding.ranks, Grouped(finding.count), Grouped(finding.all),
                         where);
  }
  return name;
}

const char* FindingAdvice(FindingKind kind) { return kTexts[static_cast<size_t>(kind)].advice; }

std::vector<Finding> Findings(const std::vector<GpuTime>& gpus,
                              const std::vector<RankTail>& tails) {
  std::vector<Finding> findings;
  for (const GpuTime& gpu : gpus) AddOfGpu(gpu, &findings);
  for (const RankTail& tail : tails) AddOfRank(tail, &findings);
  return findings;
}

}  // namespace rtl::analysis
