// SPDX-License-Identifier: MIT
// Jobs whose clocks are simulated, so that the true offsets are known.
#include "analysis/clock_alignment.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>

namespace rtl::analysis {
namespace {

struct JobOfClocks {
  uint32_t hosts = 8, ranks = 8;  // of a host
  double seconds = 10, period = 4.3e6;
  double drift = 5e-6, wander = 2e-7;
  double skew = 2500;     // of ends along the ring, by rank
  double exits = 400;     // mean delay of an end
  double host_lag = 0;    // of the last host's ends
  double set_clocks = 0;  // some clocks run so much faster for 10 s
  double lost = 0;        // share of ranks' records
  bool leads = false;     // one rank of a host in each meeting
  uint64_t seed = 1;
};

// Meetings, and the truth: how far a clock was ahead at a true time.
class Simulation {
 public:
  explicit Simulation(const JobOfClocks& job) : job_(job), random_(job.seed) {
    for (uint32_t host = 0; host < job.hosts; ++host) {
      offsets_.push_back(static_cast<int64_t>(Even(1e14, 9e15)));
      drifts_.push_back(Even(-job.drift, job.drift));
      periods_.push_back(Even(300e9, 900e9));
      phases_.push_back(Even(0, 6.28));
    }
    for (uint32_t rank = 0; rank < job.hosts * job.ranks; ++rank) {
      clock_errors_.push_back(150 * Normal());
      const bool is_late = rank / job.ranks + 1 == job.hosts;
      delays_.push_back(Even(0, job.skew) + (is_late ? job.host_lag : 0));
    }
    double time = 0;
    for (int64_t i = 0; time < job.seconds * 1e9; ++i) time = Meet(i, time);
  }

  const std::vector<Meeting>& meetings() const { return meetings_; }
  const std::vector<double>& times() const { return times_; }
  // The clock's own time, and how far it is ahead of another's.
  int64_t Own(uint32_t host, double time) const {
    return offsets_[host] + std::llround(time + Error(host, time));
  }
  int64_t Offset(uint32_t host, uint32_t other, double time) const {
    return offsets_[host] - offsets_[other] + std::llround(Error(host, time) - Error(other, time));
  }

 private:
  double Even(double a, double b) { return std::uniform_real_distribution(a, b)(random_); }
  double Normal() { return std::normal_distribution()(random_); }
  double Exponential(double mean) { return mean * std::exponential_distribution()(random_); }

  double Error(uint32_t host, double time) const {
    double error =
        time * drifts_[host] + job_.wander * periods_[host] / 6.283 *
                                   std::sin(6.283 * time / periods_[host] + phases_[host]);
    if (host % 3 == 1) {
      error += job_.set_clocks * std::clamp(time - job_.seconds * 0.4e9, 0.0, 10e9);
    }
    return error;
  }

  // One collective that begins at about `time`. Returns when the next one does.
  double Meet(int64_t number, double time) {
    const size_t ranks = clock_errors_.size();
    const double length = number % 50 >= 48 ? 14e3 : 900e3;
    std::vector<double> starts(ranks);
    for (double& start : starts) start = time + Exponential(30e3);
    const double end = *std::ranges::max_element(starts) + length * (1 + std::abs(0.03 * Normal()));
    Meeting meeting;
    for (uint32_t host = 0; host < job_.hosts; ++host) {
      Attendance part{.clock = host};
      std::vector<int64_t> ends;
      for (uint32_t r = 0; r < job_.ranks; ++r) {
        const size_t rank = host * job_.ranks + r;
        double left = end + delays_[rank] + Exponential(job_.exits);
        if (Even(0, 1) < 0.0005) left += Exponential(30e3);
        if (job_.lost > 0 && Even(0, 1) < job_.lost) continue;
        if (job_.leads && r != 0) continue;
        const int64_t came = Own(host, starts[rank] + clock_errors_[rank]);
        ends.push_back(Own(host, left + clock_errors_[rank]));
        part.last_start = ends.size() == 1 ? came : std::max(part.last_start, came);
      }
      if (ends.empty()) continue;
      std::ranges::sort(ends);
      part.ranks = static_cast<uint32_t>(ends.size());
      part.first_end = ends.front();
      part.end = ends[(ends.size() - 1) / 2];
      part.spread = ends.back() - ends.front();
      meeting.push_back(part);
    }
    meetings_.push_back(meeting);
    times_.push_back(end);
    return end + job_.period - length;
  }

