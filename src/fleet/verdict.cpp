// SPDX-License-Identifier: MIT
#include "fleet/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analysis/text.h"
#include "fleet/ask.h"
#include "fleet/quoted.h"

namespace rtl::fleet {
namespace {

constexpr double kLongStep = 1.2;    // times the median step
constexpr double kMuchWaiting = 5;   // times the median waiting of a step
constexpr double kMostSteps = 0.5;   // share of steps held up by one rank
constexpr size_t kFewestSteps = 5;   // with fewer steps, a comparison means little
constexpr size_t kMostOutliers = 3;  // lines in the verdict

std::string Time(double ns) { return analysis::Duration(static_cast<uint64_t>(std::max(ns, 0.0))); }

// Accesses a result by the names of its columns.
class Rows {
 public:
  Status Ask(const Fleet& fleet, const Engine& engine, const Request& request) {
    RTL_TRY(Asker({&fleet}).Ask(engine, request, &result_));
    for (size_t i = 0; i < result_.columns.size(); ++i) places_[result_.columns[i]] = i;
    return Status::Ok();
  }
  size_t size() const { return result_.rows.size(); }
  const std::string& Text(size_t row, const std::string& column) const {
    return result_.rows[row][places_.at(column)];
  }
  double Value(size_t row, const std::string& column) const {
    return NumberIn<double>(Text(row, column));
  }
  double Sum(const std::string& column) const {
    double sum = 0;
    for (size_t row = 0; row < size(); ++row) sum += Value(row, column);
    return sum;
  }
  double Median(const std::string& column) const {
    std::vector<double> values;
    for (size_t row = 0; row < size(); ++row) values.push_back(Value(row, column));
    if (values.empty()) return 0;
    std::ranges::sort(values);
    return values[values.size() / 2];
  }

