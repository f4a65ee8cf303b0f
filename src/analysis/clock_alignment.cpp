// SPDX-License-Identifier: MIT
#include "analysis/clock_alignment.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <string>

namespace rtl::analysis {
namespace {

constexpr double kWindow = 10e9;        // ns
constexpr size_t kFewestMeetings = 20;  // a window with fewer meetings has no slope of its own
constexpr double kOutlier = 100e3;      // ns from the line: a meeting farther away gives no bound
// ns: the possible error of a GPU's timestamp, which widens the bounds.
constexpr double kClockReading = 1000;
// If the line is this far outside the bounds of more than kMostOutside of the meetings, the clocks
// did not meet in the same collectives (is_contradicted).
constexpr double kOutsideBounds = 20e3;  // ns
constexpr double kMostOutside = 0.05;
// Standard deviation of a normal distribution divided by its median absolute deviation.
constexpr double kNormal = 1.4826;
// The standard error of the median of evenly distributed values, in standard errors of their mean.
constexpr double kMedianOfRanks = 1.6;

// A meeting as two clocks, child and parent, recorded it. A distance is the child's time minus the
// parent's.
struct Sample {
  double time = 0;      // of the child, since Fit::origin
  double distance = 0;  // between the two ends, minus Fit::base
  double lower = 0, upper = 0;
};

struct Window {
  double time = 0, distance = 0;
  double slope = 0;
  bool has_slope = false;
  size_t first = 0, last = 0;  // indices of samples
  double noise = 0;            // the distance from the line that 95 % of the samples stay below
  // Bounds of the offset, relative to the line.
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
};

double Quantile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  const auto place = static_cast<ptrdiff_t>(share * static_cast<double>(values.size() - 1) + 0.5);
  std::nth_element(values.begin(), values.begin() + place, values.end());
  return values[static_cast<size_t>(place)];
}

double Median(const std::vector<double>& values) { return Quantile(values, 0.5); }

// The distance of one clock from another over time: straight lines between the middles of windows.
class Fit {
 public:
  Fit(std::vector<Sample> samples, int64_t origin, int64_t base)
      : samples_(std::move(samples)), origin_(origin), base_(base) {
    std::ranges::sort(samples_, {}, &Sample::time);
    for (size_t first = 0; first < samples_.size();) {
      const double end = samples_[first].time + kWindow;
      size_t last = first;
      while (last < samples_.size() && samples_[last].time < end) ++last;
      Divide(first, last);
      first = last;
    }
    AddSlopes();
    AddErrors();
  }

  bool IsContradicted() const {
    size_t outside = 0;
    for (const Sample& sample : samples_) {
      const double line = At(sample.time);
      const bool is_outside =
          line < sample.lower - kOutsideBounds || line > sample.upper + kOutsideBounds;
      outside += is_outside ? 1 : 0;
    }
    return static_cast<double>(outside) > kMostOutside * static_cast<double>(samples_.size()) ||
           std::ranges::any_of(windows_,
                               [](const Window& window) { return window.lower > window.upper; });
  }

  std::vector<ClockKnot> Knots(std::optional<double> bar_of_ranks) const {
    std::vector<ClockKnot> knots;
    const auto add = [&](const Window& window, double time) {
      ClockKnot knot;
      knot.time = origin_ + std::llround(time);
      const double distance = Line(window, time);
      knot.offset = base_ + std::llround(distance);
      if (bar_of_ranks) knot.bar = std::llround(std::hypot(*bar_of_ranks, window.noise));
      if (std::isfinite(window.lower)) {
        knot.lower = base_ + static_cast<int64_t>(std::floor(distance + window.lower));
      }
      if (std::isfinite(window.upper)) {
        knot.upper = base_ + static_cast<int64_t>(std::ceil(distance + window.upper));
      }
      knots.push_back(knot);
    };
    // Before the first and after the last window, the distance follows that window's slope.
    if (windows_.front().has_slope) add(windows_.front(), windows_.front().time - kWindow);
    for (const Window& window : windows_) add(window, window.time);
    if (windows_.back().has_slope) add(windows_.back(), windows_.back().time + kWindow);
    return knots;
  }

 private:
  static double Line(const Window& window, double time) {
    return window.distance + window.slope * (time - window.time);
  }

