// SPDX-License-Identifier: MIT
// steps.h: the numbered steps of a program, from its ROCTx ranges: "step 7", "ProfilerStep#7",
// "iteration 12". Of step ranges that overlap in a process, the one that began first counts.
//
// Threads    as the reader
// Memory     one entry for each step
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/status.h"
#include "trace/read/trace_reader.h"

namespace rtl::tables {

// The number in the name of a step's range; nothing for other names.
std::optional<int64_t> StepNumber(std::string_view name);

class Steps {
 public:
  // The reader has no selection.
  Status Load(query::TraceReader& trace);
  // The step that was open in the process at this time.
  std::optional<int64_t> At(int64_t process, uint64_t time) const;

 private:
  struct Step {
    uint64_t start = 0;
    uint64_t end = 0;
    int64_t number = 0;
  };
  std::unordered_map<int64_t, std::vector<Step>> steps_;  // by process; apart, in order
  // The process and the step of the last call.
  mutable int64_t last_process_ = -1;
  mutable const std::vector<Step>* last_steps_ = nullptr;  // null: the process has none
  mutable Step last_;
};

}  // namespace rtl::tables