 private:
  Result result_;
  std::map<std::string, size_t> places_;
};

std::string RankName(const Rows& rows, size_t row) {
  const std::string& host = rows.Text(row, "host");
  const std::string name = "rank " + rows.Text(row, "rank");
  return host.empty() ? name : name + " (" + host + ")";
}

void AddSteps(const Rows& steps, std::string* out) {
  if (steps.size() == 0) {
    *out +=
        "steps     none: no range such as `step 7` is open when kernels are submitted, and nothing "
        "repeats\n";
    return;
  }
  size_t longest = 0;
  for (size_t row = 0; row < steps.size(); ++row) {
    if (steps.Value(row, "longest") > steps.Value(longest, "longest")) longest = row;
  }
  const double median = steps.Median("median");
  *out += fmt::format("steps     {}, median {}", steps.size(), Time(median));
  if (steps.Value(longest, "longest") > kLongStep * median) {
    *out += fmt::format("; longest: step {}, {}", steps.Text(longest, "step"),
                        Time(steps.Value(longest, "longest")));
  }
  *out += "\n";
}

// Why a rank came late: a kernel took longer, or no kernel ran for some time.
std::string Because(double excess, const std::string& kernel, double idle) {
  if (idle > excess) return fmt::format("; it ran no kernel for {} longer than others", Time(idle));
  if (excess <= 0 || kernel.empty()) return "";
  return fmt::format("; its {} took {} longer than on others", kernel, Time(excess));
}

void AddWaits(const Rows& waits, std::string* out) {
  if (waits.size() == 0) {
    *out += "waiting   no collective has more than one rank\n";
    return;
  }
  struct Held {
    size_t steps = 0;
    double waited = 0, idle = 0;
    std::map<std::string, double> kernels;  // by kernel: the time that it took longer
    std::string name;
  };
  std::map<std::string, Held> held;  // by rank
  for (size_t row = 0; row < waits.size(); ++row) {
    Held& rank = held[waits.Text(row, "rank")];
    ++rank.steps;
    rank.waited += waits.Value(row, "waited");
    rank.idle += waits.Value(row, "idle");
    rank.kernels[waits.Text(row, "kernel")] += std::max(waits.Value(row, "excess"), 0.0);
    rank.name = RankName(waits, row);
  }
  const auto most = std::ranges::max_element(
      held, {}, [](const auto& rank) { return std::pair(rank.second.steps, rank.second.waited); });
  const double usual = waits.Median("waited");
  bool has_any = false;
  if (waits.size() >= kFewestSteps &&
      static_cast<double>(most->second.steps) >= kMostSteps * static_cast<double>(waits.size())) {
    has_any = true;
    const Held& rank = most->second;
    const auto kernel =
        std::ranges::max_element(rank.kernels, {}, [](const auto& each) { return each.second; });
    *out +=
        fmt::format("waiting   {} held up the others in {} of {} steps: they waited {} in all{}\n",
                    rank.name, rank.steps, waits.size(), Time(rank.waited),
                    Because(kernel->second, kernel->first, rank.idle));
  }
  if (waits.size() >= kFewestSteps && waits.Value(0, "waited") > kMuchWaiting * usual) {
    has_any = true;
    *out += fmt::format(
        "waiting   step {}: {} held up the others, which waited {} in all{}\n",
        waits.Text(0, "step"), RankName(waits, 0), Time(waits.Value(0, "waited")),
        Because(waits.Value(0, "excess"), waits.Text(0, "kernel"), waits.Value(0, "idle")));
  }
  if (!has_any) *out += "waiting   no rank and no step stands out\n";
}

void AddOutliers(const Rows& outliers, std::string* out) {
  if (outliers.size() == 0) *out += "slow      no rank and no host stands out\n";
  for (size_t row = 0; row < std::min(outliers.size(), kMostOutliers); ++row) {
    const bool is_host = outliers.Text(row, "what") == "host";
    *out += fmt::format(
        "slow      {}: {} of its {} computing kernels take {} % longer than on other "
        "ranks, most of all {}\n",
        is_host ? "host " + outliers.Text(row, "host") : RankName(outliers, row),
        outliers.Text(row, "slow_names"), outliers.Text(row, "names"),
        outliers.Text(row, "slower_percent"), outliers.Text(row, "kernel"));
  }
  if (outliers.size() > kMostOutliers) {
    *out +=
        fmt::format("slow      and {} more: rtl fleet outliers\n", outliers.size() - kMostOutliers);
  }
}

void AddOverlap(const Rows& overlap, std::string* out) {
  const double span = std::max(overlap.Sum("span"), 1.0);
  const auto percent = [&](const char* column) { return 100 * overlap.Sum(column) / span; };
  *out += fmt::format(
      "time      computing {:.1f} %, communicating beside no computation {:.1f} %, "
      "idle {:.1f} %\n",
      percent("computing"), percent("exposed"), percent("idle"));
}

Status AddKernels(const Fleet& fleet, const Engine& engine, std::string* out) {
  if (!fleet.HasEvents() && !fleet.HasSummaries()) {
    *out += "kernels   none\n";
    return Status::Ok();
  }
  Rows steps, waits, outliers, overlap;
  if (fleet.HasSummaries()) {
    RTL_TRY(steps.Ask(fleet, engine,
                      {.question = "steps", .sql = {}, .values = {{"limit", "100000"}}}));
    AddSteps(steps, out);
  } else {
    *out += "steps     files of the sums of each step are missing\n";
  }
  RTL_TRY(overlap.Ask(fleet, engine, {.question = "overlap", .sql = {}, .values = {}}));
  AddOverlap(overlap, out);
  if (!fleet.HasSummaries()) return Status::Ok();
  RTL_TRY(waits.Ask(fleet, engine,
                    {.question = "slowest", .sql = {}, .values = {{"limit", "100000"}}}));
  AddWaits(waits, out);
  RTL_TRY(outliers.Ask(fleet, engine, {.question = "outliers", .sql = {}, .values = {}}));
  AddOutliers(outliers, out);
  return Status::Ok();
}

}  // namespace

Status Verdict(const Fleet& fleet, const Engine& engine, std::string* out) {
  const auto complete = std::ranges::count_if(fleet.ranks, &RankState::is_complete);
  *out = fmt::format("ranks     {}, {} of them complete\n", fleet.ranks.size(), complete);
  for (const std::string& line : Describe(fleet, kMostOutliers)) {
    if (!line.ends_with(" complete")) *out += "          " + line + "\n";
  }
  RTL_TRY(AddKernels(fleet, engine, out));
  Rows losses;
  RTL_TRY(losses.Ask(fleet, engine, {.question = "losses", .sql = {}, .values = {}}));
  if (losses.Sum("lost") > 0) {
    *out += fmt::format("losses    {:.0f} of {:.0f} events, on ranks:", losses.Sum("lost"),
                        losses.Sum("submitted"));
    size_t named = 0;
    for (size_t row = 0; row < losses.size(); ++row) {
      if (losses.Value(row, "lost") <= 0 || ++named > 8) continue;
      *out += fmt::format(" {} ({})", losses.Text(row, "rank"), losses.Text(row, "most_by"));
    }
    *out += named > 8 ? fmt::format(" and {} more\n", named - 8) : "\n";
  } else {
    *out += "losses    none is known\n";
  }
  return Status::Ok();
}

}  // namespace rtl::fleet