  // The estimator of Theil and Sen, the median of the slopes between pairs. A pair has one sample
  // from each half of the window.
  Window MakeWindow(size_t first, size_t last) const {
    Window window;
    window.first = first;
    window.last = last;
    const size_t count = last - first;
    double sum = 0;
    for (size_t i = first; i < last; ++i) sum += samples_[i].time;
    window.time = sum / static_cast<double>(count);
    if (count >= kFewestMeetings) {
      std::vector<double> slopes;
      for (size_t i = first, j = last - count / 2; j < last; ++i, ++j) {
        const double apart = samples_[j].time - samples_[i].time;
        if (apart > 0) slopes.push_back((samples_[j].distance - samples_[i].distance) / apart);
      }
      window.slope = Median(slopes);
      window.has_slope = !slopes.empty();
    }
    std::vector<double> left;
    for (size_t i = first; i < last; ++i) {
      left.push_back(samples_[i].distance - window.slope * (samples_[i].time - window.time));
    }
    window.distance = Median(left);
    return window;
  }

  // While a time server adjusts a clock, the clock runs at another speed, and one line does not
  // fit. A window that no line fits is cut in two until lines fit.
  void Divide(size_t first, size_t last) {
    Window window = MakeWindow(first, last);
    if (last - first >= 2 * kFewestMeetings && IsBent(window)) {
      const size_t middle = first + (last - first) / 2;
      Divide(first, middle);
      Divide(middle, last);
      return;
    }
    windows_.push_back(window);
  }

  bool IsBent(const Window& window) const {
    std::vector<double> deviations;
    for (size_t i = window.first; i < window.last; ++i) {
      deviations.push_back(std::abs(samples_[i].distance - Line(window, samples_[i].time)));
    }
    const double noise = kNormal * Median(deviations);
    constexpr size_t kParts = 4;
    const size_t part = (window.last - window.first) / kParts;
    // The median of a part differs from the line by its standard error; twice that error is usual.
    // The window is bent at four times the error.
    const double most = std::max(4 * 1.25 * noise / std::sqrt(static_cast<double>(part)), 50.0);
    for (size_t p = 0; p < kParts; ++p) {
      std::vector<double> left;
      for (size_t i = window.first + p * part; i < window.first + (p + 1) * part; ++i) {
        left.push_back(samples_[i].distance - Line(window, samples_[i].time));
      }
      if (std::abs(Median(left)) > most) return true;
    }
    return false;
  }

  // A window with few meetings gets the slope of the line between its neighbours.
  void AddSlopes() {
    for (size_t w = 0; w < windows_.size(); ++w) {
      Window& window = windows_[w];
      if (window.has_slope || windows_.size() < 2) continue;
      const Window& a = windows_[w == 0 ? 0 : w - 1];
      const Window& b = windows_[std::min(w + 1, windows_.size() - 1)];
      window.slope = (b.distance - a.distance) / std::max(b.time - a.time, 1.0);
    }
  }

  double At(double time) const {
    const auto after = std::ranges::upper_bound(windows_, time, {}, &Window::time);
    if (after == windows_.begin()) return Line(windows_.front(), time);
    if (after == windows_.end()) return Line(windows_.back(), time);
    const Window& a = *std::prev(after);
    const Window& b = *after;
    return a.distance + (b.distance - a.distance) * (time - a.time) / (b.time - a.time);
  }

  void AddErrors() {
    for (size_t w = 0; w < windows_.size(); ++w) {
      // Samples of both neighbours count, because the line between two windows depends on both.
      const size_t first = windows_[w == 0 ? 0 : w - 1].first;
      const size_t last = windows_[std::min(w + 1, windows_.size() - 1)].last;
      Window& window = windows_[w];
      const double begin = w == 0 ? samples_[first].time : windows_[w - 1].time;
      const double end = w + 1 == windows_.size() ? samples_[last - 1].time : windows_[w + 1].time;
      std::vector<double> deviations, off;
      std::vector<const Sample*> near;
      for (size_t i = first; i < last; ++i) {
        if (samples_[i].time < begin || samples_[i].time > end) continue;
        near.push_back(&samples_[i]);
        off.push_back(samples_[i].distance - At(samples_[i].time));
        deviations.push_back(std::abs(off.back()));
      }
      window.noise = Quantile(deviations, 0.95);
      const double outlier = std::max(kOutlier, 20 * Median(deviations));
      for (size_t i = 0; i < near.size(); ++i) {
        if (deviations[i] > outlier) continue;
        const double line = near[i]->distance - off[i];
        const double slack = window.noise + kClockReading;
        window.upper = std::min(window.upper, near[i]->upper - line + slack);
        window.lower = std::max(window.lower, near[i]->lower - line - slack);
      }
    }
  }

