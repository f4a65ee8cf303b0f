// SPDX-License-Identifier: MIT
// Checks the times of kernels against the clocks of the host and of HIP.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "selftest/bench.h"

namespace rtl::selftest {
namespace {

constexpr double kNsPerUs = 1e3;
constexpr double kTranslationUs = 50;  // error of the runtime's translation of GPU times
// From the doorbell to the start: far more than on any healthy machine.
constexpr double kLatencyUs = 10'000;
constexpr double kDriftPpm = 500;  // crystals are ten times better
constexpr double kEventUs = 1;     // the resolution of events

struct Launch {
  double before = 0, after = 0;  // the host's clock, microseconds
  double event_us = 0;
  double start = 0, end = 0;  // of the kernel, in the trace
};

struct Launches {
  std::vector<Launch> all;
  Result bad = {};
  bool is_bad = false;
};

Launches MeasureOnce(Bench& bench) {
  Launches launches;
  const auto give_up = [&](Result why) {
    launches.bad = std::move(why);
    launches.is_bad = true;
    return launches;
  };
  const Ran ran = bench.Traced("times");
  if (auto bad = bench.Bad(ran)) return give_up(*bad);
  int64_t origin = 0;
  for (size_t at = 0; at < ran.out.size(); at = ran.out.find('\n', at) + 1) {
    unsigned long long before = 0;
    unsigned long long after = 0;
    double ms = 0;
    if (sscanf(ran.out.c_str() + at, "launch %llu %llu %lf", &before, &after, &ms) != 3) continue;
    if (origin == 0) origin = static_cast<int64_t>(before);
    launches.all.push_back({static_cast<double>(static_cast<int64_t>(before) - origin) / kNsPerUs,
                            static_cast<double>(static_cast<int64_t>(after) - origin) / kNsPerUs,
                            ms * 1e3, 0, 0});
  }
  TraceFacts trace(bench.trace());
  const auto expected = static_cast<long>(launches.all.size());
  if (auto incomplete = bench.Incomplete(&trace, "long", expected)) return give_up(*incomplete);
  size_t next = 0;
  trace.Rows("SELECT start, end FROM rocpd_op o WHERE" + OfKernel("long") + "ORDER BY sequenceId",
             [&](const query::Statement& row) {
               if (next >= launches.all.size()) return;
               Launch& launch = launches.all[next++];
               launch.start = static_cast<double>(row.Int(0) - origin) / kNsPerUs;
               launch.end = static_cast<double>(row.Int(1) - origin) / kNsPerUs;
             });
  if (!trace.problem().empty()) return give_up(Wrong(trace.problem()));
  if (launches.all.empty()) return give_up(Wrong("the program printed no launch"));
  return launches;
}

// Runs the program `times` once and returns each launch with its row in the trace. Three checks use
// this run. Times count from the first launch, so that a double is exact enough.
const Launches& Measure(Bench& bench) {
  static const Launches kLaunches = MeasureOnce(bench);
  return kLaunches;
}

// The range of numbers that can be added to GPU times so that every kernel runs between its launch
// and the end of the wait for it, by the host's clock. There is none if least > most.
struct Offset {
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
};

Offset OffsetOf(const Launch* begin, const Launch* end) {
  Offset offset;
  for (const Launch* each = begin; each != end; ++each) {
    offset.least = std::max(offset.least, each->before - each->start);
    offset.most = std::min(offset.most, each->after - each->end);
  }
  return offset;
}

}  // namespace

// Within a queue kernels start one after the other, and none ends before it starts.
Result CheckOrder(Bench& bench) {
  const Ran ran = bench.Traced("storm", {}, 500);
  if (auto bad = bench.Bad(ran)) return *bad;
  TraceFacts trace(bench.trace());
  const long rows = trace.Number("SELECT count(*) FROM rocpd_op o WHERE" + OfKernel(""));
  const long negative =
      trace.Number("SELECT count(*) FROM rocpd_op o WHERE end < start AND" + OfKernel(""));
  const long early = trace.Number(
      Text("SELECT count(*) FROM rocpd_op o WHERE submit > 0 AND start < submit - %.0f AND",
           kTranslationUs * kNsPerUs) +
      OfKernel(""));
  const long backwards = trace.Number(
      "SELECT count(*) FROM (SELECT start - lag(start) OVER (PARTITION BY queueId ORDER BY packet) "
      "AS step FROM rocpd_op o WHERE" +
      OfKernel("") + ") WHERE step < 0");
  const long same =
      trace.Number("SELECT count(*) FROM (SELECT 1 FROM rocpd_op o WHERE" + OfKernel("") +
                   "GROUP BY gpuId, queueId, start, end HAVING count(*) > 1)");
  if (auto incomplete = bench.Incomplete(&trace, "count", ran.Number("kernels")))
    return *incomplete;
  if (!trace.problem().empty()) return Wrong(trace.problem());
  const std::string figure = Text(
      "of %ld kernels %ld end before they start, %ld start before their submission, %ld before "
      "the kernel ahead of them in the queue, %ld have the times of another",
      rows, negative, early, backwards, same);
  return rows > 0 && negative + early + backwards + same == 0 ? Right(figure) : Wrong(figure);
}

// The distance of the HIP events around a kernel is at least the kernel's duration, and not much
// more.
Result CheckEvents(Bench& bench) {
  const Launches& launches = Measure(bench);
  if (launches.is_bad) return launches.bad;
  std::vector<double> differences;
  for (const Launch& launch : launches.all)
    differences.push_back(launch.event_us - (launch.end - launch.start));
  const double least = *std::min_element(differences.begin(), differences.end());
  const std::string figure = "events minus kernel: " + Spread(differences, "us");
  if (least < -kEventUs) return Wrong(figure + ": a kernel is longer than the events around it");
  if (least > kLatencyUs) return Wrong(figure + ": all kernels are far too short");
  return Right(figure);
}

// Each kernel lies between the host's times of its launch and of the end of the wait for it.
Result CheckHostClock(Bench& bench) {
  const Launches& launches = Measure(bench);
  if (launches.is_bad) return launches.bad;
  const Offset offset = OffsetOf(launches.all.data(), launches.all.data() + launches.all.size());
  const std::string figure =
      Text("GPU times are right if %.1f to %.1f us are added", offset.least, offset.most);
  if (offset.least > offset.most)
    return Wrong(
        Text("no offset of the GPU's clock fits: kernels that need at least %.1f us more, "
             "and others at most %.1f us",
             offset.least, offset.most));
  if (offset.least > kTranslationUs || offset.most < -kTranslationUs)
    return Wrong(figure + ": its clock is off");
  return Right(figure + " (0 is within, give or take 50 us)");
}

// The clocks do not drift apart between two groups of kernels, seconds apart.
Result CheckDrift(Bench& bench) {
  const Launches& launches = Measure(bench);
  if (launches.is_bad) return launches.bad;
  const Launch* const begin = launches.all.data();
  const size_t half = launches.all.size() / 2;
  const Offset first = OffsetOf(begin, begin + half);
  const Offset second = OffsetOf(begin + half, begin + launches.all.size());
  const double apart = begin[half].before - begin[0].before;
  if (first.least > first.most || second.least > second.most)
    return Wrong("the GPU's clock moves within a group of kernels");
  const double least = (second.least - first.most) / apart * 1e6;
  const double most = (second.most - first.least) / apart * 1e6;
  const std::string figure =
      Text("between %.1f and %.1f ppm over %.1f s", least, most, apart / 1e6);
  if (least > kDriftPpm || most < -kDriftPpm) return Wrong(figure);
  return Right(figure);
}

// Measures the time from the submission to the start on an idle queue.
Result CheckLatency(Bench& bench) {
  const Ran ran = bench.Traced("wait");
  if (auto bad = bench.Bad(ran)) return *bad;
  TraceFacts trace(bench.trace());
  if (auto incomplete = bench.Incomplete(&trace, "add", ran.Number("kernels"))) return *incomplete;
  std::vector<double> waits;
  trace.Rows("SELECT start - submit FROM rocpd_op o WHERE submit > 0 AND" + OfKernel("add"),
             [&](const query::Statement& row) {
               waits.push_back(static_cast<double>(row.Int(0)) / kNsPerUs);
             });
  if (waits.empty()) return Wrong("no kernel has a time of submission");
  const std::string figure = "from submission to start: " + Spread(waits, "us");
  if (Median(waits) > kLatencyUs) return Wrong(figure + ": the GPU notices work late");
  return Right(figure);
}

// The times in the trace equal those that the program reads from its own signals.
Result CheckSignals(Bench& bench) {
  const Ran ran = bench.Traced("signals");
  if (auto bad = bench.Bad(ran)) return *bad;
  std::vector<std::pair<long long, long long>> own;
  for (size_t at = 0; at < ran.out.size(); at = ran.out.find('\n', at) + 1) {
    long long start = 0;
    long long end = 0;
    if (sscanf(ran.out.c_str() + at, "times %lld %lld", &start, &end) == 2)
      own.emplace_back(start, end);
  }
  TraceFacts trace(bench.trace());
  if (auto incomplete = bench.Incomplete(&trace, "long", static_cast<long>(own.size())))
    return *incomplete;
  size_t next = 0;
  long long most = 0;
  trace.Rows("SELECT start, end FROM rocpd_op o WHERE" + OfKernel("long") + "ORDER BY sequenceId",
             [&](const query::Statement& row) {
               if (next >= own.size()) return;
               const auto& [start, end] = own[next++];
               most = std::max({most, std::abs(row.Int(0) - start), std::abs(row.Int(1) - end)});
             });
  if (!trace.problem().empty()) return Wrong(trace.problem());
  const std::string figure =
      Text("%zu signals have their values; times differ from the trace's by at most %.3f us",
           own.size(), static_cast<double>(most) / kNsPerUs);
  return static_cast<double>(most) <= kTranslationUs * kNsPerUs ? Right(figure) : Wrong(figure);
}

}  // namespace rtl::selftest
