// SPDX-License-Identifier: MIT
// steps.h: finds the numbered steps of a program from its ROCTx ranges: "step 7", "ProfilerStep#7",
// "iteration 12". If step ranges overlap in a process, the one that began first counts. If a
// process has no such ranges, its steps can be found by repetition.
//
// Threads    as the reader
// Memory     one entry for each step
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/status.h"
#include "tables/repeated_steps.h"
#include "trace/read/trace_reader.h"

namespace rtl::tables {

// The number in the name of a step's range. Nothing if the name is not that of a step.
std::optional<int64_t> StepNumber(std::string_view name);

class Steps {
 public:
  // Adds the steps of a trace that has no selection, or of one part of a trace. A step that was
  // open at the end of the last part is continued.
  Status Load(query::TraceReader& trace);
  // For processes without step ranges, adds steps that are found as repetitions of their kernels.
  // The trace must be whole.
  Status LoadRepeated(query::TraceReader& trace);
  bool HasAny(int64_t process) const { return steps_.contains(process); }
  // Adds steps that were found by repetition, for a process without step ranges. They must come in
  // order.
  void Add(int64_t process, const std::vector<RepeatedSteps::Begin>& begins);
  // For a trace in parts: removes steps that ended before `time`, but keeps the last kKept.
  static constexpr size_t kKept = 1024;
  void ForgetBefore(uint64_t time);
  // The number of the step that was open in the process at this time.
  std::optional<int64_t> At(int64_t process, uint64_t time) const {
    return Find(process, time).number;
  }
  // A step, or (without a number) the time between two steps.
  struct Interval {
    std::optional<int64_t> number;
    uint64_t start = 0;
  };
  Interval Find(int64_t process, uint64_t time) const;

 private:
  struct Step {
    uint64_t start = 0;
    uint64_t end = 0;
    int64_t number = 0;
    bool is_open = false;  // when the trace or the part ended
  };
  // Steps by process, in order and without overlap.
  std::unordered_map<int64_t, std::vector<Step>> steps_;
  // The process and the step of the last call of Find.
  mutable int64_t last_process_ = -1;
  mutable const std::vector<Step>* last_steps_ = nullptr;  // null: the process has none
  mutable Step last_;
};

// The submissions of a queue's communication kernels. Kernels of one part of a trace may have been
// submitted before kernels of the part before it. So add the next part before a call of Ordinal.
class Collectives {
 public:
  void Add(uint64_t submit) { added_.push_back(submit); }
  // The number of kernels submitted since `start` and before `submit`. Calls must come in the order
  // of `start`.
  int64_t Ordinal(uint64_t start, uint64_t submit);

 private:
  // Older submissions are dropped; a step has fewer kernels.
  static constexpr size_t kMost = size_t{1} << 20;
  void Sort();

  std::vector<uint64_t> submits_;  // in order
  std::vector<uint64_t> added_;
  int64_t dropped_ = 0;  // number of kernels dropped from the beginning of submits_
  uint64_t start_ = 0;   // `start` of the last call of Ordinal, and the number of kernels before it
  int64_t before_ = 0;
};

// What the kernels of one part of a trace need to know of the parts before it and of the next one.
struct EarlierParts {
  Steps steps;                                 // including those of the next part
  std::map<int64_t, Collectives> collectives;  // by queue; including those of the next part
};

}  // namespace rtl::tables