  std::vector<Sample> samples_;
  int64_t origin_, base_;
  std::vector<Window> windows_;
};

// The spread of the ends of a collective over the ranks of one clock. It estimates the ranks'
// delays, which no number of meetings averages away.
struct Spread {
  double ranks = 0;      // the number of ranks that usually take part
  double deviation = 0;  // standard deviation of one rank's end; meaningless if there is one rank
};

// The expected range of `count` normal values, in standard deviations.
double RangeOfNormal(size_t count) {
  constexpr double kRanges[] = {1.128, 1.693, 2.059, 2.326, 2.534, 2.704, 2.847, 2.970,
                                3.078, 3.173, 3.258, 3.336, 3.407, 3.472, 3.532};
  return kRanges[std::min(count - 2, std::size(kRanges) - 1)];
}

// The 97.5 % quantile of Student's distribution.
double StudentQuantile(double freedom) {
  constexpr double kFew[] = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228};
  if (freedom <= 10) return kFew[static_cast<size_t>(std::max(freedom, 1.0)) - 1];
  return 1.96 + 2.5 / freedom;
}

class Aligner {
 public:
  Aligner(std::span<const std::vector<WallReading>> readings, std::span<const Meeting> meetings,
          std::optional<uint32_t> reference)
      : readings_(readings), meetings_(meetings), clocks_(readings.size()), reference_(reference) {}

  std::vector<AlignedClock> Align() {
    if (clocks_.empty()) return {};
    MeasureSpreads();
    MakeTree();
    BeReference(order_.front());
    for (size_t i = 1; i < order_.size(); ++i) {
      if (is_root_[i]) {
        CompareWallClocks(order_[i]);
      } else {
        Join(order_[i]);
      }
    }
    return std::move(clocks_);
  }

 private:
  void MeasureSpreads() {
    std::vector<std::vector<double>> spreads(clocks_.size()), ranks(clocks_.size());
    for (const Meeting& meeting : meetings_) {
      for (const Attendance& part : meeting) {
        ranks[part.clock].push_back(part.ranks);
        if (part.ranks > 1) spreads[part.clock].push_back(static_cast<double>(part.spread));
      }
    }
    spreads_.resize(clocks_.size());
    double sum = 0;
    for (size_t clock = 0; clock < clocks_.size(); ++clock) {
      Spread& spread = spreads_[clock];
      spread.ranks = std::max(Median(ranks[clock]), 1.0);
      if (spread.ranks < 2) continue;
      spread.deviation = Median(spreads[clock]) / RangeOfNormal(static_cast<size_t>(spread.ranks));
      freedom_ += spread.ranks - 1;
      sum += (spread.ranks - 1) * spread.deviation * spread.deviation;
    }
    if (freedom_ > 0) common_deviation_ = std::sqrt(sum / freedom_);
  }

  // Compares each clock with a parent: the clock with which it shares the most meetings. The result
  // is the maximum spanning tree from the reference, and one more tree for each group of clocks
  // that shares no meeting with it.
  void MakeTree() {
    std::map<std::vector<uint32_t>, uint64_t> groups;  // meetings by the clocks that took part
    for (const Meeting& meeting : meetings_) {
      std::vector<uint32_t> group;
      for (const Attendance& part : meeting) group.push_back(part.clock);
      ++groups[group];
    }
    std::vector<uint64_t> total(clocks_.size());
    for (const auto& [group, count] : groups) {
      for (const uint32_t clock : group) total[clock] += count;
    }
    std::vector<uint64_t> shared(clocks_.size());
    std::vector<bool> is_in(clocks_.size());
    while (order_.size() < clocks_.size()) {
      uint32_t next = 0;
      for (uint32_t clock = 0; clock < clocks_.size(); ++clock) {
        if (is_in[clock]) continue;
        const auto key = [&](uint32_t c) { return std::pair(shared[c], total[c]); };
        if (is_in[next] || key(clock) > key(next)) next = clock;
      }
      if (order_.empty() && reference_) next = *reference_;
      const bool is_root = shared[next] == 0;
      if (is_root) clocks_[next].parent = next;
      is_in[next] = true;
      order_.push_back(next);
      is_root_.push_back(is_root);
      std::map<uint32_t, uint64_t> together;
      for (const auto& [group, count] : groups) {
        if (!std::ranges::binary_search(group, next)) continue;
        for (const uint32_t clock : group) together[clock] += count;
      }
      for (const auto& [clock, count] : together) {
        if (is_in[clock] || count <= shared[clock]) continue;
        shared[clock] = count;
        clocks_[clock].parent = next;
      }
    }
  }

