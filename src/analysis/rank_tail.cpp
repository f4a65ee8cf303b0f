// SPDX-License-Identifier: MIT
#include "analysis/rank_tail.h"

#include <algorithm>
#include <compare>
#include <map>
#include <unordered_map>
#include <utility>

namespace rtl::analysis {
namespace {

struct Took {
  uint64_t ns = 0;
  int32_t rank = 0;
  auto operator<=>(const Took&) const = default;
};

struct LateRank {
  uint64_t steps = 0;
  uint64_t cost = 0;
  uint64_t median = 0;
};

// The ranges of one name in one job.
struct Steps {
  uint64_t steps = 0;
  std::unordered_map<int64_t, uint64_t> begun;  // number of ranges that a process began
  std::map<uint64_t, std::vector<Took>> open;   // durations by rank so far, by number of the step
  std::map<int32_t, LateRank> late;
};

class Finder {
 public:
  explicit Finder(query::TraceReader& trace) : trace_(trace) {}

  Status Run(std::vector<RankTail>* out) {
    std::vector<query::Process> processes;
    RTL_TRY(trace_.tables().Processes(&processes));
    FindJobs(processes);
    if (ranks_.empty()) return Status::Ok();
    query::MarkerCursor cursor;
    RTL_TRY(trace_.MarkersByStart(&cursor));
    RTL_TRY(cursor.Each([this](const query::MarkerRow& row) { Add(row); }));
    for (const auto& [key, steps] : steps_) RTL_TRY(AddTail(key, steps, out));
    std::stable_sort(out->begin(), out->end(),
                     [](const RankTail& a, const RankTail& b) { return a.cost > b.cost; });
    return Status::Ok();
  }

 private:
  struct Rank {
    int32_t rank = 0;
    std::string job;
  };
  using Key = std::pair<std::string, int64_t>;  // job, name

  // Each rank is one process. If a rank began another program, its last process counts.
  void FindJobs(const std::vector<query::Process>& processes) {
    std::map<std::pair<std::string, int32_t>, int64_t> last;
    for (const query::Process& process : processes) {
      if (process.rank >= 0) last[{process.job, process.rank}] = process.id;
    }
    for (const auto& [key, process] : last) ++jobs_[key.first];
    for (const auto& [key, process] : last) {
      if (jobs_[key.first] > 1) ranks_[process] = {key.second, key.first};
    }
  }

  void Add(const query::MarkerRow& row) {
    if (row.is_mark || row.is_unclosed) return;
    const auto rank = ranks_.find(row.process);
    if (rank == ranks_.end()) return;
    Steps& steps = steps_[{rank->second.job, row.name}];
    const uint64_t number = steps.begun[row.process]++;
    std::vector<Took>& took = steps.open[number];
    if (took.empty() && ++open_steps_ > kMostOpenSteps) {
      steps.open.erase(number);
      --open_steps_;
      return;
    }
    took.push_back({row.end - std::min(row.start, row.end), rank->second.rank});
    if (took.size() < jobs_.at(rank->second.job)) return;
    Finish(took, &steps);
    steps.open.erase(number);
    --open_steps_;
  }

  static void Finish(std::vector<Took>& took, Steps* steps) {
    std::sort(took.begin(), took.end());
    const Took& slowest = took.back();
    const uint64_t median = took[(took.size() - 1) / 2].ns;
    LateRank& late = steps->late[slowest.rank];
    ++late.steps;
    late.cost += slowest.ns - median;
    late.median += median;
    ++steps->steps;
  }

  Status AddTail(const Key& key, const Steps& steps, std::vector<RankTail>* out) {
    const auto worst = std::max_element(
        steps.late.begin(), steps.late.end(),
        [](const auto& a, const auto& b) { return a.second.cost < b.second.cost; });
    if (worst == steps.late.end()) return Status::Ok();
    std::string name;
    RTL_TRY(trace_.Text(key.second, &name));
    out->push_back({.job = key.first,
                    .range = name,
                    .rank = worst->first,
                    .ranks = jobs_.at(key.first),
                    .steps = steps.steps,
                    .late_steps = worst->second.steps,
                    .cost = worst->second.cost,
                    .median = worst->second.median});
    return Status::Ok();
  }

  query::TraceReader& trace_;
  std::map<std::string, uint64_t> jobs_;     // number of ranks, by job
  std::unordered_map<int64_t, Rank> ranks_;  // by rtl_process.id
  std::map<Key, Steps> steps_;
  size_t open_steps_ = 0;
};

}  // namespace

Status FindRankTails(query::TraceReader& trace, std::vector<RankTail>* out) {
  out->clear();
  return Finder(trace).Run(out);
}

}  // namespace rtl::analysis
