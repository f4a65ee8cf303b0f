// SPDX-License-Identifier: MIT
// step_times.h: the steps of a program, their times, and the first one that is slow.
//
// A step is a range whose name says so: those of servers ("execute_context_1(128)_generation_4(4)"
// of vLLM, "step[DECODE bs=32]" of SGLang), else "ProfilerStep#7" of torch.profiler, else a word
// and a number ("step 7", "iteration_7"), else the word alone. Of ranges that overlap in a process,
// the one that began first counts. Where a process has no such range, a step is what its GPU
// repeats: the kernels between two that come once in each repetition.
//
// Threads    as the given reader
// Memory     48 bytes per kernel, and an entry per step
// Errors     those of the reader
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "trace/read/trace_reader.h"

namespace rtl::analysis {

enum class StepKind : uint8_t { kPlain, kPrefill, kDecode, kMixed };
// "step", "prefill", "decode", "prefill and decode"
const char* StepKindName(StepKind kind);

// What the name of a range says of it.
struct StepName {
  StepKind kind = StepKind::kPlain;
  uint8_t rank = 0;  // the lowest in a process counts
};
std::optional<StepName> StepNameOf(std::string_view range);

// Gaps of at most this much between the kernels of a step are counted as launching.
inline constexpr uint64_t kLongestLaunchGap = 100'000;  // ns

// A step that takes much longer than the median one of its group.
struct SlowStep {
  uint64_t number = 0;  // 1, 2, … in its group
  std::string name;     // of its range
  uint64_t at = 0;      // its start
  uint64_t time = 0;    // ns
  // The kernel whose time grew most over the average of the other steps; empty: none grew.
  std::string kernel;
  uint64_t kernel_time = 0;   // in this step
  uint64_t kernel_usual = 0;  // the average of the others
};

// The steps of one kind in one process. Times are nanoseconds: of ranges their duration, of
// repetitions the time from one start to the next.
struct StepGroup {
  int64_t process = 0;
  uint32_t pid = 0;
  int32_t rank = -1;
  StepKind kind = StepKind::kPlain;
  std::string name;  // of the first range; empty: found by repetition
  uint64_t steps = 0;
  uint64_t median = 0, min = 0, max = 0, total = 0;
  double variation = 0;          // standard deviation by average
  uint64_t kernels = 0;          // of all steps
  uint64_t launches = 0;         // calls that launched them; zero: not known
  uint64_t gpu_busy = 0;         // of all steps: while at least one of their kernels ran
  uint64_t launch_gaps = 0;      // of all steps: a GPU waited for the next launch
  std::optional<SlowStep> slow;  // the first

  // A graph would make them shorter by a fifth or more. False where launches are not known.
  bool is_launch_bound() const { return launches > 0 && total > 0 && launch_gaps * 5 >= total; }
};

// The greatest total first.
Status FindSteps(query::TraceReader& trace, std::vector<StepGroup>* out);

// What repeats itself in a sequence of kernels: the places of one element that comes once in each
// repetition: the begins of all repetitions, the last of which may be cut off. Empty: nothing of at
// least two elements comes three times alike. 24 bytes of memory per element.
std::vector<size_t> FindRepetition(const std::vector<int64_t>& sequence);

}  // namespace rtl::analysis