  void BeReference(uint32_t clock) {
    clocks_[clock].source = ClockSource::kReference;
    clocks_[clock].knots.push_back(
        {.time = FirstTime(clock), .offset = 0, .bar = 0, .lower = 0, .upper = 0});
  }

  void Join(uint32_t clock) {
    AlignedClock& own = clocks_[clock];
    int64_t origin = 0, base = 0;
    std::vector<Sample> samples = SamplesOf(clock, own.parent, &origin, &base);
    own.source = ClockSource::kCollectives;
    own.meetings = samples.size();
    const Fit fit(std::move(samples), origin, base);
    own.is_contradicted = fit.IsContradicted();
    if (own.is_contradicted) {
      own.source = ClockSource::kNone;
      CompareWallClocks(clock);
      return;
    }
    own.knots = fit.Knots(BarOfRanks(clock, own.parent));
    AddParent(&own);
  }

  int64_t FirstTime(uint32_t clock) const {
    for (const Meeting& meeting : meetings_) {
      for (const Attendance& part : meeting) {
        if (part.clock == clock) return part.end;
      }
    }
    return readings_[clock].empty() ? 0 : readings_[clock].front().time;
  }

  std::vector<Sample> SamplesOf(uint32_t child, uint32_t parent, int64_t* origin,
                                int64_t* base) const {
    std::vector<Sample> samples;
    for (const Meeting& meeting : meetings_) {
      const auto of = [&](uint32_t clock) {
        const auto found = std::ranges::lower_bound(meeting, clock, {}, &Attendance::clock);
        return found != meeting.end() && found->clock == clock ? &*found : nullptr;
      };
      const Attendance* const own = of(child);
      const Attendance* const other = of(parent);
      if (own == nullptr || other == nullptr) continue;
      if (samples.empty()) {
        *origin = own->end;
        *base = own->end - other->end;
      }
      const auto from_base = [&](int64_t a, int64_t b) {
        return static_cast<double>(a - b - *base);
      };
      samples.push_back({.time = static_cast<double>(own->end - *origin),
                         .distance = from_base(own->end, other->end),
                         .lower = from_base(own->last_start, other->first_end),
                         .upper = from_base(own->first_end, other->last_start)});
    }
    return samples;
  }

  std::optional<double> BarOfRanks(uint32_t a, uint32_t b) const {
    if (freedom_ == 0) return std::nullopt;
    double sum = 0;
    for (const uint32_t clock : {a, b}) {
      const Spread& spread = spreads_[clock];
      const double deviation = std::max(spread.deviation, common_deviation_);
      const double factor = spread.ranks > 2 ? kMedianOfRanks : 1;
      sum += factor * factor * deviation * deviation / spread.ranks;
    }
    return StudentQuantile(freedom_) * std::sqrt(sum);
  }

  // Adds the offset of the parent from the reference, so that the offset of `own` is from the
  // reference, too.
  void AddParent(AlignedClock* own) const {
    const AlignedClock& parent = clocks_[own->parent];
    if (parent.source == ClockSource::kReference) return;
    if (parent.source == ClockSource::kNone) {
      own->source = ClockSource::kNone;
      own->knots.clear();
      return;
    }
    AlignedClock alone = *own;
    for (const ClockKnot& knot : parent.knots) {
      ClockKnot own_knot;
      own_knot.time = knot.time;
      for (int i = 0; i < 3; ++i) own_knot.time = knot.time + alone.At(own_knot.time).offset;
      own->knots.push_back(own_knot);
    }
    std::ranges::sort(own->knots, {}, &ClockKnot::time);
    const auto same_time = [](const ClockKnot& a, const ClockKnot& b) { return a.time == b.time; };
    own->knots.erase(std::unique(own->knots.begin(), own->knots.end(), same_time),
                     own->knots.end());
    for (ClockKnot& knot : own->knots) {
      knot = alone.At(knot.time);
      const ClockKnot more = parent.At(knot.time - knot.offset);
      knot.offset += more.offset;
      if (knot.bar && more.bar) {
        knot.bar = std::llround(
            std::hypot(static_cast<double>(*knot.bar), static_cast<double>(*more.bar)));
      }
      const auto add = [](std::optional<int64_t>* sum, const std::optional<int64_t>& part) {
        *sum = *sum && part ? std::optional(**sum + *part) : std::nullopt;
      };
      add(&knot.lower, more.lower);
      add(&knot.upper, more.upper);
    }
  }

