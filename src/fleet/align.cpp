// SPDX-License-Identifier: MIT
#include "fleet/align.h"

#include <fmt/format.h>

#include <algorithm>

#include "fleet/ask.h"
#include "fleet/quoted.h"

namespace rtl::fleet {
namespace {

using analysis::ClockKnot;
using analysis::ClockSource;

constexpr char kReadings[] =
    "select rank, host, boot_id, time, realtime_offset, realtime_width, estimated_error, "
    "max_error, "
    "synchronized from clocks order by time, rank, host";

std::string Text(const std::optional<int64_t>& value) {
  return value ? std::to_string(*value) : "";
}

std::string Joined(const std::set<std::string>& words) {
  std::string all;
  for (const std::string& word : words) all += (all.empty() ? "" : ", ") + word;
  return all;
}

class Aligner {
 public:
  Aligner(const Fleet& fleet, const Engine& engine,
          const std::map<std::string, std::string>& values, FleetClocks* out)
      : fleet_(fleet), engine_(engine), values_(values), out_(*out) {}

  Status Align() {
    Result readings, parts;
    RTL_TRY(Asker({&fleet_}).Ask(engine_, {.question = "sql", .sql = kReadings, .values = {}},
                                 &readings));
    TakeReadings(readings);
    RTL_TRY(Asker({&fleet_}).Ask(
        engine_, {.question = "align", .sql = {}, .from = Source::kEvents, .values = values_},
        &parts));
    for (const auto& row : parts.rows) clocks_[row[3]].key = row[3];
    std::map<std::string, uint32_t> numbers;
    for (auto& [key, clock] : clocks_) {
      numbers[key] = static_cast<uint32_t>(out_.clocks.size());
      clock.key = key;
      // If the kernel stated an error for some readings, those without one are dropped.
      const auto has_error = [](const analysis::WallReading& each) { return each.most_error >= 0; };
      if (std::ranges::any_of(clock.readings, has_error)) {
        std::erase_if(clock.readings, std::not_fn(has_error));
      }
      out_.clocks.push_back(std::move(clock));
    }
    TakeMeetings(parts, numbers);
    std::vector<std::vector<analysis::WallReading>> wall;
    for (const FleetClock& clock : out_.clocks) wall.push_back(clock.readings);
    const auto aligned = analysis::AlignClocks(wall, out_.meetings);
    for (size_t i = 0; i < aligned.size(); ++i) out_.clocks[i].aligned = aligned[i];
    return Status::Ok();
  }

 private:
  void TakeReadings(const Result& readings) {
    for (const auto& row : readings.rows) {
      const std::string& host = row[1];
      FleetClock& clock = clocks_[row[2].empty() ? host : row[2]];
      clock.hosts.insert(host);
      if (!row[0].empty()) clock.ranks.insert(row[0]);
      if (row[3].empty() || row[4].empty()) continue;
      analysis::WallReading reading;
      reading.time = NumberIn<int64_t>(row[3]);
      reading.realtime_offset = NumberIn<int64_t>(row[4]);
      if (row[8] == "1") {  // the unit is us
        reading.error = NumberIn<int64_t>(row[6]) * 1000 + NumberIn<int64_t>(row[5]);
        reading.most_error = NumberIn<int64_t>(row[7]) * 1000 + NumberIn<int64_t>(row[5]);
      }
      clock.readings.push_back(reading);
    }
  }

  void TakeMeetings(const Result& parts, const std::map<std::string, uint32_t>& numbers) {
    const std::vector<std::string>* before = nullptr;
    for (const auto& row : parts.rows) {
      const bool is_same =
          before != nullptr && std::equal(row.begin(), row.begin() + 3, before->begin());
      if (!is_same) out_.meetings.emplace_back();
      before = &row;
      out_.meetings.back().push_back(
          {.clock = numbers.at(row[3]),
           .ranks = static_cast<uint32_t>(NumberIn<int64_t>(row[4])),
           .last_start = NumberIn<int64_t>(row[5]),
           .first_end = NumberIn<int64_t>(row[6]),
           .end = NumberIn<int64_t>(row[8]),
           .spread = NumberIn<int64_t>(row[7]) - NumberIn<int64_t>(row[6])});
    }
    for (analysis::Meeting& meeting : out_.meetings) {
      std::ranges::sort(meeting, {}, &analysis::Attendance::clock);
    }
  }

