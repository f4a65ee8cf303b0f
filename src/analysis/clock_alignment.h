// SPDX-License-Identifier: MIT
// clock_alignment.h: how far the clocks of hosts are apart, from collectives that ranks of both take
// part in (docs/design/clocks-of-hosts.md).
//
// The ends of a collective are close together on all ranks, so their difference between two hosts is
// the distance of the clocks: a line in each window, straight between the windows. No rank leaves a
// collective before the last one came, so starts and ends also give bounds that hold whatever the
// ends' own delays are.
//
// Threads    any; nothing is shared
// Memory     in proportion to the attendances
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace rtl::analysis {

// The ranks of one clock in a collective; times of that clock, in ns.
struct Attendance {
  uint32_t clock = 0;
  uint32_t ranks = 0;
  int64_t last_start = 0;  // when the last of these ranks came
  int64_t first_end = 0;   // when the first of them left
  int64_t end = 0;         // the median of their ends
  int64_t spread = 0;      // from the first end to the last
};
// A collective in which every rank depends on every other: no broadcast, nothing between two ranks.
// By clock, each of which occurs once.
using Meeting = std::vector<Attendance>;

// What the kernel said of a clock and of the time of day.
struct WallReading {
  int64_t time = 0;             // of the clock
  int64_t realtime_offset = 0;  // the time of day minus `time`
  int64_t error = -1;       // of the time of day, as estimated; -1: it is not kept, or not known
  int64_t most_error = -1;  // the same, at most
};

enum class ClockSource : uint8_t {
  kReference,    // the times of all others are expressed in its time
  kCollectives,  // with another clock that is aligned
  kWallClock,    // nothing is shared: the hosts' times of day are compared
  kNone,         // nothing is shared, and the time of day is not known
};
const char* TextOf(ClockSource source);  // "collectives"

// At `time` of the clock, it is `offset` ahead of the reference.
struct ClockKnot {
  int64_t time = 0;
  int64_t offset = 0;
  std::optional<int64_t> bar;  // the error, 19 times in 20, where delays do not depend on the host
  std::optional<int64_t> lower, upper;  // the offset is between these
};

struct AlignedClock {
  ClockSource source = ClockSource::kNone;
  uint32_t parent = 0;    // the clock that it was compared with
  uint64_t meetings = 0;  // used for that
  // The bounds of meetings exclude each other: these were not the same collectives, as of groups of
  // ranks of each host. The times of day are compared then.
  bool is_contradicted = false;
  std::vector<ClockKnot> knots;  // by time; none: no source

  // Straight between knots, and beyond the first and the last one.
  ClockKnot At(int64_t time) const;
  int64_t ToReference(int64_t time) const { return time - At(time).offset; }
};

// `reference`: none: the clock that takes part most often. `readings`: of each clock.
std::vector<AlignedClock> AlignClocks(std::span<const std::vector<WallReading>> readings,
                                      std::span<const Meeting> meetings,
                                      std::optional<uint32_t> reference = std::nullopt);

// Whether every rank of a collective depends on every other, by its kernel's name; RCCL's generic
// kernel does not say, and is taken for one of these.
bool DependsOnAll(std::string_view kernel);

}  // namespace rtl::analysis