  JobOfClocks job_;
  std::mt19937_64 random_;
  std::vector<int64_t> offsets_;
  std::vector<double> drifts_, periods_, phases_, clock_errors_, delays_;
  std::vector<Meeting> meetings_;
  std::vector<double> times_;
};

struct Judged {
  double p99 = 0;
  double in_bar = 0, in_bounds = 0;  // shares
};

std::vector<AlignedClock> AlignJob(const Simulation& job, uint32_t hosts) {
  const std::vector<std::vector<WallReading>> none(hosts);
  return AlignClocks(none, job.meetings());
}

uint32_t ReferenceOf(const std::vector<AlignedClock>& clocks) {
  const auto found = std::ranges::find(clocks, ClockSource::kReference, &AlignedClock::source);
  return static_cast<uint32_t>(found - clocks.begin());
}

Judged Judge(JobOfClocks settings, int seeds = 12) {
  std::vector<double> errors;
  Judged judged;
  for (int seed = 1; seed <= seeds; ++seed) {
    settings.seed = static_cast<uint64_t>(seed);
    const Simulation job(settings);
    const auto clocks = AlignJob(job, settings.hosts);
    const uint32_t reference = ReferenceOf(clocks);
    for (uint32_t host = 0; host < settings.hosts; ++host) {
      if (host == reference) continue;
      EXPECT_EQ(clocks[host].source, ClockSource::kCollectives);
      for (size_t i = 0; i < job.times().size(); i += 50) {
        const double time = job.times()[i];
        const ClockKnot found = clocks[host].At(job.Own(host, time));
        const int64_t truth = job.Offset(host, reference, time);
        errors.push_back(std::abs(static_cast<double>(found.offset - truth)));
        judged.in_bar += found.bar && errors.back() <= static_cast<double>(*found.bar) ? 1 : 0;
        EXPECT_TRUE(found.lower && found.upper);
        if (!found.lower || !found.upper) continue;
        judged.in_bounds += *found.lower <= truth && truth <= *found.upper ? 1 : 0;
      }
    }
  }
  judged.in_bar /= static_cast<double>(errors.size());
  judged.in_bounds /= static_cast<double>(errors.size());
  std::ranges::sort(errors);
  judged.p99 = errors[errors.size() * 99 / 100];
  return judged;
}

struct Case {
  const char* name;
  JobOfClocks job;
  double p99;  // ns, at most
};

class OwnLag : public testing::TestWithParam<Case> {};

// No host's ends have a lag of their own.
TEST_P(OwnLag, ErrorsAreWithinBarsAndBounds) {
  const Judged judged = Judge(GetParam().job);
  EXPECT_GE(judged.in_bar, 0.95);
  EXPECT_EQ(judged.in_bounds, 1);
  EXPECT_LE(judged.p99, GetParam().p99);
}

INSTANTIATE_TEST_SUITE_P(
    ClockAlignment, OwnLag,
    testing::Values(Case{"Plain", {}, 2e3}, Case{"TwoHosts", {.hosts = 2}, 2e3},
                    Case{"ManyHosts", {.hosts = 32, .seconds = 2}, 2e3},
                    Case{"TwoRanks", {.ranks = 2}, 4e3}, Case{"Wander", {.wander = 1e-6}, 2e3},
                    Case{"RingSkew", {.skew = 10e3}, 8e3}, Case{"LateExits", {.exits = 5e3}, 2e3},
                    Case{"SetClocks", {.seconds = 40, .set_clocks = 5e-4}, 100e3},
                    Case{"LostRanks", {.lost = 0.3}, 2e3}, Case{"Short", {.seconds = 0.5}, 2e3},
                    Case{"Rare", {.seconds = 100, .period = 400e6}, 2e3}),
    [](const auto& given) { return std::string(given.param.name); });

// Ends cannot tell a lag from an offset: only the bounds are right.
TEST(ClockAlignment, BoundsHoldWhereAHostLags) {
  const Judged judged = Judge({.host_lag = 30e3});
  EXPECT_EQ(judged.in_bounds, 1);
  EXPECT_LT(judged.in_bar, 0.95);
}

TEST(ClockAlignment, OneRankOfAHostGivesNoBar) {
  const Judged judged = Judge({.leads = true}, 3);
  EXPECT_EQ(judged.in_bar, 0);
  EXPECT_EQ(judged.in_bounds, 1);
}

// Only these clocks' attendances.
std::vector<Meeting> Among(const std::vector<Meeting>& meetings,
                           const std::vector<std::vector<uint32_t>>& groups) {
  std::vector<Meeting> kept;
  for (size_t i = 0; i < meetings.size(); ++i) {
    Meeting& meeting = kept.emplace_back();
    for (const Attendance& part : meetings[i]) {
      if (std::ranges::count(groups[i % groups.size()], part.clock) > 0) meeting.push_back(part);
    }
  }
  return kept;
}

TEST(ClockAlignment, GoesFromHostToHost) {
  const Simulation job({.hosts = 4, .seconds = 30});
  const std::vector<std::vector<WallReading>> none(4);
  const auto clocks = AlignClocks(none, Among(job.meetings(), {{0, 1}, {1, 2}, {2, 3}}));
  const uint32_t reference = ReferenceOf(clocks);
  for (uint32_t host = 0; host < 4; ++host) {
    for (const double time : {1e9, 15e9, 29e9}) {
      const ClockKnot found = clocks[host].At(job.Own(host, time));
      const auto error = static_cast<double>(found.offset - job.Offset(host, reference, time));
      EXPECT_LE(std::abs(error), static_cast<double>(found.bar.value_or(-1) + 1)) << host;
      EXPECT_LE(found.lower.value_or(0), job.Offset(host, reference, time) + 1);
      EXPECT_GE(found.upper.value_or(0), job.Offset(host, reference, time) - 1);
    }
  }
}

TEST(ClockAlignment, ComparesTimesOfDayWhereNothingIsShared) {
  const Simulation job({.hosts = 4, .seconds = 10});
  std::vector<std::vector<WallReading>> readings(4);
  for (uint32_t host = 0; host < 4; ++host) {
    const int64_t wrong = 1000 * host;  // of the time of day
    readings[host].push_back({.time = job.Own(host, 0),
                              .realtime_offset = wrong - job.Own(host, 0),
                              .error = 2'000,
                              .most_error = 1'000'000});
  }
  readings[1].clear();
  const auto clocks = AlignClocks(readings, Among(job.meetings(), {{0, 1}, {0, 1}, {2, 3}}));
  EXPECT_EQ(clocks[0].source, ClockSource::kReference);
  EXPECT_EQ(clocks[1].source, ClockSource::kCollectives);
  EXPECT_EQ(clocks[2].source, ClockSource::kWallClock);
  EXPECT_EQ(clocks[3].source, ClockSource::kCollectives);
  EXPECT_EQ(clocks[3].parent, 2u);
  const ClockKnot two = clocks[2].At(job.Own(2, 0));
  EXPECT_EQ(two.offset, job.Offset(2, 0, 0) - 2000);
  EXPECT_EQ(two.bar, 4'000);
  EXPECT_EQ(*two.upper - *two.lower, 4'000'000);
  const ClockKnot three = clocks[3].At(job.Own(3, 0));
  EXPECT_NEAR(static_cast<double>(three.offset - job.Offset(3, 0, 0)), -2000, 3000);
  EXPECT_GT(*three.upper - *three.lower, 4'000'000);
  // Without a time server there are no bounds; without a reading, there is no offset.
  readings[2][0].most_error = readings[2][0].error = -1;
  readings[3].clear();
  const auto less = AlignClocks(readings, Among(job.meetings(), {{0, 1}, {0, 1}, {2}}));
  EXPECT_EQ(less[2].source, ClockSource::kWallClock);
  EXPECT_FALSE(less[2].knots[0].bar || less[2].knots[0].lower || less[2].knots[0].upper);
  EXPECT_EQ(less[3].source, ClockSource::kNone);
}

// Several collectives were taken for one.
TEST(ClockAlignment, ContradictionsGiveNothing) {
  const Simulation job({.hosts = 3, .seconds = 1});
  std::vector<Meeting> meetings = job.meetings();
  for (size_t i = 0; i < meetings.size(); i += 2) {
    Attendance& part = meetings[i][2];
    const int64_t other = 300'000 + static_cast<int64_t>(i % 7) * 400'000;
    part.last_start += other;
    part.first_end += other;
    part.end += other;
  }
  const std::vector<std::vector<WallReading>> none(3);
  const auto clocks = AlignClocks(none, meetings);
  EXPECT_TRUE(clocks[2].is_contradicted);
  EXPECT_EQ(clocks[2].source, ClockSource::kNone);
  EXPECT_EQ(clocks[1].source, ClockSource::kCollectives);
}

TEST(ClockAlignment, ClocksWithoutMeetingsAreAlone) {
  EXPECT_TRUE(AlignClocks({}, {}).empty());
  const std::vector<std::vector<WallReading>> none(2);
  const auto clocks = AlignClocks(none, {});
  EXPECT_EQ(clocks[0].source, ClockSource::kReference);
  EXPECT_EQ(clocks[1].source, ClockSource::kNone);
  EXPECT_EQ(clocks[1].ToReference(17), 17);
}

}  // namespace
}  // namespace rtl::analysis