  const Fleet& fleet_;
  const Engine& engine_;
  const std::map<std::string, std::string>& values_;
  FleetClocks& out_;
  std::map<std::string, FleetClock> clocks_;  // by FleetClock::key
};

// The change of the offset from the first window to the last, divided by the time between them, in
// millionths.
std::string DriftOf(const std::vector<ClockKnot>& knots) {
  if (knots.size() < 2) return "";
  const auto time = static_cast<double>(knots.back().time - knots.front().time);
  const auto change = static_cast<double>(knots.back().offset - knots.front().offset);
  return time > 0 ? fmt::format("{:.3f}", 1e6 * change / time) : "";
}

}  // namespace

const FleetClock* FleetClocks::OfRank(const std::string& rank) const {
  const auto found = std::ranges::find_if(
      clocks, [&](const FleetClock& clock) { return clock.ranks.contains(rank); });
  return found == clocks.end() ? nullptr : &*found;
}

std::vector<std::string> FleetClocks::Notes() const {
  std::vector<std::string> notes;
  for (const FleetClock& clock : clocks) {
    const std::string host = Joined(clock.hosts.empty() ? std::set{clock.key} : clock.hosts);
    const analysis::AlignedClock& aligned = clock.aligned;
    if (aligned.is_contradicted) {
      notes.push_back(host +
                      ": its collectives are not those of the other hosts (groups of ranks "
                      "that stay on a host have the same names); they are not compared");
    }
    if (aligned.source == ClockSource::kNone) {
      notes.push_back(host + ": its clock is not aligned: no common collective, no time of day");
    } else if (aligned.source == ClockSource::kWallClock && !aligned.knots.front().upper) {
      notes.push_back(host +
                      ": only the times of day are compared, and of these nobody knows the "
                      "error: no time server keeps them");
    } else if (aligned.source == ClockSource::kCollectives && !aligned.knots.front().bar) {
      notes.push_back(host +
                      ": no error bar: no host has more than one rank in a collective; the "
                      "bounds hold");
    }
  }
  return notes;
}

Status AlignClocks(const Fleet& fleet, const Engine& engine,
                   const std::map<std::string, std::string>& values, FleetClocks* out) {
  return Aligner(fleet, engine, values, out).Align();
}

Result ClocksAsResult(const FleetClocks& clocks) {
  Result result;
  result.columns = {"host",      "ranks", "source", "against", "collectives", "offset",
                    "drift_ppm", "bar",   "below",  "above",   "time_of_day"};
  for (const FleetClock& clock : clocks.clocks) {
    const analysis::AlignedClock& aligned = clock.aligned;
    const FleetClock& parent = clocks.clocks[aligned.parent];
    std::vector<std::string> row(result.columns.size());
    row[0] = Joined(clock.hosts);
    row[1] = std::to_string(clock.ranks.size());
    row[2] = analysis::TextOf(aligned.source);
    if (&parent != &clock && !aligned.knots.empty()) row[3] = Joined(parent.hosts);
    row[4] = std::to_string(aligned.meetings);
    if (!aligned.knots.empty()) {
      const int64_t first = aligned.knots.front().time, last = aligned.knots.back().time;
      const ClockKnot middle = aligned.At(first + (last - first) / 2);
      row[5] = std::to_string(middle.offset);
      row[6] = DriftOf(aligned.knots);
      row[7] = Text(middle.bar);
      if (middle.lower) row[8] = std::to_string(middle.offset - *middle.lower);
      if (middle.upper) row[9] = std::to_string(*middle.upper - middle.offset);
      const auto reference =
          std::ranges::find(clocks.clocks, ClockSource::kReference,
                            [](const FleetClock& each) { return each.aligned.source; });
      // The distance of the hosts' times of day, which is known once the clocks are aligned.
      if (!clock.readings.empty() && !reference->readings.empty()) {
        const analysis::WallReading& own = clock.readings.front();
        row[10] = std::to_string(aligned.At(own.time).offset + own.realtime_offset -
                                 reference->readings.front().realtime_offset);
      }
    }
    result.rows.push_back(std::move(row));
  }
  return result;
}

Result WindowsAsResult(const FleetClocks& clocks) {
  Result result;
  result.columns = {"host", "boot_id", "time", "offset", "bar", "lower", "upper"};
  for (const FleetClock& clock : clocks.clocks) {
    for (const ClockKnot& knot : clock.aligned.knots) {
      result.rows.push_back({Joined(clock.hosts), clock.key, std::to_string(knot.time),
                             std::to_string(knot.offset), Text(knot.bar), Text(knot.lower),
                             Text(knot.upper)});
    }
  }
  return result;
}

}  // namespace rtl::fleet