  // Compares the hosts' times of day, which a time server may keep.
  void CompareWallClocks(uint32_t clock) {
    const auto& own = readings_[clock];
    const auto& others = readings_[order_.front()];
    if (own.empty() || others.empty()) return;
    AlignedClock& aligned = clocks_[clock];
    aligned.parent = order_.front();
    aligned.meetings = 0;
    aligned.source = ClockSource::kWallClock;
    for (const WallReading& reading : own) {
      // The reading of the reference that is closest in the time of day.
      const int64_t now = reading.time + reading.realtime_offset;
      const auto distance = [&](const WallReading& other) {
        return std::abs(other.time + other.realtime_offset - now);
      };
      const WallReading& other = *std::ranges::min_element(others, {}, distance);
      ClockKnot knot;
      knot.time = reading.time;
      knot.offset = other.realtime_offset - reading.realtime_offset;
      if (reading.error >= 0 && other.error >= 0) knot.bar = reading.error + other.error;
      if (reading.most_error >= 0 && other.most_error >= 0) {
        knot.lower = knot.offset - reading.most_error - other.most_error;
        knot.upper = knot.offset + reading.most_error + other.most_error;
      }
      aligned.knots.push_back(knot);
    }
    std::ranges::sort(aligned.knots, {}, &ClockKnot::time);
  }

  std::span<const std::vector<WallReading>> readings_;
  std::span<const Meeting> meetings_;
  std::vector<AlignedClock> clocks_;
  std::vector<Spread> spreads_;
  double common_deviation_ = 0, freedom_ = 0;
  std::optional<uint32_t> reference_;  // clock that the caller chose
  std::vector<uint32_t> order_;        // the reference first, parents before their children
  // By place in order_: whether the clock shares no meeting with those before it.
  std::vector<bool> is_root_;
};

int64_t Between(int64_t a, int64_t b, double share) {
  return a + std::llround(share * static_cast<double>(b - a));
}

std::optional<int64_t> Between(const std::optional<int64_t>& a, const std::optional<int64_t>& b,
                               double share) {
  return a && b ? std::optional(Between(*a, *b, share)) : std::nullopt;
}

}  // namespace

const char* TextOf(ClockSource source) {
  constexpr const char* kTexts[] = {"reference", "collectives", "time of day", "none"};
  return kTexts[static_cast<size_t>(source)];
}

ClockKnot AlignedClock::At(int64_t time) const {
  if (knots.empty()) return {.time = time, .offset = 0, .bar = {}, .lower = {}, .upper = {}};
  if (knots.size() == 1 || time <= knots.front().time || time >= knots.back().time) {
    const bool is_late = time >= knots.back().time;
    ClockKnot end = is_late ? knots.back() : knots.front();
    if (knots.size() > 1) {
      const ClockKnot& a = is_late ? knots[knots.size() - 2] : knots[0];
      const ClockKnot& b = is_late ? knots.back() : knots[1];
      const double slope = static_cast<double>(b.offset - a.offset) /
                           static_cast<double>(std::max<int64_t>(b.time - a.time, 1));
      const int64_t more = std::llround(slope * static_cast<double>(time - end.time));
      end.offset += more;
      if (end.lower) *end.lower += more;
      if (end.upper) *end.upper += more;
    }
    end.time = time;
    return end;
  }
  const auto after = std::ranges::upper_bound(knots, time, {}, &ClockKnot::time);
  const ClockKnot& a = *std::prev(after);
  const ClockKnot& b = *after;
  const double share = static_cast<double>(time - a.time) / static_cast<double>(b.time - a.time);
  return {.time = time,
          .offset = Between(a.offset, b.offset, share),
          .bar = Between(a.bar, b.bar, share),
          .lower = Between(a.lower, b.lower, share),
          .upper = Between(a.upper, b.upper, share)};
}

std::vector<AlignedClock> AlignClocks(std::span<const std::vector<WallReading>> readings,
                                      std::span<const Meeting> meetings,
                                      std::optional<uint32_t> reference) {
  return Aligner(readings, meetings, reference).Align();
}

bool DependsOnAll(std::string_view kernel) {
  std::string plain;
  for (const char c : kernel) {
    if (c != '_') plain += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  }
  for (const char* name :
       {"allreduce", "allgather", "reducescatter", "alltoall", "barrier", "nccldevkernelgeneric"}) {
    if (plain.find(name) != std::string::npos) return true;
  }
  return false;
}

}  // namespace rtl::analysis
