// SPDX-License-Identifier: MIT
// compare.h: the significant changes between the runs of two sides.
//
// Two medians of durations are compared. The noise is the smallest change that counts:
// - Several runs on at least one side: Student's t of the runs' medians, at 0.1 % for each name.
// - One run a side: 3.29 standard errors of the medians, from the quartiles of the calls. The
//   spread between runs of the same program is then not known.
// The noise is never below kLeastNoise, because a median is exact to 0.4 % only (quantile.h).
//
// Threads    any; Timings as the given reader
// Memory     one entry per name of a kernel, a kind of copy, a range and a call
// Errors     those of the reader
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/quantile.h"
#include "base/status.h"
#include "trace/read/trace_reader.h"

namespace rtl::analysis {

enum class Subject : uint8_t { kKernel, kCopy, kRange, kCall };
inline constexpr Subject kSubjects[] = {Subject::kKernel, Subject::kCopy, Subject::kRange,
                                        Subject::kCall};
// "kernel", "copy", "range", "call"
std::string_view SubjectWord(Subject subject);

// The calls of one name in one run. Durations in nanoseconds.
struct Timing {
  uint64_t calls = 0;
  uint64_t total = 0;
  uint64_t median = 0;
  uint64_t quartiles = 0;  // the distance from the first quartile to the third
};

// Inline, because librtl_read.so links places.cpp and not compare.cpp.
inline Timing TimingOf(const QuantileSketch& durations) {
  return {.calls = durations.count(),
          .total = durations.total(),
          .median = durations.At(0.5),
          .quartiles = durations.At(0.75) - durations.At(0.25)};
}

using Timings = std::map<std::pair<Subject, std::string>, Timing>;

Status ReadTimings(query::TraceReader& trace, Timings* out);

enum class Change : uint8_t {
  kNone,  // less than the noise
  kSlower,
  kFaster,
  kNew,      // no run before has it
  kGone,     // no run after has it
  kUnknown,  // too few calls to know their spread
};
// "same", "slower", "faster", "new", "gone", "unknown"
std::string_view ChangeWord(Change change);

// One name's averages over the runs of a side.
struct SideTiming {
  uint64_t runs = 0;  // number of runs that have the name
  double calls = 0;   // per run, over all runs
  double total = 0;   // per run, over all runs
  double median = 0;  // over the runs that have it
};

struct Difference {
  Subject subject = Subject::kKernel;
  std::string name;
  // Operators around kernels that were paired by place (places.h); empty: paired by name.
  std::string operation = {};
  SideTiming before;
  SideTiming after;
  Change change = Change::kNone;
  double ratio = 0;  // of the medians, after / before - 1; 0 for new and gone names
  double noise = 0;  // same unit as `ratio`; infinite: not known

  double total_change() const { return after.total - before.total; }
};

inline constexpr double kLeastNoise = 0.01;

// The largest change of the total first. Neither side is empty.
std::vector<Difference> Compare(const std::vector<Timings>& before,
                                const std::vector<Timings>& after);

}  // namespace rtl::analysis
