// SPDX-License-Identifier: MIT
// step_times.h: finds the steps of a program, their times, and the first slow one.
//
// A step is a range whose name identifies it. Names are tried in this order: those of servers
// ("execute_context_1(128)_generation_4(4)" of vLLM, "step[DECODE bs=32]" of SGLang),
// "ProfilerStep#7" of torch.profiler, a word and a number ("step 7", "iteration_7"), the word
// alone. If such ranges overlap in a process, the one that began first counts. If a process has
// none, its steps are found by repetition: a step is the time from one run to the next of a kernel
// that occurs once in each repetition.
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

// The kind of a step, read from the name of a range.
struct StepName {
  StepKind kind = StepKind::kPlain;
  uint8_t rank = 0;  // how specific the name is, 0 the most; the lowest in a process counts
};
std::optional<StepName> StepNameOf(std::string_view range);

// A gap of at most this much between two kernels of a step counts as launching.
inline constexpr uint64_t kLongestLaunchGap = 100'000;  // ns

// A step that takes much longer than the median step of its group.
struct SlowStep {
  uint64_t number = 0;  // 1, 2, … in its group
  std::string name;     // name of its range
  uint64_t at = 0;      // its start
  uint64_t time = 0;    // ns
  // The kernel whose time exceeds its average over the other steps most. Empty: no kernel does.
  std::string kernel;
  uint64_t kernel_time = 0;   // in this step
  uint64_t kernel_usual = 0;  // average time in the other steps
};

// The steps of one kind in one process. Times are in nanoseconds. The time of a step is the
// duration of its range; a step found by repetition lasts until the next one starts.
struct StepGroup {
  int64_t process = 0;
  uint32_t pid = 0;
  int32_t rank = -1;
  StepKind kind = StepKind::kPlain;
  std::string name;  // name of the first range; empty: found by repetition
  uint64_t steps = 0;
  uint64_t median = 0, min = 0, max = 0, total = 0;
  double variation = 0;          // standard deviation divided by the average
  uint64_t kernels = 0;          // of all steps
  uint64_t launches = 0;         // calls that launched the kernels; zero: not known
  uint64_t gpu_busy = 0;         // in all steps, the time while at least one of their kernels ran
  uint64_t launch_gaps = 0;      // in all steps, the time while a GPU waited for the next launch
  std::optional<SlowStep> slow;  // the first slow step

  // A HIP graph would make these steps shorter by a fifth or more. False if launches are not known.
  bool is_launch_bound() const { return launches > 0 && total > 0 && launch_gaps * 5 >= total; }
};

// The greatest total first.
Status FindSteps(query::TraceReader& trace, std::vector<StepGroup>* out);

// Finds what repeats itself in a sequence of kernels. Returns the places of an element that occurs
// once in each repetition, which are the beginnings of the repetitions; the last repetition may be
// cut off. Empty: no piece of at least two elements occurs three times. Takes 24 bytes of memory
// per element.
std::vector<size_t> FindRepetition(const std::vector<int64_t>& sequence);

}  // namespace rtl::analysis
