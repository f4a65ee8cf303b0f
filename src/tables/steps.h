// SPDX-License-Identifier: MIT
// steps.h: the numbered steps of a program, from its ROCTx ranges: "step 7", "ProfilerStep#7",
// "iteration 12". Of step ranges that overlap in a process, the one that began first counts. Where a
// process has none, they may be found by repetition.
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

// The number in the name of a step's range; nothing for other names.
std::optional<int64_t> StepNumber(std::string_view name);

class Steps {
 public:
  // The reader has no selection. Of a trace in parts, each part adds its steps: one that was open at
  // the end of a part goes on.
  Status Load(query::TraceReader& trace);
  // For processes without such ranges, also what repeats itself in their kernels. Of a whole trace.
  Status LoadRepeated(query::TraceReader& trace);
  bool HasAny(int64_t process) const { return steps_.contains(process); }
  // Of a process without ranges: those that were found, in order.
  void Add(int64_t process, const std::vector<RepeatedSteps::Begin>& begins);
  // Of a trace in parts: forgets steps that ended before this time, but not the last kKept.
  static constexpr size_t kKept = 1024;
  void ForgetBefore(uint64_t time);
  // The step that was open in the process at this time.
  std::optional<int64_t> At(int64_t process, uint64_t time) const {
    return Find(process, time).number;
  }
  // The same, or the time between two steps.
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
    bool is_open = false;  // at the end of the trace, or of the part
  };
  std::unordered_map<int64_t, std::vector<Step>> steps_;  // by process; apart, in order
  // The process and the step of the last call.
  mutable int64_t last_process_ = -1;
  mutable const std::vector<Step>* last_steps_ = nullptr;  // null: the process has none
  mutable Step last_;
};

// When the communication kernels of a queue were submitted. Those of a part may have been submitted
// before some of the part before it: the next part must be known before Ordinal is called.
class Collectives {
 public:
  void Add(uint64_t submit) { added_.push_back(submit); }
  // How many were submitted from `start` to `submit`. Asked in the order of intervals.
  int64_t Ordinal(uint64_t start, uint64_t submit);

 private:
  // More are not kept; one step has fewer.
  static constexpr size_t kMost = size_t{1} << 20;
  void Sort();

  std::vector<uint64_t> submits_;  // in order
  std::vector<uint64_t> added_;
  int64_t dropped_ = 0;  // before submits_
  uint64_t start_ = 0;   // of the last question, and how many were before
  int64_t before_ = 0;
};

// What the kernels of a part of a trace need to know of the parts around it.
struct EarlierParts {
  Steps steps;                                 // those of the next part included
  std::map<int64_t, Collectives> collectives;  // by queue; as steps
};

}  // namespace rtl::tables
