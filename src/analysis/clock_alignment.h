// SPDX-License-Identifier: MIT
// clock_alignment.h: measures how far the clocks of hosts are apart, from collectives in which
// ranks of several hosts take part (docs/design/clocks-of-hosts.md).
//
// All ranks end a collective at nearly the same time, so the difference of its ends on two hosts is
// the distance of their clocks. Each window of time gets a line through these distances, and the
// distance between two windows is interpolated. No rank leaves a collective before the last one has
// arrived, so starts and ends also give bounds, which hold for any delay of the ends.
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
// The attendances of a collective in which every rank depends on every other (no broadcast, nothing
// between two ranks), sorted by clock. Each clock occurs once.
using Meeting = std::vector<Attendance>;

// A reading of a clock together with the time of day, and the kernel's estimate of the error.
struct WallReading {
  int64_t time = 0;             // of the clock
  int64_t realtime_offset = 0;  // the time of day minus `time`
  // Of the time of day, as the kernel estimates it; -1: not synchronized, or not known.
  int64_t error = -1;
  int64_t most_error = -1;  // the maximum of that error; -1: not synchronized, or not known
};

enum class ClockSource : uint8_t {
  kReference,    // the times of all other clocks are converted to its time
  kCollectives,  // aligned by collectives with another aligned clock
  kWallClock,    // no meeting is shared: the hosts' times of day are compared
  kNone,         // no meeting is shared, and the time of day is not known
};
const char* TextOf(ClockSource source);  // kCollectives: "collectives"

// At `time` of the clock, the clock is `offset` ahead of the reference.
struct ClockKnot {
  int64_t time = 0;
  int64_t offset = 0;
  // Error at 95 % confidence, if the delays of ranks do not depend on the host.
  std::optional<int64_t> bar;
  std::optional<int64_t> lower, upper;  // bounds of the offset
};

struct AlignedClock {
  ClockSource source = ClockSource::kNone;
  uint32_t parent = 0;    // the clock that this one was compared with
  uint64_t meetings = 0;  // shared with the parent
  // The bounds of different meetings exclude each other, so these were not the same collectives:
  // each host may have groups of ranks of its own, for example. The times of day are compared
  // instead.
  bool is_contradicted = false;
  std::vector<ClockKnot> knots;  // by time; none: no source

  // Interpolated between knots. Before the first and after the last knot, the line is continued.
  ClockKnot At(int64_t time) const;
  int64_t ToReference(int64_t time) const { return time - At(time).offset; }
};

// `readings`: those of each clock. `reference`: the clock to convert to; none: the clock that takes
// part most often.
std::vector<AlignedClock> AlignClocks(std::span<const std::vector<WallReading>> readings,
                                      std::span<const Meeting> meetings,
                                      std::optional<uint32_t> reference = std::nullopt);

// Whether every rank of a collective depends on every other, by the name of its kernel. The name of
// RCCL's generic kernel does not say; the answer is true for it.
bool DependsOnAll(std::string_view kernel);

}  // namespace rtl::analysis
